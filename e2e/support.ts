import { AxeBuilder } from '@axe-core/playwright';
import { test as base, expect, type Page } from '@playwright/test';

export { expect } from '@playwright/test';

/** Everything that must never happen while a page is open, whatever the test looks at. */
function watch(page: Page, origin: string): string[] {
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`page error: ${error.message}`));
  page.on('request', (request) => {
    const url = new URL(request.url());
    const isLocal = ['data:', 'blob:'].includes(url.protocol) || url.origin === origin;
    if (!isLocal) faults.push(`request to another origin: ${request.url()}`);
  });
  return faults;
}

/** The test of this project: fails on console errors, page errors, and requests to any other origin. */
export const test = base.extend({
  page: async ({ page, baseURL }, use) => {
    const faults = watch(page, new URL(baseURL ?? '').origin);
    await use(page);
    expect(faults).toEqual([]);
  },
});

/** Rules of axe whose outcome depends on the theme. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** No fault that axe can see, in the state the page is in now. One line for each element at fault. */
export async function expectAccessible(page: Page, rules?: string[]): Promise<void> {
  const axe = new AxeBuilder({ page });
  const { violations } = await (rules === undefined ? axe : axe.withRules(rules)).analyze();
  const faults = violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id}: ${help}: ${node.target.join(' ')}`),
  );
  expect(faults).toEqual([]);
}

/** The same in the light theme, and its colours in the dark one, which the page goes to without being opened again. */
export async function expectAccessibleInBothThemes(page: Page): Promise<void> {
  for (const [colorScheme, rules] of [['light'], ['dark', COLOUR_RULES]] as const) {
    await page.emulateMedia({ colorScheme });
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme);
    await expectAccessible(page, rules);
  }
}
