import { describe, expect, it } from 'vitest';
import { createLanes, laneInfos } from './lanes.ts';
import { type Lane, MARK_CLASS, SPAN_CLASS } from './laneTypes.ts';
import { LaneDetail } from './lod.ts';
import { RCU_SAMPLES, sampleOf } from './rcuRuns.testkit.ts';
import { createRunIndex } from './runIndex.ts';
import { config, MS, reader, run, updater } from './runs.testkit.ts';

function lanesOf(simConfig: ReturnType<typeof config>): { lane: (id: string) => Lane; lanes: Lane[] } {
  const { log, info } = run(simConfig);
  const lanes = createLanes(log, createRunIndex(log, info));
  const lane = (id: string) => {
    const found = lanes.find((other) => other.id === id);
    if (found === undefined) throw new Error(`no lane ${id}`);
    return found;
  };
  return { lane, lanes };
}

/** Class, start and end in ms. */
function spansOf({ spans }: Lane): [cls: number, startMs: number, endMs: number][] {
  return Array.from({ length: spans.length }, (_, i) => [
    spans.cls[i] as number,
    (spans.startNs[i] as number) / MS,
    (spans.endNs[i] as number) / MS,
  ]);
}

function marksOf({ marks }: Lane, cls: number): number[] {
  return [...marks.timeNs].filter((_, i) => marks.cls[i] === cls).map((ns) => ns / MS);
}

describe('lanes of Tree RCU', () => {
  const looping = () => config([updater({ api: 'synchronize_rcu', start: 5 * MS, calls: 2 })], { cpus: 4 });

  it('show the kthread waiting and the phases of every call', () => {
    const { lane } = lanesOf(looping());
    // init, scan and cleanup take no time in `plain`
    expect(spansOf(lane('gp:rcu'))).toEqual([
      [SPAN_CLASS.gpFqsWait, 8, 16],
      [SPAN_CLASS.gpFqsWait, 24, 32],
    ]);
    expect(spansOf(lane('calls:rcu'))).toEqual([
      [SPAN_CLASS.callNumber, 5, 8],
      [SPAN_CLASS.callGp, 8, 16],
      [SPAN_CLASS.callCallback, 16, 20],
      [SPAN_CLASS.callNumber, 20, 24],
      [SPAN_CLASS.callGp, 24, 32],
      [SPAN_CLASS.callCallback, 32, 36],
    ]);
  });

  it('mark who learns, notes, reports, and whom the scan finds', () => {
    const { lane } = lanesOf(looping());
    const [own, other] = [lane('cpu:0'), lane('cpu:3')];
    expect(marksOf(own, MARK_CLASS.rcuLearn)).toEqual([8, 24]);
    expect(marksOf(own, MARK_CLASS.rcuNote)).toEqual([8, 24]);
    expect(marksOf(own, MARK_CLASS.rcuReport)).toEqual([12, 28]);
    expect(marksOf(own, MARK_CLASS.rcuFound)).toEqual([]);
    expect(marksOf(other, MARK_CLASS.rcuFound)).toEqual([16, 32]);
    expect(marksOf(other, MARK_CLASS.rcuReport)).toEqual([]);
    // idle from beginning to end
    expect(spansOf(other)).toEqual([[SPAN_CLASS.eqs, 0, 36]]);
  });

  it('show readers, softirq and idle time of a machine with a scheduler', () => {
    const { lane } = lanesOf(sampleOf('readers'));
    const classes = new Set(lane('cpu:1').spans.cls);
    for (const cls of [SPAN_CLASS.reader, SPAN_CLASS.readerOff, SPAN_CLASS.rcuCore])
      expect(classes).toContain(cls);
    expect(new Set(lane('cpu:0').spans.cls)).toContain(SPAN_CLASS.kthread);
    expect(marksOf(lane('cpu:1'), MARK_CLASS.preempted).length).toBeGreaterThan(0);
    const gp = new Set(lane('gp:rcu').spans.cls);
    for (const cls of [SPAN_CLASS.gpInit, SPAN_CLASS.gpFqsWait, SPAN_CLASS.gpFqsScan, SPAN_CLASS.gpCleanup])
      expect(gp).toContain(cls);
  });

  it('put the CPUs of a large machine behind their leaves, and count who owes there', () => {
    const { lane, lanes } = lanesOf(
      config(
        [
          updater({ api: 'synchronize_rcu', start: 5 * MS, calls: 2 }),
          reader({ domain: 'rcu', cpu: 1, hold: 30 * MS }),
        ],
        { cpus: 64 },
      ),
    );
    expect(lanes.filter(({ kind }) => kind === 'leaf').map(({ id, name }) => [id, name])).toEqual([
      ['leaf:1', 'CPUs 0–15'],
      ['leaf:2', 'CPUs 16–31'],
      ['leaf:3', 'CPUs 32–47'],
      ['leaf:4', 'CPUs 48–63'],
    ]);
    expect(lanes.findIndex(({ id }) => id === 'leaf:2')).toBe(
      lanes.findIndex(({ id }) => id === 'cpu:16') - 1,
    );
    expect(spansOf(lane('leaf:4')).slice(0, 1)).toEqual([[SPAN_CLASS.owedAll, 8, 16]]);
    // all but the reader's CPU are found by the first scan; it is not
    const first = lane('leaf:1').spans;
    expect([...first.value].slice(0, 3)).toEqual([16, 15, 1]);
    expect(first.cls[2]).toBe(SPAN_CLASS.owedQuarter);
  });

  for (const [name, sample] of Object.entries(RCU_SAMPLES)) {
    it(`are inside the run, and what is shown densely is covered at most once: ${name}`, () => {
      const { log, info } = run(sample());
      const index = createRunIndex(log, info);
      const lanes = createLanes(log, index);
      expect(lanes.map(({ id }) => id)).toEqual(laneInfos(info).map(({ id }) => id));
      for (const lane of lanes) {
        const { spans } = lane;
        let last = 0;
        for (let i = 0; i < spans.length; i++) {
          const [start, end] = [spans.startNs[i] as number, spans.endNs[i] as number];
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(index.endNs);
          last = start;
        }
        const view = new LaneDetail(lane, index.endNs).view(0, index.endNs, 50);
        if (view.mode === 'coverage')
          expect(view.coverage.every((share) => share >= 0 && share <= 1)).toBe(true);
      }
    });
  }
});
