import { keepOffline } from './offline/keepOffline.ts';

// The worker is fetched and compiled while the page is: all it then waits for is a configuration.
const worker = new Worker(new URL('../worker/engine.worker.ts', import.meta.url), { type: 'module' });
const { startPage } = await import('./startPage.tsx');
startPage(worker);
if (import.meta.env.PROD) keepOffline();
