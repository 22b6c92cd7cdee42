import { defineConfig } from 'vite';

/**
 * The commands, bundled for Node, each in one file (scripts/cliBuild.mjs names them), and with constants as such: V8 then
 * takes what a name stands for as known, which is worth a tenth or two of the engine's speed.
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
      output: { entryFileNames: '[name].js', codeSplitting: false, topLevelVar: false },
    },
  },
});
