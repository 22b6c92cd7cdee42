import { describe, expect, test } from 'vitest';
import { config, MS, reader, updater } from '../analysis/runs.testkit.ts';
import { stateAt } from '../analysis/stateAt.ts';
import { logDigest } from '../engine/core/digest.ts';
import { createRun } from '../engine/run.ts';
import { EngineLoop } from './engineLoop.ts';
import type { FromWorker, Request, RunOrder, ToWorker } from './protocol.ts';

/** A loop whose messages are kept; its clock advances 5 ms per look. */
function createLoop() {
  const posted: FromWorker[] = [];
  let nowMs = 0;
  const loop = new EngineLoop({
    createRun,
    post: (message, transfer) =>
      posted.push(structuredClone(message, { transfer: transfer as ArrayBuffer[] })),
    now: () => {
      nowMs += 5;
      return nowMs;
    },
  });
  const finish = () => {
    while (loop.isBusy) loop.slice();
    return posted.splice(0);
  };
  const ask = (request: Request) => {
    loop.receive({ type: 'ask', id: 99, request });
    while (posted.length === 0 && loop.isBusy) loop.slice();
    return posted.splice(0)[0];
  };
  return { loop, posted, finish, ask };
}

const answerOf = (message: FromWorker | undefined) => (message?.type === 'answer' ? message.value : message);

const order = (id: number, keys: Partial<RunOrder> = {}): ToWorker => ({
  type: 'run',
  id,
  config: config([reader({ hold: 12 * MS, idle: MS }), updater({ calls: 20, gap: MS })]),
  view: { fit: 'run', widthPx: 800 },
  rows: { at: 'firstSleep' },
  ...keys,
});

describe('engine loop', () => {
  test('answers a run with summary, window and rows around the first grace period that sleeps', () => {
    const { loop, finish } = createLoop();
    loop.receive(order(1));
    const ran = finish().find((message) => message.type === 'ran');
    if (ran?.type !== 'ran') throw new Error('no answer');
    const { summary, view, rows } = ran;
    expect(ran.id).toBe(1);
    expect(summary.series[0]?.stats.n).toBe(20);
    expect(view.map((lane) => lane.id)).toEqual(summary.lanes.map((lane) => lane.id));
    expect(summary.headline.firstSleepingGp).toBeGreaterThanOrEqual(0);
    expect(rows.cursor.row).toBe(summary.headline.firstSleepingRow);
    const state = stateAt(rows.window, rows.checkpoint, rows.cursor, summary.info);
    expect(state.domains[0]).toMatchObject({ phase: 'SCAN1', gpStartNs: summary.headline.firstSleepingNs });
  });

  test('opens at the first grace period that sleeps, all of it or a stretch around its start', () => {
    const { loop, finish } = createLoop();
    const windowOf = (spanNs?: number) => {
      const span = spanNs === undefined ? {} : { spanNs };
      loop.receive(order(1, { view: { fit: 'firstSleep', widthPx: 800, ...span } }));
      const ran = finish().find((message) => message.type === 'ran');
      const lane = ran?.type === 'ran' ? ran.view[0] : undefined;
      if (ran?.type !== 'ran' || lane === undefined) throw new Error('no answer');
      return { ...lane, startNs: ran.summary.headline.firstSleepingNs };
    };
    const whole = windowOf();
    expect(whole.t1Ns - whole.t0Ns).toBeGreaterThan(MS);
    const near = windowOf(30_000);
    expect(near.t1Ns - near.t0Ns).toBe(30_000);
    for (const { t0Ns, t1Ns, startNs } of [whole, near]) {
      expect(startNs).toBeGreaterThan(t0Ns);
      expect(startNs).toBeLessThan(t1Ns);
    }
  });

  test('explains with the run what was asked for, as far as the run has it', () => {
    const { loop, finish, ask } = createLoop();
    const ran = (keys: Partial<RunOrder>) => {
      loop.receive(order(1, keys));
      const message = finish().find(({ type }) => type === 'ran');
      if (message?.type !== 'ran') throw new Error('no answer');
      return message;
    };
    const first = ran({ explain: 'firstSleep', range: { t0Ns: 0, t1Ns: 30 * MS } });
    expect(first.explained?.why).toMatchObject({ of: 'gp', index: first.summary.headline.firstSleepingGp });
    expect(first.rangeStats).toEqual(answerOf(ask({ type: 'selection', t0Ns: 0, t1Ns: 30 * MS })));
    const third = ran({ explain: { of: 'gp', index: 2 } });
    expect(third.explained?.why).toEqual(answerOf(ask({ type: 'why', target: { of: 'gp', index: 2 } })));
    expect([third.explained?.gp]).toEqual(answerOf(ask({ type: 'gps', first: 2, count: 1 })));
    expect(ran({ explain: { of: 'call', index: 4 } }).explained).toMatchObject({ why: { of: 'call' } });
    expect(ran({ explain: { of: 'gp', index: 77 } }).explained).toBeUndefined();
    expect(ran({})).toMatchObject({ explained: undefined, rangeStats: undefined });
  });

  test('a newer run cancels the one under way', () => {
    const { loop, finish } = createLoop();
    loop.receive(order(1));
    loop.receive(order(2));
    const messages = finish();
    expect(messages[0]).toEqual({ type: 'cancelled', id: 1 });
    expect(messages.filter((message) => message.type === 'ran').map((message) => message.id)).toEqual([2]);
  });

  test('only the run under way can be cancelled', () => {
    const { loop, finish } = createLoop();
    loop.receive(order(1));
    loop.receive({ type: 'cancel', id: 7 });
    expect(loop.isBusy).toBe(true);
    loop.receive({ type: 'cancel', id: 1 });
    expect(finish()).toEqual([{ type: 'cancelled', id: 1 }]);
  });

  test('long runs report their progress', () => {
    const { loop, finish } = createLoop();
    loop.receive(order(1, { config: config([reader({ idle: MS }), updater({ calls: 20_000, gap: MS })]) }));
    const progress = finish().filter((message) => message.type === 'progress');
    expect(progress.length).toBeGreaterThan(0);
    expect(progress[0]).toMatchObject({ id: 1 });
  });

  test('after a long run its log is read in pieces: progress goes on, and it can still be cancelled', () => {
    const { loop, posted, finish } = createLoop();
    const long = { config: config([reader({ idle: MS }), updater({ calls: 40_000, gap: MS })]) };
    loop.receive(order(1, long));
    const read = finish().flatMap((message) => (message.type === 'progress' ? [message.read] : []));
    const shares = read.filter((share) => share !== undefined);
    expect(shares.length).toBeGreaterThan(0);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    loop.receive(order(2, long));
    const isReading = () =>
      posted.some((message) => message.type === 'progress' && message.read !== undefined);
    while (loop.isBusy && !isReading()) loop.slice();
    loop.receive({ type: 'cancel', id: 2 });
    expect(loop.isBusy).toBe(false);
    expect(posted.at(-1)).toEqual({ type: 'cancelled', id: 2 });
  });

  test('a limit ends the run with its message, and everything so far can be looked at', () => {
    const { loop, finish, ask } = createLoop();
    loop.receive(order(1, { limits: { maxEvents: 100 } }));
    const ran = finish()[0];
    if (ran?.type !== 'ran') throw new Error('no answer');
    expect(ran.summary.message).toMatch(/stopped at 10\d events/);
    expect(ran.summary.rows).toBeGreaterThanOrEqual(100);
    expect(ask({ type: 'view', view: { t0Ns: 0, t1Ns: MS, widthPx: 10 } })?.type).toBe('answer');
  });

  test('all questions have answers', () => {
    const { loop, finish, ask } = createLoop();
    loop.receive(order(1));
    finish();
    const engine = createRun((order(1) as Extract<ToWorker, { type: 'run' }>).config);
    while (engine.advance(1000).state === 'running');
    const value = (request: Request) => answerOf(ask(request));
    expect(value({ type: 'digest' })).toBe(logDigest(engine.log));
    expect(value({ type: 'gps', first: 0, count: 3 })).toHaveLength(3);
    const slowest = value({ type: 'gps', first: 0, count: 20, order: 'slowest' }) as {
      startNs: number;
      endNs: number;
    }[];
    const durations = slowest.map((gp) => gp.endNs - gp.startNs);
    expect(durations).toEqual(durations.toSorted((x, y) => y - x));
    expect(new Set(durations).size).toBeGreaterThan(1);
    expect(value({ type: 'why', target: { of: 'gp', index: 2 } })).toMatchObject({
      of: 'gp',
      index: 2,
      finished: true,
    });
    expect(value({ type: 'why', target: { of: 'row', row: 5 } })).toMatchObject({ of: 'gp' });
    expect(value({ type: 'selection', t0Ns: 0, t1Ns: 1e12 })).toMatchObject({
      gracePeriods: [{ flavor: 0, stats: { n: 20 } }],
    });
    const start = { row: -1, timeNs: 0 };
    const gp = value({ type: 'step', from: start, step: { to: 'gp', direction: 1 } });
    expect(value({ type: 'step', from: gp as never, step: { to: 'gp', direction: -1 } })).toBeUndefined();
    expect(value({ type: 'step', from: start, step: { to: 'row', direction: 1 } })).toEqual({
      row: 0,
      timeNs: 0,
    });
    expect(value({ type: 'rows', rows: { at: { timeNs: 3 * MS + 0.5 }, rows: 10 } })).toMatchObject({
      cursor: { timeNs: 3 * MS + 0.5 },
    });
  });

  test.each<[string, Request]>([
    ['no lane cpu:9', { type: 'view', view: { t0Ns: 0, t1Ns: 1, widthPx: 1, lanes: ['cpu:9'] } }],
    ['must be greater than t0Ns 5', { type: 'view', view: { t0Ns: 5, t1Ns: 5, widthPx: 1 } }],
    ['widthPx 0 must be at least 1', { type: 'view', view: { t0Ns: 0, t1Ns: 5, widthPx: 0 } }],
    ['row 1000000 must be -1 to', { type: 'rows', rows: { at: { row: 1e6 } } }],
    ['timeNs NaN must be a number', { type: 'rows', rows: { at: { timeNs: Number.NaN } } }],
    ['no grace period 77', { type: 'why', target: { of: 'gp', index: 77 } }],
    ['no row -4', { type: 'why', target: { of: 'row', row: -4 } }],
  ])('faults come as messages: %s', (text, request) => {
    const { loop, finish, ask } = createLoop();
    loop.receive(order(1));
    finish();
    expect(ask(request)).toMatchObject({ type: 'error', id: 99, message: expect.stringContaining(text) });
  });

  describe('of a long log', () => {
    const long: Partial<RunOrder> = { config: config([updater({ calls: 12_000, gap: 20_000 })]) };
    const digest: ToWorker = { type: 'ask', id: 5, request: { type: 'digest' } };
    const rowsOf = (messages: readonly FromWorker[]) => {
      const ran = messages.find((message) => message.type === 'ran');
      if (ran?.type !== 'ran') throw new Error('no answer');
      expect(ran.summary.rows).toBeGreaterThan(3 * 2 ** 16);
      return ran.summary.rows;
    };

    test('answers come in slices, and those to shorter questions in between', () => {
      const { loop, finish, posted } = createLoop();
      loop.receive(order(1, long));
      const last = rowsOf(finish()) - 1;
      loop.receive(digest);
      expect([posted.length, loop.isBusy]).toEqual([0, true]);
      loop.receive({ type: 'ask', id: 6, request: { type: 'rows', rows: { at: { row: last } } } });
      loop.receive({ type: 'ask', id: 7, request: { type: 'gps', first: 0, count: 1 } });
      expect(posted.map(({ id }) => id)).toEqual([7]);
      const answers = finish();
      expect(answers.map(({ id }) => id)).toEqual([7, 6, 5]);
      expect(answerOf(answers[1])).toMatchObject({ cursor: { row: last } });
      expect(answerOf(answers[2])).toMatch(/^[0-9a-f]{8}$/);
      expect(loop.isBusy).toBe(false);
    });

    test('a new run drops a digest that is not done', () => {
      const { loop, finish } = createLoop();
      loop.receive(order(1, long));
      finish();
      loop.receive(digest);
      loop.receive(order(2));
      const messages = finish();
      expect(messages[0]).toEqual({ type: 'cancelled', id: 5 });
      expect(messages.at(-1)).toMatchObject({ type: 'ran', id: 2 });
    });

    test('a cancel is heard while the state at a late cursor is made', () => {
      const { loop, posted } = createLoop();
      loop.receive(order(1, { ...long, rows: { at: { timeNs: 1e15 } } }));
      const share = () =>
        posted.reduce(
          (most, message) => Math.max(most, (message.type === 'progress' && message.read) || 0),
          0,
        );
      while (loop.isBusy && share() < 0.87) loop.slice();
      expect(share()).toBeGreaterThan(0.85);
      loop.receive({ type: 'cancel', id: 1 });
      expect(posted.at(-1)).toEqual({ type: 'cancelled', id: 1 });
      expect(loop.isBusy).toBe(false);
    });
  });

  test('a question before any run, and a configuration that cannot run, are faults too', () => {
    const { loop, ask, posted } = createLoop();
    expect(ask({ type: 'digest' })).toMatchObject({
      type: 'error',
      message: 'digest: no run has finished yet',
    });
    const bad = { ...config([updater()]), kernel: 'v0.1' as never };
    loop.receive(order(3, { config: bad }));
    expect(posted[0]).toMatchObject({ type: 'error', id: 3 });
    expect(loop.isBusy).toBe(false);
  });
});
