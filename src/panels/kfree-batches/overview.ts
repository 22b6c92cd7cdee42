/** All CPUs at once: how much each has on its channels and in its two batches, in cells of one size. */
import type { KrcAt, KrwAt, KvfreeMonitorAt, KvfreeStateAt } from '../../analysis/kvfreeStateTypes.ts';
import { formatBytes, formatCount, plural } from '../format.ts';

/** Cells of a lane. */
export const LANE_CELLS = 8;
/** CPUs that are drawn; more are counted. */
export const MAX_CPUS = 256;

/** A sign for the state of a batch, told in the legend. */
export type BatchSign = '' | 'w' | 'g' | 'q' | 'f';

/** Channels or a batch of a CPU as a row of cells. */
export interface LaneView {
  readonly id: 'queue' | 'krw0' | 'krw1';
  /** Filled share of the row, 0..1. */
  readonly fill: number;
  readonly sign: BatchSign;
}

/** A CPU. */
export interface CpuCell {
  readonly cpu: number;
  readonly lanes: readonly LaneView[];
  /** Countdown of the monitor ("3 j": jiffies), or what it does; empty: idle. */
  readonly monitor: string;
  /** All of it, for screen readers and tooltip. */
  readonly text: string;
}

/** A part of the memory in use. */
export interface MemoryPart {
  readonly id: 'queued' | 'waiting' | 'freeing' | 'blocks' | 'retained' | 'leaked';
  readonly name: string;
  readonly bytes: number;
  readonly text: string;
}

export interface OverviewView {
  readonly summary: string;
  readonly cells: readonly CpuCell[];
  readonly moreCpus: number;
  /** What one cell stands for. */
  readonly scaleText: string;
  readonly memoryText: string;
  readonly memory: readonly MemoryPart[];
  /** Undefined: nothing was. */
  readonly withoutWaiting: string | undefined;
}

/** The next of 1, 2, 5, 10, 20, 50, ... that is not below `least`. */
function niceStep(least: number): number {
  let power = 1;
  while (10 * power < least) power *= 10;
  return [1, 2, 5, 10].map((digit) => digit * power).find((step) => step >= least) ?? 10 * power;
}

/** Objects that a cell stands for, so that `most` fit into a lane: a part of a block, a block, or several. */
export function objectsPerCell(most: number, records: number): number {
  const least = most / LANE_CELLS;
  if (records === 0 || least > records) return Math.max(1, records) * niceStep(least / Math.max(1, records));
  return Math.min(records, niceStep(least));
}

/** Objects of a batch and of the one before it that is still being freed. */
export function krwObjects({ batch, reclaim }: KrwAt): number {
  return (batch?.objects ?? 0) + (reclaim?.objects ?? 0);
}

const SIGNS: Readonly<Record<KrwAt['state'], BatchSign>> = {
  empty: '',
  waiting: 'w',
  gpOver: 'g',
  queued: 'q',
  freeing: 'f',
};

/** What the signs mean, in the order in which a batch goes through them. */
export const SIGN_TEXTS: readonly (readonly [BatchSign, string])[] = [
  ['w', 'waits for a grace period'],
  ['g', 'it is over'],
  ['q', 'work queued'],
  ['f', 'being freed'],
];

const STATE_WORDS: Readonly<Record<KrwAt['state'], string>> = {
  empty: 'empty',
  waiting: 'waits for a grace period',
  gpOver: 'grace period over',
  queued: 'work queued',
  freeing: 'being freed',
};

function monitorShort({ state, leftJiffies }: KvfreeMonitorAt): string {
  if (state === 'armed') return `${formatCount(leftJiffies)}\u202fj`;
  return state === 'idle' ? '' : state;
}

function monitorWords({ state, leftJiffies }: KvfreeMonitorAt): string {
  if (state === 'armed') return `monitor in ${plural(leftJiffies, 'jiffy', 'jiffies')}`;
  return `monitor ${state}`;
}

function cellOf(krc: KrcAt, perCell: number): CpuCell {
  const fillOf = (objects: number) => Math.min(1, objects / (perCell * LANE_CELLS));
  const batches = krc.krw.map(
    (krw) => `batch ${krw.index} ${STATE_WORDS[krw.state]}, ${formatCount(krwObjects(krw))}`,
  );
  return {
    cpu: krc.cpu,
    lanes: [
      { id: 'queue', fill: fillOf(krc.objects), sign: '' },
      ...krc.krw.map((krw) => ({
        id: krw.index === 0 ? ('krw0' as const) : ('krw1' as const),
        fill: fillOf(krwObjects(krw)),
        sign: SIGNS[krw.state],
      })),
    ],
    monitor: monitorShort(krc.monitor),
    text: [
      `CPU ${krc.cpu}: ${plural(krc.objects, 'object')} queued`,
      ...batches,
      monitorWords(krc.monitor),
    ].join('; '),
  };
}

function scaleText(perCell: number, records: number): string {
  if (records === 0 || perCell < records) return plural(perCell, 'object');
  const blocks = perCell / records;
  return blocks === 1
    ? `a block of ${formatCount(records)}`
    : `${formatCount(blocks)} blocks of ${formatCount(records)}`;
}

const PARTS: readonly (readonly [MemoryPart['id'], string])[] = [
  ['queued', 'queued'],
  ['waiting', 'waiting'],
  ['freeing', 'being freed'],
  ['blocks', 'pages of blocks'],
  ['retained', 'retained by the allocator'],
  ['leaked', 'leaked'],
];

function memoryParts({ memory }: KvfreeStateAt): readonly MemoryPart[] {
  return PARTS.map(([id, name]) => ({ id, name, bytes: memory[id], text: formatBytes(memory[id]) })).filter(
    ({ bytes }) => bytes > 0,
  );
}

function summaryOf({ queued, waiting, freeing, krcs, isBatching }: KvfreeStateAt): string {
  if (queued + waiting + freeing === 0) return 'nothing waits to be freed';
  const cpus = ` on ${plural(krcs.length, 'CPU')}`;
  if (!isBatching) return `${plural(waiting, 'object')} wait as callbacks of their own${cpus}`;
  const parts = [
    `${plural(queued, 'object')} queued`,
    `${formatCount(waiting)} waiting`,
    `${formatCount(freeing)} being freed`,
  ];
  return parts.join(', ') + cpus;
}

/** What the overview shows of `state`. */
export function overviewView(state: KvfreeStateAt): OverviewView {
  const { krcs, records, freedWithoutWaiting } = state;
  const most = krcs.reduce((max, krc) => Math.max(max, krc.objects, ...krc.krw.map(krwObjects)), 1);
  const perCell = objectsPerCell(most, records);
  return {
    summary: summaryOf(state),
    cells: krcs.slice(0, MAX_CPUS).map((krc) => cellOf(krc, perCell)),
    moreCpus: Math.max(0, krcs.length - MAX_CPUS),
    scaleText: scaleText(perCell, records),
    memoryText: formatBytes(state.memory.total),
    memory: memoryParts(state),
    withoutWaiting:
      freedWithoutWaiting === 0
        ? undefined
        : `${plural(freedWithoutWaiting, 'object')} freed without waiting: snapshot already elapsed`,
  };
}
