import { posix } from 'node:path';
import { parseSync } from 'vite';
import { isTable, layerOf, layers, testPackages } from './layers.mjs';

/**
 * The house rules that no linter knows. Everything works on a map "path -> text", so that the tests can
 * show each rule a small made-up project.
 *
 * @typedef {Map<string, string>} Files
 * @typedef {{ type: string, start: number, end: number, [key: string]: any }} Node
 * @typedef {{ specifier: string, start: number, typeOnly: boolean }} Import
 * @typedef {{ path: string, text: string, program: Node, isTest: boolean, lineOf: (offset: number) => number }} Source
 * @typedef {{ path: string, line: number, rule: string, text: string }} Breach
 */

export const maxFileLines = 400;
export const maxFunctionLines = 70;

const barrelAllowed = 'src/engine/index.ts';

/** In V8 11 and V8 15 all other `Math` functions differ in the last bit on some inputs; these never do. */
const exactMath = new Set(
  'abs ceil floor trunc round sign min max sqrt imul clz32 fround PI E LN2 LN10 LOG2E LOG10E SQRT2 SQRT1_2'.split(
    ' ',
  ),
);
/** What would let the world outside into the engine. */
const worldly = new Set(
  (
    'Date performance crypto Intl globalThis setTimeout setInterval setImmediate queueMicrotask fetch ' +
    'WeakRef FinalizationRegistry'
  ).split(' '),
);
const localeMethods = /^(toLocale\w+|localeCompare)$/;

/** Paths of the machine this was written on; spelled in parts, so that this file does not contain them. */
const privatePaths = [['..', 'shared'].join('/'), ['', 'work', ''].join('/')];

/** Components and hooks; the rest of a panel and of the timeline is pure, and usable without React. */
const isReact = /^react(-|\/|$)/;
const mayUseReact = /\.tsx$|\/use[A-Z]\w*\.ts$|^src\/(app|ui)\//;

const isCode = /\.(ts|tsx|mjs)$/;
const isTestPath = /\.(test|testkit)\.(ts|tsx)$/;

/**
 * @param {Node} node
 * @param {(node: Node, parent: Node | undefined) => void} visit
 * @param {Node} [parent]
 */
function walk(node, visit, parent) {
  visit(node, parent);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child?.type === 'string') walk(child, visit, node);
    }
  }
}

/**
 * @param {string} path
 * @param {string} text
 * @returns {Source}
 */
function parse(path, text) {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const lineStarts = [0];
  for (let i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) lineStarts.push(i + 1);
  return {
    path,
    text,
    program: /** @type {any} */ (program),
    isTest: isTestPath.test(path),
    lineOf: (offset) => lineStarts.findLastIndex((start) => start <= offset) + 1,
  };
}

/**
 * Static and dynamic imports, re-exports, type imports, and `new URL('./x.ts', import.meta.url)`.
 * @param {Source} source
 */
function importsOf({ program }) {
  /** @type {Import[]} */
  const imports = [];
  /**
   * @param {Node | null | undefined} literal
   * @param {boolean} typeOnly
   */
  const add = (literal, typeOnly) => {
    if (typeof literal?.value === 'string') {
      imports.push({ specifier: literal.value, start: literal.start, typeOnly });
    }
  };
  walk(program, (node) => {
    if (node.type === 'ImportDeclaration') {
      const named = node.specifiers ?? [];
      const allTypes = named.length > 0 && named.every((/** @type {Node} */ s) => s.importKind === 'type');
      add(node.source, node.importKind === 'type' || allTypes);
    } else if (node.type === 'ExportAllDeclaration' || node.type === 'ExportNamedDeclaration') {
      add(node.source, node.exportKind === 'type');
    } else if (node.type === 'ImportExpression') add(node.source, false);
    else if (node.type === 'TSImportType') add(node.source ?? node.argument?.literal ?? node.argument, true);
    else if (node.type === 'NewExpression' && node.callee.name === 'URL' && node.arguments.length === 2) {
      if (/^\.\.?\//.test(node.arguments[0].value ?? '')) add(node.arguments[0], false);
    }
  });
  return imports;
}

/**
 * @param {string} specifier
 * @param {string[]} allowed
 */
function isPackageAllowed(specifier, allowed) {
  const parts = specifier.split('/');
  const name = specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? '');
  return allowed.some((pattern) =>
    pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern,
  );
}

/**
 * @param {Source} source
 * @param {Files} files
 * @returns {[offset: number, rule: string, text: string][]}
 */
function importBreaches(source, files) {
  const own = layerOf(source.path);
  if (own === undefined) return [[0, 'layers', 'this folder is in no layer: add it to scripts/layers.mjs']];
  const layer = /** @type {import('./layers.mjs').Layer} */ (layers[own]);
  const packages = source.isTest ? [...layer.packages, ...testPackages] : layer.packages;
  return importsOf(source).flatMap(({ specifier, start, typeOnly }) => {
    /** @type {(rule: string, text: string) => [number, string, string][]} */
    const breach = (rule, text) => [[start, rule, text]];
    if (!specifier.startsWith('.')) {
      if (!isPackageAllowed(specifier, packages)) {
        return breach('packages', `${own} may not import the package ${specifier}`);
      }
      if (!isReact.test(specifier) || typeOnly || mayUseReact.test(source.path)) return [];
      return breach('packages', 'only components (.tsx) and hooks (use*.ts) may use React');
    }
    const target = posix.join(posix.dirname(source.path), specifier.replace(/\?.*$/, ''));
    if (!files.has(target)) {
      return breach('imports', `${specifier} is not a file (write imports with their extension)`);
    }
    const other = layerOf(target);
    if (other === own) return [];
    if (other === undefined) {
      return own === 'scripts' ? [] : breach('layers', `${target} is in no layer`);
    }
    if (layer.layers.includes(other)) return [];
    if (layer.tables?.includes(other) && isTable(target)) return [];
    if (layer.types?.includes(other)) {
      if (typeOnly || source.isTest) return [];
      const allowed = layer.tables?.includes(other) ? 'types and tables of data' : 'types';
      return breach('layers', `${own} may import only ${allowed} of ${other}, not ${target}`);
    }
    return breach('layers', `${own} may not import ${other} (${specifier})`);
  });
}

/**
 * @param {Source} source
 * @returns {[offset: number, rule: string, text: string][]}
 */
function exportBreaches({ path, program }) {
  /** @type {[number, string, string][]} */
  const breaches = [];
  walk(program, (node) => {
    if (node.type === 'ExportDefaultDeclaration') {
      breaches.push([node.start, 'default-export', 'export it by name']);
    }
    if (node.type === 'TSEnumDeclaration') breaches.push([node.start, 'enum', 'use a union of literals']);
  });
  if (path === barrelAllowed) return breaches;
  const statements = program.body.filter((/** @type {Node} */ s) => s.type !== 'ImportDeclaration');
  const isForwarding = (/** @type {Node} */ s) =>
    s.type === 'ExportAllDeclaration' || (s.type === 'ExportNamedDeclaration' && s.declaration === null);
  if (statements.length > 0 && statements.every(isForwarding)) {
    breaches.push([statements[0].start, 'barrel', 'a file that only passes on what others export']);
  }
  return breaches;
}

/**
 * @param {Source} source
 * @returns {[offset: number, rule: string, text: string][]}
 */
function lengthBreaches({ path, text, program, isTest, lineOf }) {
  /** @type {[number, string, string][]} */
  const breaches = [];
  const lines = lineOf(text.trimEnd().length);
  if (lines > maxFileLines && !isTable(path)) {
    breaches.push([0, 'file-length', `${lines} lines, at most ${maxFileLines}`]);
  }
  walk(program, (node, parent) => {
    if (!/^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type)) return;
    // The body of a describe() is a list of cases, not a function to understand.
    if ((isTest || path.startsWith('e2e/')) && parent?.type === 'CallExpression') return;
    const length = lineOf(node.end) - lineOf(node.start) + 1;
    if (length > maxFunctionLines) {
      breaches.push([node.start, 'function-length', `${length} lines, at most ${maxFunctionLines}`]);
    }
  });
  return breaches;
}

/**
 * `2 ** 32`: a constant that is exact in float64 and that the build folds into a number.
 * @param {Node} node
 */
function isPowerOfTwo({ left, right }) {
  return left.value === 2 && Number.isInteger(right.value);
}

/**
 * Same configuration, same events, in Node and in every browser: nothing in the engine may depend on the
 * clock, the machine or the last bit of a transcendental function.
 * @param {Source} source
 * @returns {[offset: number, rule: string, text: string][]}
 */
function determinismBreaches({ path, program, isTest }) {
  if (layerOf(path) !== 'engine' || isTest) return [];
  /** @type {[number, string, string][]} */
  const breaches = [];
  const rule = 'determinism';
  walk(program, (node, parent) => {
    if ((node.operator === '**' || node.operator === '**=') && !isPowerOfTwo(node)) {
      breaches.push([node.start, rule, 'the ** operator differs between JavaScript engines']);
    }
    if (node.type !== 'Identifier') return;
    const isProperty = parent?.type === 'MemberExpression' && parent.property === node && !parent.computed;
    const isKey = parent?.key === node && !parent.computed && !parent.shorthand;
    if (isProperty && localeMethods.test(node.name)) {
      breaches.push([node.start, rule, `${node.name} depends on the locale`]);
    }
    if (isProperty || isKey) return;
    if (worldly.has(node.name)) breaches.push([node.start, rule, `${node.name} is outside the simulation`]);
    if (node.name === 'Math') {
      const member =
        parent?.type === 'MemberExpression' && parent.object === node ? parent.property : undefined;
      const name = parent?.computed ? undefined : member?.name;
      if (!exactMath.has(name)) {
        breaches.push([node.start, rule, `Math${name ? `.${name}` : ''} is not exact everywhere`]);
      }
    }
  });
  return breaches;
}

/**
 * @param {string} path
 * @param {string} text
 * @returns {Breach[]}
 */
function privatePathBreaches(path, text) {
  return text
    .split('\n')
    .flatMap((line, i) =>
      privatePaths
        .filter((secret) => line.includes(secret))
        .map((secret) => ({ path, line: i + 1, rule: 'private-path', text: `mentions ${secret}` })),
    );
}

/**
 * All breaches in a project, or an error when it was shown no source at all.
 * @param {Files} files
 * @returns {Breach[]}
 */
export function findBreaches(files) {
  const paths = [...files.keys()].sort();
  if (!paths.some((path) => isCode.test(path) && layerOf(path) !== undefined)) {
    throw new Error('tidy saw no source files');
  }
  return paths.flatMap((path) => {
    const text = /** @type {string} */ (files.get(path));
    const breaches = privatePathBreaches(path, text);
    if (!isCode.test(path) || !path.includes('/')) return breaches;
    const source = parse(path, text);
    const found = [
      ...importBreaches(source, files),
      ...exportBreaches(source),
      ...lengthBreaches(source),
      ...determinismBreaches(source),
    ];
    return [
      ...breaches,
      ...found.map(([offset, rule, text]) => ({ path, line: source.lineOf(offset), rule, text })),
    ];
  });
}
