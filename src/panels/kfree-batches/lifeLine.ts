/** The life of an object as debug objects see it (kvfree K31 to K34): how many are in which state, and what goes wrong. */
import type { KvfreeFigures } from '../../analysis/kvfreeFigures.ts';
import type { ObjectLife, ObjectState } from '../../analysis/kvfreeLife.ts';
import type { KvfreeReclaimAt, KvfreeStateAt } from '../../analysis/kvfreeStateTypes.ts';
import type { KVFREE_CHANNEL } from '../../engine/core/eventKinds.ts';
import type { RunInfo } from '../../engine/core/info.ts';
import { formatCount, formatDuration, plural } from '../format.ts';

/** The channel of slab pointers. */
const BULK: (typeof KVFREE_CHANNEL)['bulk'] = 0;

export type LifeStateId = 'none' | 'queued' | 'ready' | 'freed' | 'leaked';

/** A box of the picture. */
export interface LifeState {
  readonly id: LifeStateId;
  readonly name: string;
  /** Objects in it at the cursor; empty in the first one. */
  readonly count: string;
  readonly isActive: boolean;
}

/** Something that should never happen: an edge of the picture, lit where it did. */
export interface LifeFault {
  readonly id: 'freeActive' | 'doubleQueue' | 'leaked';
  readonly text: string;
  readonly hasHappened: boolean;
}

/** A switch, and whether the run on the screen has it. */
export interface LifeSwitch {
  readonly id: 'debugObjects' | 'bulkPath' | 'oldAttach';
  readonly text: string;
  readonly note: string;
  readonly isOn: boolean;
}

export interface LifeView {
  readonly states: readonly LifeState[];
  readonly faults: readonly LifeFault[];
  readonly switches: readonly LifeSwitch[];
  /** What the whole run comes to. */
  readonly verdict: string;
  readonly verdictTone: 'gp' | 'error' | 'quiet';
  /** The picture in words. */
  readonly label: string;
}

/** The life of one object. */
export interface OwnLife {
  readonly title: string;
  readonly stages: readonly {
    readonly key: string;
    readonly text: string;
    /** When it began. */
    readonly at: string;
    readonly row: number;
    readonly isFault: boolean;
  }[];
}

const STAGE_TEXTS: Readonly<Record<ObjectState, string>> = {
  none: 'none',
  QUEUED: 'QUEUED: given to kvfree_rcu()',
  READY: 'READY: debug_rcu_head_unqueue()',
  freed: 'freed',
};

/** The first object of a unit, state by state; what has no row is left out. */
export function ownLife({ unit, stages, splatRow, isLeaked }: ObjectLife): OwnLife {
  const shown: OwnLife['stages'][number][] = [];
  for (const { state, sinceNs, row } of stages) {
    if (row < 0) continue;
    if (state === 'freed' && splatRow >= 0)
      shown.push(faultAt(splatRow, 'ODEBUG: free active (active state 1)'));
    const at = formatDuration(sinceNs);
    shown.push({ key: state, text: STAGE_TEXTS[state], at, row, isFault: false });
  }
  if (isLeaked) shown.push(faultAt(shown.at(-1)?.row ?? -1, 'leaked: it stays QUEUED'));
  return { title: `First object of unit ${unit}`, stages: shown };
}

function faultAt(row: number, text: string): OwnLife['stages'][number] {
  return { key: text, text, at: '', row, isFault: true };
}

/** Objects in hand: taken out of the debug objects, if that is done, and not free yet. */
function inHand({ krcs }: KvfreeStateAt, ofBulk: boolean): number {
  const reclaims = krcs
    .flatMap(({ krw, monitor }) => [krw[0].reclaim, krw[1].reclaim, monitor.reclaim])
    .filter((reclaim): reclaim is KvfreeReclaimAt => reclaim !== undefined);
  return reclaims.reduce((sum, { inHand: hand }) => {
    const isBulk = hand?.unit.channel === BULK;
    return sum + (isBulk === ofBulk ? (hand?.unit.count ?? 0) : 0);
  }, 0);
}

function verdictOf(
  info: RunInfo,
  { debug, freedEarly }: KvfreeFigures,
  isTracked: boolean,
): Pick<LifeView, 'verdict' | 'verdictTone'> {
  const early = `at least ${plural(freedEarly, 'object')} freed before a grace period had passed`;
  if (debug.freeActive > 0) {
    const splat = `${plural(debug.freeActive, 'object')} freed while QUEUED`;
    return freedEarly > 0
      ? { verdict: `This run: ${splat}, and ${early}.`, verdictTone: 'error' }
      : {
          verdict: `This run: ${splat}. A false alarm: each of them had its grace period, only the book-keeping is missing.`,
          verdictTone: 'error',
        };
  }
  if (debug.leaked > 0) {
    const found = `${plural(debug.leaked, 'object')} leaked: their grace period had not passed at their free`;
    return { verdict: `This run: ${found}. The check of 6.5 and later finds the bug.`, verdictTone: 'error' };
  }
  if (freedEarly > 0) {
    const nobody = isTracked ? 'Debug objects say nothing of it' : 'Nobody says anything of it';
    return { verdict: `This run: ${early}. ${nobody}.`, verdictTone: 'error' };
  }
  const isChecked = info.rules['kvfree.gpCheck'] === 'yes' ? ' and was checked again when it was freed' : '';
  return {
    verdict: `This run: every object freed had its grace period${isChecked}.`,
    verdictTone: isTracked ? 'gp' : 'quiet',
  };
}

function switchesOf(info: RunInfo): readonly LifeSwitch[] {
  return [
    {
      id: 'debugObjects',
      text: 'DEBUG_OBJECTS_RCU_HEAD',
      note: 'every object is tracked from its kfree_rcu() to its free',
      isOn: info.config.kconfig.DEBUG_OBJECTS_RCU_HEAD === true,
    },
    {
      id: 'bulkPath',
      text: 'bulk path of December 2019',
      note: 'kvfree.debugBulk none: kfree_bulk() without debug_rcu_head_unqueue(), a false alarm',
      isOn: info.rules['kvfree.debugBulk'] === 'none',
    },
    {
      id: 'oldAttach',
      text: 'attach rule before 6.3',
      note: 'kvfree.attach per-channel: may add to a batch that already waits, a real bug',
      isOn: info.rules['kvfree.attach'] === 'per-channel',
    },
  ];
}

/** What the life line shows at the cursor, and of the whole run (`figures`). */
export function lifeView(state: KvfreeStateAt, figures: KvfreeFigures, info: RunInfo): LifeView {
  const { debug, leaked } = state;
  const switches = switchesOf(info);
  const isTracked = info.config.kconfig.DEBUG_OBJECTS_RCU_HEAD === true;
  const skipsBulk = isTracked && info.rules['kvfree.debugBulk'] === 'none';
  const ready = inHand(state, false) + (skipsBulk ? 0 : inHand(state, true));
  const queued = state.queued + state.waiting + state.freeing - ready;
  const counts: Readonly<Record<LifeStateId, number>> = {
    none: Number.NaN,
    queued,
    ready,
    freed: state.freed,
    leaked: state.leaked,
  };
  const names: readonly (readonly [LifeStateId, string])[] = [
    ['none', 'none'],
    ['queued', 'QUEUED'],
    ['ready', 'READY'],
    ['freed', 'freed'],
    ['leaked', 'leaked'],
  ];
  const states = names.map(([id, name]) => ({
    id,
    name,
    count: id === 'none' ? '' : formatCount(counts[id]),
    isActive: counts[id] > 0,
  }));
  return {
    states,
    faults: [
      {
        id: 'freeActive',
        text: `free active: ${formatCount(debug.freeActive)}`,
        hasHappened: debug.freeActive > 0,
      },
      {
        id: 'doubleQueue',
        text: `double queue: ${formatCount(debug.doubleQueue)}`,
        hasHappened: debug.doubleQueue > 0,
      },
      {
        id: 'leaked',
        text: `too early: ${formatCount(leaked)}`,
        hasHappened: leaked > 0,
      },
    ],
    switches,
    ...verdictOf(info, figures, isTracked),
    label:
      'States of an object: none, QUEUED by kvfree_call_rcu(), READY by debug_rcu_head_unqueue(), freed. ' +
      `At the cursor: ${formatCount(queued)} QUEUED, ${formatCount(ready)} READY, ${formatCount(state.freed)} freed, ` +
      `${formatCount(state.leaked)} leaked, ${formatCount(debug.freeActive)} freed while QUEUED.`,
  };
}
