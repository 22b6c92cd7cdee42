import { createHash } from 'node:crypto';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

/** The development server injects inline scripts, which the policy of index.html forbids. */
const noPolicyWhileDeveloping: Plugin = {
  name: 'no-policy-while-developing',
  apply: 'serve',
  transformIndexHtml: (html) => html.replace(/<meta\s+http-equiv="Content-Security-Policy"[^>]*>/, ''),
};

const OFFLINE = 'offline.js';

/** Writes the names of all files of the build into the service worker (src/app/offline/). */
const listFilesForOffline: Plugin = {
  name: 'list-files-for-offline',
  apply: 'build',
  enforce: 'post',
  generateBundle(_options, bundle) {
    const worker = bundle[OFFLINE];
    if (worker?.type !== 'chunk') throw new Error(`${OFFLINE} is not a part of the build`);
    const files = Object.keys(bundle).filter((name) => name.startsWith('assets/'));
    const name = createHash('sha256').update(files.join()).digest('hex').slice(0, 12);
    worker.code = worker.code
      .replaceAll('BUILD_FILES', JSON.stringify([...files.sort(), 'favicon.svg']))
      .replaceAll('BUILD_NAME', JSON.stringify(name));
  },
};

/** The page. Static files that any folder can host (`base: './'`). */
export default defineConfig({
  base: './',
  plugins: [react(), noPolicyWhileDeveloping, listFilesForOffline],
  worker: { format: 'es' },
  build: {
    outDir: 'dist',
    target: 'es2023',
    manifest: true,
    chunkSizeWarningLimit: 900,
    rollupOptions: {
      input: { index: 'index.html', offline: 'src/app/offline/offline.worker.ts' },
      output: { entryFileNames: ({ name }) => (name === 'offline' ? OFFLINE : 'assets/[name]-[hash].js') },
    },
  },
  preview: { host: '127.0.0.1', port: 4173, strictPort: true },
  test: {
    include: ['src/**/*.test.{ts,tsx}', 'cli/**/*.test.ts', 'scripts/**/*.test.ts'],
    testTimeout: 60_000,
  },
});
