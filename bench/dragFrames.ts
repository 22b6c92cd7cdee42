/**
 * Frames of the page while a slider is dragged, against those of the idle page, in the same browser and in turn. Every
 * step of a drag runs the simulation again and repaints the page.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Browser, Page } from '@playwright/test';
import { chromiumArgs, findChromium } from '../scripts/chromium.mjs';

const SCENARIOS = ['one-reader', 'back-to-back', 'boot-storm'] as const;
const TUNABLE = 'srcu_max_nodelay_phase';
const ROUNDS = 4;
const ROUND_MS = 3000;
const STEP_MS = 16;
/** The pointer goes there and back in this time. */
const SWING_MS = 3000;
/** So many moves may be on their way to a page that is busy. */
const MAX_PENDING = 4;
/** Half the width of a slider's thumb, px. */
const THUMB_PX = 7;

/**
 * Runs in the page before everything else: counts frames, changes of a slider, finished runs, and pictures, which are
 * drawings of a canvas in the document that follow a finished run.
 */
const PROBE = `{
  const counts = { frames: 0, inputs: 0, runs: 0, pictures: 0 };
  let sinceMs = performance.now();
  let isNew = false;
  window.probe = {
    take() {
      const nowMs = performance.now();
      const taken = { ...counts, ms: nowMs - sinceMs };
      for (const key in counts) counts[key] = 0;
      sinceMs = nowMs;
      return taken;
    },
  };
  const frame = () => {
    counts.frames++;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  addEventListener('input', () => counts.inputs++, true);
  window.Worker = class extends Worker {
    constructor(...args) {
      super(...args);
      this.addEventListener('message', ({ data }) => {
        if (data.type !== 'ran') return;
        counts.runs++;
        isNew = true;
      });
    }
  };
  const { drawImage } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.drawImage = function (...args) {
    if (isNew && this.canvas.isConnected) {
      isNew = false;
      counts.pictures++;
      document.documentElement.dataset.firstPictureMs ??= performance.now();
    }
    return drawImage.apply(this, args);
  };
}`;

/** What the probe has counted, and in how many ms. */
interface Taken {
  readonly frames: number;
  readonly inputs: number;
  readonly runs: number;
  readonly pictures: number;
  readonly ms: number;
}

function take(page: Page): Promise<Taken> {
  return page.evaluate('probe.take()');
}

async function idle(page: Page): Promise<Taken> {
  await take(page);
  await wait(ROUND_MS);
  return take(page);
}

async function drag(page: Page): Promise<Taken> {
  const slider = page.locator(`[data-tunable="${TUNABLE}"]`).getByRole('slider');
  await slider.scrollIntoViewIfNeeded();
  const box = await slider.boundingBox();
  if (box === null) throw new Error(`the slider of ${TUNABLE} is not on the screen`);
  const yPx = box.y + box.height / 2;
  const xPx = (share: number) => box.x + THUMB_PX + share * (box.width - 2 * THUMB_PX);
  const share = Number(await slider.inputValue()) / Number(await slider.getAttribute('max'));
  await page.mouse.move(xPx(share), yPx);
  await page.mouse.down();
  await take(page);
  const startedMs = performance.now();
  let pending = 0;
  for (let atMs = 0; atMs < ROUND_MS; atMs = performance.now() - startedMs) {
    if (pending < MAX_PENDING) {
      pending++;
      const to = 0.5 + 0.45 * Math.sin((2 * Math.PI * atMs) / SWING_MS);
      void page.mouse.move(xPx(to), yPx).finally(() => pending--);
    }
    await wait(STEP_MS);
  }
  const taken = await take(page);
  await page.mouse.up();
  await wait(500);
  return taken;
}

function perSecond(rounds: readonly Taken[], what: Exclude<keyof Taken, 'ms'>): number {
  const sum = (key: keyof Taken) => rounds.reduce((total, round) => total + round[key], 0);
  return (1000 * sum(what)) / sum('ms');
}

async function measure(browser: Browser, origin: string, scenario: string): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1600, height: 1000 } });
  await page.addInitScript({ content: PROBE });
  await page.goto(`${origin}/#v=1&sc=${scenario}`);
  await page.locator('.app[data-digest]').waitFor();
  const painted = page.locator('[data-first-picture-ms]');
  await painted.waitFor({ state: 'attached' });
  const firstMs = Number(await painted.getAttribute('data-first-picture-ms'));
  const idleRounds: Taken[] = [];
  const dragRounds: Taken[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    idleRounds.push(await idle(page));
    dragRounds.push(await drag(page));
  }
  await page.close();
  const [still, moving] = [perSecond(idleRounds, 'frames'), perSecond(dragRounds, 'frames')];
  const rate = (what: 'inputs' | 'runs' | 'pictures') => perSecond(dragRounds, what).toFixed(1);
  console.log(`${scenario}: ${TUNABLE} dragged for ${(ROUNDS * ROUND_MS) / 1000} s`);
  console.log(`  first picture         ${firstMs.toFixed(0)} ms after the page was opened`);
  console.log(`  frames a second       ${moving.toFixed(1)} dragging, ${still.toFixed(1)} idle`);
  console.log(`  share                 ${(moving / still).toFixed(2)} (at least 0.90)`);
  console.log(
    `  a second              ${rate('inputs')} changes, ${rate('runs')} re-runs, ${rate('pictures')} painted`,
  );
}

/** Builds the page, serves it, drags in it, and prints what came of it. Without a Chromium it says so. */
export async function dragFrames(): Promise<void> {
  const executablePath = findChromium();
  if (executablePath === undefined) {
    console.log('frames while dragging: not measured, there is no Chromium');
    return;
  }
  // only now: a process with these in it runs what was measured before more slowly
  const { chromium } = await import('@playwright/test');
  const { build, preview } = await import('vite');
  const outDir = await mkdtemp(join(tmpdir(), 'rcuscope-bench-'));
  try {
    await build({ logLevel: 'error', build: { outDir } });
    const server = await preview({
      logLevel: 'error',
      build: { outDir },
      preview: { host: '127.0.0.1', port: 0, strictPort: false },
    });
    const address = server.httpServer.address();
    if (address === null || typeof address === 'string') throw new Error('the page is not served');
    const browser = await chromium.launch({ executablePath, args: chromiumArgs() });
    try {
      for (const scenario of SCENARIOS) await measure(browser, `http://127.0.0.1:${address.port}`, scenario);
    } finally {
      await browser.close();
      await server.close();
    }
  } finally {
    await rm(outDir, { recursive: true, force: true });
  }
}
