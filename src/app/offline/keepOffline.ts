/** The first picture comes first. */
const AFTER_MS = 3000;

/** Lets the browser keep this build (offline.worker.ts). Where it cannot, the page needs its server each time. */
export function keepOffline(): void {
  if (!('serviceWorker' in navigator)) return;
  const register = async () => {
    try {
      await navigator.serviceWorker.register('./offline.js');
    } catch {
      // Refused: private windows, storage that is full.
    }
  };
  setTimeout(() => void register(), AFTER_MS);
}
