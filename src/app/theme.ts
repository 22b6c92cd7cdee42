import type { Theme, ViewStore } from '../state/viewStore.ts';

const storageKey = 'rcuscope.theme';
const themes: readonly Theme[] = ['system', 'dark', 'light'];

/** The theme chosen in an earlier visit. Storage may be forbidden (private windows, embedding): then none was. */
export function storedTheme(): Theme {
  try {
    return themes.find((theme) => theme === localStorage.getItem(storageKey)) ?? 'system';
  } catch {
    return 'system';
  }
}

/** Keeps `data-theme` of the document, which tokens.css reads, in step with the view and the system. */
export function followTheme(view: ViewStore): void {
  const prefersLight = matchMedia('(prefers-color-scheme: light)');
  const apply = () => {
    const { theme } = view.getState();
    document.documentElement.dataset.theme =
      theme === 'system' ? (prefersLight.matches ? 'light' : 'dark') : theme;
  };
  apply();
  prefersLight.addEventListener('change', apply);
  view.subscribe(({ theme }, before) => {
    if (theme === before.theme) return;
    apply();
    try {
      localStorage.setItem(storageKey, theme);
    } catch {
      // Not kept, then: the choice holds for this visit.
    }
  });
}

/** The theme after this one: system, dark, light and round again. */
export function nextTheme(theme: Theme): Theme {
  return themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system';
}
