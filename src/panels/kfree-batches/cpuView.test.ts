import { describe, expect, it } from 'vitest';
import type { KrwAt, KvfreeReclaimAt } from '../../analysis/kvfreeStateTypes.ts';
import { makeInfo, typed } from '../panelData.testkit.ts';
import { cpuView } from './cpuView.ts';
import { EMPTY_LIST, makeBatch, makeKrc, makeKvfreeState, makeList, makeUnit } from './state.testkit.ts';

const info = makeInfo('v6.12');
const empty: KrwAt = { index: 1, state: 'empty', batch: undefined, reclaim: undefined };

function viewOf(changes: Parameters<typeof makeKrc>[0]) {
  const view = cpuView(makeKvfreeState([makeKrc(changes)]), info, 0);
  if (view === undefined) throw new Error('no CPU 0');
  return view;
}

const facts = (list: readonly { name: string; text: string }[]) =>
  list.map(({ name, text }) => typed(`${name}: ${text}`));

describe('a CPU', () => {
  it('is there once something was queued on it', () => {
    expect(cpuView(makeKvfreeState([makeKrc()]), info, 1)).toBeUndefined();
  });

  it('shows blocks newest first, how full they are, and counts older ones', () => {
    const open = makeUnit({ id: 9, count: 169, bytes: 169 * 256, isOpen: true, isFull: false });
    const run = makeUnit({ id: 8, channel: 2, capacity: 0, count: 6, bytes: 6 * 256 });
    const bulk = makeList([open, makeUnit()], 3);
    const channels = { bulk, vmalloc: EMPTY_LIST, head: makeList([run]) };
    const view = viewOf({ channels, objects: 2203, bytes: 2203 * 256 });
    expect(typed(view.queueCount)).toBe('2 203 objects, 564 kB');
    expect(view.queue.map(({ title, older }) => [title, older])).toEqual([
      ['blocks', 3],
      ['head list', 0],
    ]);
    const [first, second] = view.queue[0]?.cells ?? [];
    expect(first).toMatchObject({ id: 9, fill: 1 / 3, look: 'block', isOpen: true });
    expect(typed(first?.text ?? '')).toBe(
      'block 9: 169 of 507 records, 43.3 kB, begun 2 ms ago by reader/0, takes objects',
    );
    expect(second).toMatchObject({ id: 7, fill: 1, isOpen: false });
    expect(view.queue[1]?.cells[0]).toMatchObject({ id: 8, fill: 1, look: 'run' });
  });

  it.each([
    [makeBatch(), 'attached 1 ms ago, grace period -300 runs'],
    [makeBatch({ isGpRunning: false }), 'attached 1 ms ago, grace period -300 has yet to start'],
    [
      makeBatch({ gpSeq: Number.NaN, gpNumber: Number.NaN }),
      'attached 1 ms ago, its callback on CPU 0 has no number yet',
    ],
    [makeBatch({ state: 'gpOver' }), 'attached 1 ms ago, its grace period is over, its callback is next'],
    [makeBatch({ state: 'queued', sinceNs: 9_990_000 }), 'attached 1 ms ago, work queued for 10 µs'],
  ])('says what a batch waits for: %#', (batch, text) => {
    const { batches } = viewOf({ krw: [{ index: 0, state: batch.state, batch, reclaim: undefined }, empty] });
    expect(batches.map(({ title, count }) => typed(`${title}, ${count}`))).toEqual([
      'krw_arr[0], 507 objects, 130 kB',
      'krw_arr[1], free',
    ]);
    expect(batches[0]?.sentences.map((sentence) => typed(sentence.text))).toEqual([`batch 3: ${text}`]);
  });

  it('shows what is being freed beside a batch that has come meanwhile', () => {
    const unit = makeUnit({ id: 2 });
    const reclaim: KvfreeReclaimAt = {
      ...{
        number: 1,
        row: 95,
        sinceNs: 9_900_000,
        worker: 4,
        cpu: 2,
        units: 3,
        objects: 1521,
        bytes: 389_376,
      },
      inHand: { unit, sinceNs: 9_990_000, lengthNs: 40_000, done: 0.25 },
      waitsForGp: false,
    };
    const { batches } = viewOf({ krw: [{ index: 0, state: 'waiting', batch: makeBatch(), reclaim }, empty] });
    expect(batches[0]?.sentences.map(({ text, row }) => [typed(text), row])).toEqual([
      ['batch 1: updater/0 has had it for 100 µs, frees on CPU 2', 95],
      ['batch 3: attached 1 ms ago, grace period -300 runs', 90],
    ]);
    const [freeing, waiting] = batches[0]?.lanes ?? [];
    expect(freeing).toMatchObject({ title: 'in hand', older: 2 });
    expect(freeing?.cells[0]).toMatchObject({ id: 2, fill: 0.75 });
    expect(waiting?.cells[0]?.id).toBe(7);
  });

  it('counts down in jiffies, and says what went without waiting', () => {
    expect(facts(viewOf({}).now)).toEqual([
      'monitor: in 3 jiffies (12 ms), delay 5 jiffies',
      'page cache: 4 of 5 blocks',
    ]);
    expect(facts(viewOf({ freed: 1200 }).sofar)).toEqual([
      'freed: 1 200 objects',
      'without waiting: none: no snapshot had elapsed',
    ]);
    const sofar = viewOf({
      freed: 1200,
      freedWithoutWaiting: 1014,
      blocksWithoutWaiting: 2,
      leaked: 5,
    }).sofar;
    expect(facts(sofar)).toEqual([
      'freed: 1 200 objects',
      'without waiting: 1 014 objects in 2 blocks: snapshot already elapsed',
      'leaked: 5 objects',
    ]);
  });

  it('of an older kernel has neither snapshots nor, up to 5.5, batches', () => {
    const state = makeKvfreeState([makeKrc()]);
    const old = cpuView(state, makeInfo('v6.1'), 0);
    expect(old?.sofar.map(({ name }) => name)).toEqual(['freed']);
    const none = cpuView({ ...state, isBatching: false, records: 0 }, makeInfo('v5.4'), 0);
    expect([none?.batches, none?.now]).toEqual([[], []]);
  });
});
