import { existsSync } from 'node:fs';
import { defineConfig } from 'vite';
import { cliEntries } from './scripts/cliBuild.mjs';

/** The commands, bundled for Node: `main` behind `npm run rcuscope`, `oracle` behind `npm run oracle`, `bench`. */
export default defineConfig({
  publicDir: false,
  logLevel: 'warn',
  // Dependencies are bundled too: one file, no resolving at start-up. But for the tools that bench drives.
  ssr: { noExternal: true, external: ['@playwright/test', 'vite'], target: 'node' },
  build: {
    ssr: true,
    outDir: 'dist-cli',
    emptyOutDir: true,
    target: 'node20',
    minify: false,
    rolldownOptions: {
      input: Object.fromEntries(Object.entries(cliEntries).filter(([, path]) => existsSync(path))),
      output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
    },
  },
});
