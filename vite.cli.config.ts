import { defineConfig } from 'vite';

/**
 * The commands, bundled for Node, each in one file (scripts/cliBuild.mjs names them): V8 reaches what a module imports
 * from another one by way of a cell, which costs the engine a tenth of its speed.
 */
export default defineConfig({
  publicDir: false,
  logLevel: 'warn',
  // Dependencies are bundled too: one file, no resolving at start-up. But for the tools that bench drives.
  ssr: { noExternal: true, external: ['@playwright/test', 'vite'], target: 'node' },
  build: {
    ssr: true,
    outDir: 'dist-cli',
    target: 'node20',
    minify: false,
    rolldownOptions: {
      output: { entryFileNames: '[name].js', codeSplitting: false },
    },
  },
});
