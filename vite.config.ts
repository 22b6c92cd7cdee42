import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

/** The development server injects inline scripts, which the policy of index.html forbids. */
const noPolicyWhileDeveloping: Plugin = {
  name: 'no-policy-while-developing',
  apply: 'serve',
  transformIndexHtml: (html) => html.replace(/<meta\s+http-equiv="Content-Security-Policy"[^>]*>/, ''),
};

/** The page. Static files that any folder can host (`base: './'`). */
export default defineConfig({
  base: './',
  plugins: [react(), noPolicyWhileDeveloping],
  worker: { format: 'es' },
  build: { outDir: 'dist', target: 'es2023', manifest: true, chunkSizeWarningLimit: 900 },
  preview: { host: '127.0.0.1', port: 4173, strictPort: true },
  test: {
    include: ['src/**/*.test.{ts,tsx}', 'cli/**/*.test.ts', 'scripts/**/*.test.ts'],
    testTimeout: 60_000,
  },
});
