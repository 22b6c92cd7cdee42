/**
 * The service worker: keeps the files of this build, so that the page opens without a network. vite.config.ts writes
 * their names into it and puts it beside index.html as offline.js.
 */

/** What a service worker has; the DOM's types do not know it. */
interface ServiceWorkerScope {
  readonly clients: { claim(): Promise<void> };
  addEventListener(type: 'install' | 'activate', listener: (event: LifeEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void;
}
interface LifeEvent {
  waitUntil(work: Promise<unknown>): void;
}
interface FetchEvent {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}

/** Paths of this build relative to the page, and a name for all of them together. */
declare const BUILD_FILES: readonly string[];
declare const BUILD_NAME: string;

const PAGE = './';
const PREFIX = 'rcuscope ';
const NAME = PREFIX + BUILD_NAME;
const scope = globalThis as unknown as ServiceWorkerScope;

async function keep(): Promise<void> {
  const cache = await caches.open(NAME);
  await cache.addAll([PAGE, ...BUILD_FILES]);
}

/** Caches of earlier builds go once none of their pages is open. */
async function takeOver(): Promise<void> {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(PREFIX) && name !== NAME);
  await Promise.all(old.map((name) => caches.delete(name)));
  await scope.clients.claim();
}

/** A file of this build. Whatever a server varies its answers by, the file is the same. */
async function kept(what: Request | string): Promise<Response | undefined> {
  const cache = await caches.open(NAME);
  return await cache.match(what, { ignoreVary: true });
}

/** The page itself: the newest there is, the kept one without a network. */
async function openPage(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const page = await kept(PAGE);
    if (page === undefined) throw error;
    return page;
  }
}

scope.addEventListener('install', (event) => event.waitUntil(keep()));
scope.addEventListener('activate', (event) => event.waitUntil(takeOver()));
scope.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || new URL(request.url).origin !== location.origin) return;
  if (request.mode === 'navigate') event.respondWith(openPage(request));
  else event.respondWith(kept(request).then((file) => file ?? fetch(request)));
});
