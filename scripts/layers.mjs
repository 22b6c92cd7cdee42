/**
 * The layer table of docs/ARCHITECTURE.md as data: which folder may import which.
 *
 * @typedef {object} Layer
 * @property {string} folder
 * @property {string[]} layers whose code it may import, besides its own
 * @property {string[]} [types] layers of which it may import types only (`import type`)
 * @property {string[]} [tables] layers of which it may also import the tables of data, and no behaviour
 * @property {string[]} packages by name; `d3-*` means every d3 module, `node:*` Node's own
 */

const ui = ['react', 'react-dom', 'react-aria-components'];

/** @type {Record<string, Layer>} */
export const layers = {
  engine: { folder: 'src/engine', layers: [], packages: [] },
  config: {
    folder: 'src/config',
    layers: [],
    types: ['engine'],
    tables: ['engine'],
    packages: ['zod', 'fflate'],
  },
  scenarios: { folder: 'src/scenarios', layers: ['config'], packages: [] },
  analysis: { folder: 'src/analysis', layers: ['engine'], packages: [] },
  trace: { folder: 'src/trace', layers: ['engine', 'analysis'], packages: [] },
  worker: { folder: 'src/worker', layers: ['engine', 'analysis', 'config', 'trace'], packages: [] },
  state: {
    folder: 'src/state',
    layers: ['config', 'scenarios'],
    types: ['engine'],
    packages: ['zustand'],
  },
  timeline: {
    folder: 'src/timeline',
    layers: ['analysis'],
    types: ['engine'],
    packages: ['react', 'd3-*'],
  },
  ui: { folder: 'src/ui', layers: [], packages: ui },
  panels: {
    folder: 'src/panels',
    layers: ['state', 'timeline', 'analysis', 'ui'],
    types: ['engine'],
    packages: ['react', 'zustand', 'd3-*'],
  },
  app: {
    folder: 'src/app',
    layers: [
      ...['engine', 'config', 'scenarios', 'analysis', 'trace', 'worker'],
      ...['state', 'timeline', 'ui', 'panels'],
    ],
    packages: [...ui, 'zustand', 'fflate', 'd3-*', 'react-resizable-panels'],
  },
  cli: {
    folder: 'cli',
    layers: ['engine', 'analysis', 'config', 'scenarios', 'trace'],
    packages: ['node:*'],
  },
  // Frames while dragging are measured in the built page: `vite` builds and serves it, Playwright drags in a browser,
  // which `scripts` finds.
  bench: {
    folder: 'bench',
    layers: ['engine', 'analysis', 'config', 'scenarios', 'trace', 'scripts'],
    packages: ['node:*', 'vite', '@playwright/test'],
  },
  e2e: { folder: 'e2e', layers: [], packages: ['@playwright/test', '@axe-core/playwright', 'node:*'] },
  scripts: { folder: 'scripts', layers: [], packages: ['node:*', 'vite'] },
};

/** Tables of data: as long as their data are, and what a layer with `tables` may import. */
const tables = [
  /^src\/engine\/profiles\//,
  /^src\/engine\/config\.ts$/,
  /^src\/(engine|config)\/(.*\/)?(params|parameters|presets|eventKinds|costs|constants)(Table)?\.ts$/,
];

/** @param {string} path */
export function isTable(path) {
  return tables.some((table) => table.test(path));
}

/** What tests (`*.test.ts`, and their helpers `*.testkit.ts`) may import besides what their layer may. */
export const testPackages = ['vitest', 'fast-check', 'node:*'];

/** @param {string} path */
export function layerOf(path) {
  return Object.keys(layers).find((name) => path.startsWith(`${layers[name]?.folder}/`));
}
