import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureChromium } from './chromium.mjs';
import { root } from './cliBuild.mjs';
import { ensureInstalled } from './install.mjs';
import { lastLine, sumTallies, tallyPlaywright, tallyStep, tallyVitest } from './testReport.mjs';

/**
 * `npm test`: sets up what is missing, runs every check there is, and ends with the line "N passed, N failed".
 * All steps run, also after a failure, so that one run shows everything that is wrong.
 *
 * @typedef {object} Step
 * @property {string} name
 * @property {string[]} command run by Node
 * @property {string} [needs] a path without which there is nothing to run yet
 * @property {(report: any) => import('./testReport.mjs').Tally} [tally] for a test runner: reads its report
 */

/** Against a step that hangs, not against a machine that is slow or shared. */
const stepLimitMs = 20 * 60_000;
/** For what it has started itself. */
const stopGraceMs = 10_000;
const reports = join(root, 'node_modules/.cache/rcuscope-test');
/** @param {string} name */
const reportPath = (name) => join(reports, `${name}.json`);
/** @param {string} path */
const bin = (path) => join(root, 'node_modules', path);
const tsc = bin('typescript/bin/tsc');
const vite = bin('vite/bin/vite.js');

/** @type {Step[]} */
const steps = [
  { name: 'lint', command: [bin('@biomejs/biome/bin/biome'), 'ci', '--colors=off', '.'] },
  { name: 'types', command: [tsc, '-p', 'tsconfig.json'] },
  { name: 'types of the engine', command: [tsc, '-p', 'tsconfig.engine.json'] },
  { name: 'types of the page', command: [tsc, '-p', 'tsconfig.page.json'] },
  { name: 'types of the commands', command: [tsc, '-p', 'tsconfig.node.json'] },
  { name: 'tidy', command: ['scripts/tidy.mjs'] },
  { name: 'knip', command: [bin('knip/bin/knip.js'), '--no-progress'] },
  {
    name: 'unit',
    command: [bin('vitest/vitest.mjs'), 'run', '--no-color', '--reporter=default', '--reporter=json'].concat(
      `--outputFile.json=${reportPath('unit')}`,
    ),
    tally: tallyVitest,
  },
  { name: 'oracle', command: ['scripts/oracle.mjs', '--check'], needs: 'cli/oracle.ts' },
  { name: 'build', command: [vite, 'build', '--logLevel', 'warn'] },
  { name: 'size', command: [bin('size-limit/bin.js')] },
  {
    name: 'e2e',
    command: [bin('@playwright/test/cli.js'), 'test', '--reporter=line,json'],
    tally: tallyPlaywright,
  },
];

/**
 * @param {Step} step
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<{ exitCode: number | null, output: string }>}
 */
function run({ name, command }, env) {
  return new Promise((resolve) => {
    // Its own process group, so that a step that hangs goes with everything it started.
    const child = spawn(process.execPath, command, {
      cwd: root,
      env: { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: reportPath(name) },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8');
      stream.on('data', (text) => {
        output += text;
      });
    }
    /** @param {NodeJS.Signals} signal */
    const send = (signal) => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, signal);
      } catch {
        // It has ended meanwhile.
      }
    };
    // Asked first: Playwright's web server is in a group of its own, and would stay.
    const stop = () => {
      send('SIGINT');
      setTimeout(() => send('SIGKILL'), stopGraceMs).unref();
    };
    const timer = setTimeout(() => {
      output += `\nstopped after ${stepLimitMs / 60_000} minutes\n`;
      stop();
    }, stepLimitMs);
    const interrupt = () => {
      child.on('close', () => process.exit(130));
      stop();
    };
    process.once('SIGINT', interrupt);
    child.on('error', (error) => {
      output += error.message;
    });
    child.on('close', (exitCode) => {
      clearTimeout(timer);
      process.off('SIGINT', interrupt);
      resolve({ exitCode, output });
    });
  });
}

/** @param {string} name */
function readReport(name) {
  try {
    return JSON.parse(readFileSync(reportPath(name), 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * @param {Step} step
 * @param {NodeJS.ProcessEnv} env
 */
async function runStep(step, env) {
  const startedMs = performance.now();
  const { exitCode, output } = await run(step, env);
  const report = step.tally && readReport(step.name);
  const tally = tallyStep(exitCode, report && step.tally?.(report), step.tally !== undefined);
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  const outcome = tally.failed > 0 ? 'FAILED' : 'ok';
  const counts = step.tally ? `  (${lastLine(tally)})` : '';
  console.log(`${step.name.padEnd(22)} ${seconds.padStart(6)} s  ${outcome}${counts}`);
  if (tally.failed > 0) console.log(output.trimEnd().replace(/^/gm, '  | '));
  return tally;
}

async function setUp() {
  await ensureInstalled(root, console.log);
  rmSync(reports, { recursive: true, force: true });
  mkdirSync(reports, { recursive: true });
  const { NO_COLOR: _, FORCE_COLOR: __, ...env } = process.env; // both set draw a warning from every child
  const chromium = ensureChromium(console.log);
  if (chromium === undefined) {
    console.log(
      'no Chromium: set CHROMIUM_PATH, or install the package "chromium"; the page tests will fail',
    );
  }
  return { ...env, ...(chromium === undefined ? {} : { CHROMIUM_PATH: chromium }) };
}

const env = await setUp();
const tallies = [];
for (const step of steps) {
  if (step.needs === undefined || existsSync(join(root, step.needs))) tallies.push(await runStep(step, env));
}
const sum = sumTallies(tallies);
process.exitCode = sum.failed > 0 || sum.passed === 0 ? 1 : 0;
console.log(lastLine(sum));
