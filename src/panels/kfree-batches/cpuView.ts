/** One CPU in full: its channels, its two batches, monitor and page cache, in words and cells. */
import type {
  KrcAt,
  KrwAt,
  KvfreeBatchAt,
  KvfreeCacheAt,
  KvfreeChannelsAt,
  KvfreeListAt,
  KvfreeMonitorAt,
  KvfreeReclaimAt,
  KvfreeStateAt,
  KvfreeUnitAt,
} from '../../analysis/kvfreeStateTypes.ts';
import type { RunInfo } from '../../engine/core/info.ts';
import { formatBytes, formatCount, formatDuration, formatSeq, plural } from '../format.ts';

/** Units of a list that are drawn; older ones are counted. */
const MAX_UNITS = 8;

/** A block, or a run of objects on the head channel. */
export interface UnitCell {
  readonly id: number;
  /** Filled share, 0..1; a run has no limit and is always full. */
  readonly fill: number;
  readonly look: 'block' | 'run';
  readonly isOpen: boolean;
  readonly text: string;
}

/** The units of one channel, newest first. */
export interface UnitLane {
  readonly key: string;
  readonly title: string;
  readonly count: string;
  readonly cells: readonly UnitCell[];
  readonly older: number;
}

/** krw_arr[index]. */
export interface KrwView {
  readonly key: string;
  readonly title: string;
  readonly count: string;
  readonly tone: 'gp' | 'sleep' | 'quiet' | 'memory';
  /** What each of its parts waits for or does: the batch being freed, the one that waits. */
  readonly sentences: readonly { readonly key: string; readonly text: string; readonly row: number }[];
  readonly lanes: readonly UnitLane[];
}

export interface CpuView {
  readonly cpu: number;
  readonly title: string;
  /** Empty where nothing is queued. */
  readonly queue: readonly UnitLane[];
  readonly queueCount: string;
  /** None in kernels without batches. */
  readonly batches: readonly KrwView[];
  /** Monitor and page cache; what has been freed so far. */
  readonly now: readonly Fact[];
  readonly sofar: readonly Fact[];
}

interface Fact {
  readonly name: string;
  readonly text: string;
}

const CHANNELS = ['bulk', 'vmalloc', 'head'] as const satisfies readonly (keyof KvfreeChannelsAt)[];
const CHANNEL_NAMES: Readonly<Record<(typeof CHANNELS)[number], string>> = {
  bulk: 'blocks',
  vmalloc: 'blocks, vmalloc',
  head: 'head list',
};

/** "1 234 objects, 39.5 kB". */
function amount({ objects, bytes }: { readonly objects: number; readonly bytes: number }): string {
  return objects === 0 ? 'empty' : `${plural(objects, 'object')}, ${formatBytes(bytes)}`;
}

class CpuWords {
  readonly #state: KvfreeStateAt;
  readonly #info: RunInfo;

  constructor(state: KvfreeStateAt, info: RunInfo) {
    this.#state = state;
    this.#info = info;
  }

  #name(track: number): string {
    return this.#info.tracks[track]?.name ?? 'a worker';
  }

  #age(sinceNs: number): string {
    return formatDuration(this.#state.timeNs - sinceNs);
  }

  #jiffies(jiffies: number): string {
    const ns = (jiffies * 1e9) / this.#info.config.hz;
    return `${plural(jiffies, 'jiffy', 'jiffies')} (${formatDuration(ns)})`;
  }

  unit(unit: KvfreeUnitAt): UnitCell {
    const { id, capacity, count, isOpen, isEstimate, bytes } = unit;
    const isRun = capacity === 0;
    const about = isEstimate ? 'about ' : '';
    const size = isRun
      ? plural(count, 'object')
      : `${about}${formatCount(count)} of ${formatCount(capacity)} records`;
    const open = isOpen ? ', takes objects' : '';
    return {
      id,
      fill: isRun ? 1 : count / capacity,
      look: isRun ? 'run' : 'block',
      isOpen,
      text: `${isRun ? 'run' : 'block'} ${id}: ${size}, ${formatBytes(bytes)}, begun ${this.#age(unit.openNs)} ago by ${this.#name(unit.thread)}${open}`,
    };
  }

  lane(key: string, title: string, list: KvfreeListAt): UnitLane {
    const cells = list.newest.slice(0, MAX_UNITS).map((unit) => this.unit(unit));
    return { key, title, count: amount(list), cells, older: list.units - cells.length };
  }

  lanes(key: string, channels: KvfreeChannelsAt): readonly UnitLane[] {
    return CHANNELS.filter((channel) => channels[channel].units > 0).map((channel) =>
      this.lane(`${key} ${channel}`, CHANNEL_NAMES[channel], channels[channel]),
    );
  }

  /** What is left to free: units have no order any more that matters, the one in hand stands first. */
  reclaimLane(reclaim: KvfreeReclaimAt): UnitLane {
    const { inHand, units } = reclaim;
    const cells =
      inHand === undefined ? [] : [{ ...this.unit(inHand.unit), fill: 1 - inHand.done, isOpen: false }];
    return {
      key: `freeing ${reclaim.number} ${reclaim.row}`,
      title: inHand === undefined ? 'to be freed' : 'in hand',
      count: `${plural(units, 'unit')} left, ${amount(reclaim)}`,
      cells,
      older: units - cells.length,
    };
  }

  /** What a batch waits for. */
  wait(batch: KvfreeBatchAt): string {
    const since = `attached ${this.#age(batch.attachedNs)} ago`;
    if (batch.state === 'queued') return `${since}, work queued for ${this.#age(batch.sinceNs)}`;
    if (batch.state === 'gpOver') return `${since}, its grace period is over, its callback is next`;
    if (Number.isNaN(batch.gpNumber)) {
      const where = batch.listCpu < 0 ? '' : ` on CPU ${batch.listCpu}`;
      return `${since}, its callback${where} has no number yet`;
    }
    const gp = `grace period ${formatSeq(batch.gpNumber)}`;
    return batch.isGpRunning ? `${since}, ${gp} runs` : `${since}, ${gp} has yet to start`;
  }

  /** Who frees, where. */
  frees(reclaim: KvfreeReclaimAt): string {
    const who = `${this.#name(reclaim.worker)} has had it for ${this.#age(reclaim.sinceNs)}`;
    if (reclaim.waitsForGp) return `${who}, waits in synchronize_rcu()`;
    return reclaim.cpu < 0 ? who : `${who}, frees on CPU ${reclaim.cpu}`;
  }

  krw(krw: KrwAt): KrwView {
    const { index, state, batch, reclaim } = krw;
    const objects = (batch?.objects ?? 0) + (reclaim?.objects ?? 0);
    const bytes = (batch?.bytes ?? 0) + (reclaim?.bytes ?? 0);
    const sentences = [
      ...(reclaim === undefined
        ? []
        : [{ key: 'reclaim', text: `batch ${reclaim.number}: ${this.frees(reclaim)}`, row: reclaim.row }]),
      ...(batch === undefined
        ? []
        : [{ key: 'batch', text: `batch ${batch.number}: ${this.wait(batch)}`, row: batch.row }]),
    ];
    return {
      key: `krw ${index}`,
      title: `krw_arr[${index}]`,
      count: state === 'empty' ? 'free' : amount({ objects, bytes }),
      tone: state === 'waiting' ? 'gp' : state === 'freeing' ? 'memory' : 'quiet',
      sentences,
      lanes: [
        ...(reclaim === undefined ? [] : [this.reclaimLane(reclaim)]),
        ...(batch === undefined ? [] : this.lanes(`krw ${index}`, batch.channels)),
      ],
    };
  }

  monitor({ state, leftJiffies, delay, sinceNs, reclaim }: KvfreeMonitorAt): string {
    const frees = reclaim === undefined ? '' : `, frees ${plural(reclaim.objects, 'object')} that are ready`;
    if (state === 'idle') return 'idle: nothing is queued';
    if (state === 'armed')
      return `in ${this.#jiffies(leftJiffies)}, delay ${plural(delay, 'jiffy', 'jiffies')}`;
    if (state === 'queued') return `queued for ${this.#age(sinceNs)}`;
    return `runs since ${this.#age(sinceNs)}${frees}`;
  }

  cache({ blocks, max, fill, leftJiffies }: KvfreeCacheAt): string {
    if (max === 0) return 'none';
    const worker: Readonly<Record<KvfreeCacheAt['fill'], string>> = {
      idle: '',
      backingOff: `, backs off for ${this.#jiffies(leftJiffies)}`,
      queued: ', its worker is queued',
      running: ', being filled',
    };
    return `${formatCount(blocks)} of ${plural(max, 'block')}${worker[fill]}`;
  }
}

function factsSoFar(krc: KrcAt): readonly Fact[] {
  const { freed, freedWithoutWaiting, blocksWithoutWaiting, leaked } = krc;
  return [
    { name: 'freed', text: plural(freed, 'object') },
    {
      name: 'without waiting',
      text:
        freedWithoutWaiting === 0
          ? 'none: no snapshot had elapsed'
          : `${plural(freedWithoutWaiting, 'object')} in ${plural(blocksWithoutWaiting, 'block')}: snapshot already elapsed`,
    },
    ...(leaked === 0 ? [] : [{ name: 'leaked', text: plural(leaked, 'object') }]),
  ];
}

/** What the card of a CPU shows; undefined: nothing was queued there. */
export function cpuView(state: KvfreeStateAt, info: RunInfo, cpu: number): CpuView | undefined {
  const krc = state.krcs.find((other) => other.cpu === cpu);
  if (krc === undefined) return undefined;
  const words = new CpuWords(state, info);
  const { isBatching, records } = state;
  const drainsReady = info.rules['kvfree.wait'] === 'ready-by-monitor';
  return {
    cpu,
    title: `CPU ${cpu}`,
    queue: words.lanes('queue', krc.channels),
    queueCount: amount(krc),
    batches: isBatching ? krc.krw.map((krw) => words.krw(krw)) : [],
    now: [
      ...(isBatching ? [{ name: 'monitor', text: words.monitor(krc.monitor) }] : []),
      ...(records > 0 ? [{ name: 'page cache', text: words.cache(krc.cache) }] : []),
    ],
    sofar: factsSoFar(krc).filter(({ name }) => drainsReady || name !== 'without waiting'),
  };
}
