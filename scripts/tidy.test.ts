import { describe, expect, it } from 'vitest';
import { layers } from './layers.mjs';
import { findBreaches, maxFileLines, maxFunctionLines } from './tidyRules.mjs';

/** The rules that a made-up project breaks, as "path:line rule". */
function breachesOf(files: Record<string, string>): string[] {
  return findBreaches(new Map(Object.entries(files))).map(
    ({ path, line, rule }) => `${path}:${line} ${rule}`,
  );
}

const clean = {
  'src/engine/run.ts': "import { queue } from './core/queue.ts';\nexport const run = () => queue;\n",
  'src/engine/core/queue.ts': 'export const queue = Math.floor(1.5);\n',
};

describe('tidy', () => {
  it('finds nothing in a clean project', () => {
    expect(breachesOf(clean)).toEqual([]);
  });

  it('fails when it saw no source files', () => {
    expect(() => findBreaches(new Map())).toThrow('saw no source files');
    expect(() => findBreaches(new Map([['README.md', 'text']]))).toThrow('saw no source files');
  });

  it('fails on a file it cannot parse', () => {
    expect(() => breachesOf({ 'src/engine/a.ts': 'const = 1;' })).toThrow('src/engine/a.ts');
  });
});

describe('layers', () => {
  const other = {
    'src/engine/a.ts': 'export const a = 1;\nexport type A = number;\n',
    'src/config/b.ts': 'export const b = 1;\n',
    'src/ui/c.tsx': 'export const c = 1;\n',
    'cli/d.ts': 'export const d = 1;\n',
  };

  it.each([
    ['src/engine/x.ts', "import { b } from '../config/b.ts';"],
    ['src/analysis/x.ts', "import { b } from '../config/b.ts';"],
    ['src/scenarios/x.ts', "import type { A } from '../engine/a.ts';"],
    ['src/worker/x.ts', "export { c } from '../ui/c.tsx';\nexport const w = c;"],
    ['src/state/x.ts', "const c = import('../ui/c.tsx');"],
    ['src/timeline/x.ts', "new Worker(new URL('../ui/c.tsx', import.meta.url));"],
    ['src/ui/x.ts', "type C = import('../engine/a.ts').A;"],
    ['src/app/x.ts', "import { d } from '../../cli/d.ts';"],
    ['e2e/x.ts', "import { b } from '../src/config/b.ts';"],
    ['bench/x.ts', "import { c } from '../src/ui/c.tsx';"],
  ])('%s may not say: %s', (path, text) => {
    expect(breachesOf({ ...other, [path]: text })).toEqual([`${path}:1 layers`]);
  });

  it('lets a layer import its own files and those the table names', () => {
    const files = {
      ...other,
      'src/analysis/x.ts': "import { a } from '../engine/a.ts';",
      'cli/x.ts': "import { b } from '../src/config/b.ts';\nimport { d } from './d.ts';",
      'src/app/x.ts': "import { c } from '../ui/c.tsx';",
    };
    expect(breachesOf(files)).toEqual([]);
  });

  it('lets some layers import types of the engine, and no values', () => {
    const typed = { ...other, 'src/config/x.ts': "import type { A } from '../engine/a.ts';" };
    const inline = { ...other, 'src/config/x.ts': "import { type A } from '../engine/a.ts';" };
    const valued = { ...other, 'src/config/x.ts': "\nimport { a } from '../engine/a.ts';" };
    expect(breachesOf(typed)).toEqual([]);
    expect(breachesOf(inline)).toEqual([]);
    expect(breachesOf(valued)).toEqual(['src/config/x.ts:2 layers']);
    expect(breachesOf({ ...other, 'src/config/x.test.ts': valued['src/config/x.ts'] })).toEqual([]);
  });

  it('lets the configuration read the tables of the engine', () => {
    const files = {
      'src/engine/profiles/profiles.ts': 'export const p = 1;\n',
      'src/engine/run.ts': 'export const run = 1;\n',
    };
    const table = "import { p } from '../engine/profiles/profiles.ts';";
    const behaviour = "import { run } from '../engine/run.ts';";
    expect(breachesOf({ ...files, 'src/config/x.ts': table })).toEqual([]);
    expect(breachesOf({ ...files, 'src/config/x.ts': behaviour })).toEqual(['src/config/x.ts:1 layers']);
    expect(breachesOf({ ...files, 'src/state/x.ts': table })).toEqual(['src/state/x.ts:1 layers']);
  });

  it('refuses a folder that is in no layer', () => {
    expect(breachesOf({ ...clean, 'src/misc/x.ts': 'export const x = 1;' })).toEqual([
      'src/misc/x.ts:1 layers',
    ]);
  });

  it('has no layer that imports a layer which imports it', () => {
    const reached = (name: string, seen: Set<string>): Set<string> => {
      for (const next of layers[name]?.layers ?? []) {
        if (!seen.has(next)) reached(next, seen.add(next));
      }
      return seen;
    };
    for (const name of Object.keys(layers)) expect(reached(name, new Set()), name).not.toContain(name);
  });
});

describe('packages', () => {
  it.each([
    ['src/engine/x.ts', 'zod/mini'],
    ['src/engine/x.ts', 'node:fs'],
    ['src/analysis/x.ts', 'd3-array'],
    ['src/timeline/x.ts', 'zustand/vanilla'],
    ['src/state/x.ts', 'react'],
    ['src/timeline/paint.ts', 'react'],
    ['src/ui/x.tsx', 'zustand'],
    ['src/ui/x.tsx', 'd3-scale'],
    ['src/app/x.tsx', 'node:fs'],
    ['cli/x.ts', 'react'],
    ['e2e/x.ts', 'vitest'],
  ])('%s may not import %s', (path, name) => {
    expect(breachesOf({ [path]: `import { x } from '${name}';` })).toEqual([`${path}:1 packages`]);
  });

  it.each([
    ['src/config/x.ts', 'zod/mini'],
    ['src/timeline/x.ts', 'd3-scale'],
    ['src/timeline/useScene.ts', 'react'],
    ['src/state/x.ts', 'zustand/vanilla'],
    ['src/ui/x.tsx', 'react-aria-components'],
    ['src/app/x.tsx', 'react-dom/client'],
    ['src/engine/x.test.ts', 'fast-check'],
    ['src/engine/x.test.ts', 'node:fs'],
    ['e2e/x.ts', '@axe-core/playwright'],
  ])('%s may import %s', (path, name) => {
    expect(breachesOf({ [path]: `import { x } from '${name}';` })).toEqual([]);
  });
});

describe('imports', () => {
  it('must name an existing file, with its extension', () => {
    const files = { ...clean, 'src/engine/x.ts': "import { run } from './run';\nimport './gone.ts';" };
    expect(breachesOf(files)).toEqual(['src/engine/x.ts:1 imports', 'src/engine/x.ts:2 imports']);
  });
});

describe('exports', () => {
  it.each([
    ['default-export', 'export default 1;'],
    ['enum', 'export enum X { A }'],
    ['enum', 'const enum X { A }'],
    ['barrel', "export * from './run.ts';"],
    ['barrel', "import './run.ts';\nexport { run } from './run.ts';"],
  ])('%s: %s', (rule, text) => {
    const found = findBreaches(new Map(Object.entries({ ...clean, 'src/engine/x.ts': text })));
    expect(found.map((breach) => breach.rule)).toEqual([rule]);
  });

  it('lets engine/index.ts be a barrel, and others pass on a name beside code of their own', () => {
    const files = {
      ...clean,
      'src/engine/index.ts': "export { run } from './run.ts';",
      'src/engine/x.ts': "export { run } from './run.ts';\nexport const x = 1;",
    };
    expect(breachesOf(files)).toEqual([]);
  });
});

describe('lengths', () => {
  const lines = (n: number) => '// line\n'.repeat(n);

  it('bounds a file', () => {
    expect(breachesOf({ 'cli/x.ts': lines(maxFileLines) })).toEqual([]);
    expect(breachesOf({ 'cli/x.ts': lines(maxFileLines + 1) })).toEqual(['cli/x.ts:1 file-length']);
  });

  it.each([
    'src/engine/profiles/v6.ts',
    'src/engine/core/eventKinds.ts',
    'src/config/parameters.ts',
    'src/engine/srcu/params.ts',
    'src/engine/machine/costs.ts',
  ])('lets a table of data be longer: %s', (path) => {
    expect(breachesOf({ [path]: lines(maxFileLines + 1) })).toEqual([]);
  });

  it.each([
    (body: string) => `function f() {\n${body}}`,
    (body: string) => `export const f = () => {\n${body}};`,
    (body: string) => `class C { f() {\n${body}} }`,
  ])('bounds a function', (write) => {
    // The first and the last line of a function count too.
    expect(breachesOf({ 'src/engine/profiles/x.ts': write(lines(maxFunctionLines - 2)) })).toEqual([]);
    expect(breachesOf({ 'src/engine/profiles/x.ts': write(lines(maxFunctionLines - 1)) })).toEqual([
      'src/engine/profiles/x.ts:1 function-length',
    ]);
  });

  it('does not bound a list of test cases', () => {
    expect(breachesOf({ 'cli/x.test.ts': `describe('x', () => {\n${lines(maxFunctionLines)}});` })).toEqual(
      [],
    );
  });
});

describe('determinism', () => {
  const engine = 'src/engine/x.ts';

  it.each([
    ...[
      'random',
      'log',
      'exp',
      'pow',
      'sin',
      'cos',
      'tan',
      'log2',
      'log10',
      'log1p',
      'expm1',
      'cbrt',
      'hypot',
    ].map((name) => `Math.${name}(2)`),
    'Math["log"](2)',
    'const { log } = Math',
    'const m = Math',
    '2 ** n',
    '10 ** 3',
    'n **= 2',
    'Date.now()',
    'new Date()',
    'performance.now()',
    'globalThis.x',
    'setTimeout(f)',
    'crypto.randomUUID()',
    'n.toLocaleString()',
    'a.localeCompare(b)',
    'new Intl.NumberFormat()',
  ])('refuses %s in the engine', (text) => {
    expect(new Set(breachesOf({ [engine]: text }))).toEqual(new Set([`${engine}:1 determinism`]));
  });

  it.each([
    'Math.floor(n)',
    'Math.sqrt(n)',
    'Math.imul(a, b)',
    'x.performance',
    '({ Date: 1 })',
    'a * b',
    '2 ** 32',
  ])('lets the engine say %s', (text) => {
    expect(breachesOf({ [engine]: text })).toEqual([]);
  });

  it('is a rule of the engine only, and not of its tests', () => {
    expect(breachesOf({ 'cli/x.ts': 'Date.now()', 'src/engine/x.test.ts': 'Math.log(2)' })).toEqual([]);
  });
});

describe('private paths', () => {
  it.each([
    ['docs/MODEL.md', `see ${['..', 'shared', 'spec'].join('/')}`],
    ['src/engine/x.ts', `// ${['', 'work', 'main'].join('/')}`],
  ])('%s may not mention %s', (path, text) => {
    expect(breachesOf({ ...clean, [path]: `\n${text}` })).toEqual([`${path}:2 private-path`]);
  });
});
