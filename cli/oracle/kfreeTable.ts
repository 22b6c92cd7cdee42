/** What became of floods, and what the comparison prints of them: measured and simulated figures, a line a record. */
import { formatTable } from '../table.ts';
import {
  askedOf,
  compareFlood,
  type Flood,
  isJudged,
  type KfreeCriterion,
  type KfreeRecord,
} from './kfreeRecords.ts';

/** A record that has run: its figures, or why there are none; every criterion, and those that were asked for. */
export interface JudgedFlood {
  readonly record: KfreeRecord;
  readonly simulated?: Flood;
  readonly fault?: string;
  readonly holds: Readonly<Record<KfreeCriterion, boolean>>;
  readonly met: Readonly<Partial<Record<KfreeCriterion, boolean>>>;
}

/** What a record's run was, or why there is none. */
export type KfreeResult = { readonly flood: Flood } | { readonly fault: string };

const NOTHING_HOLDS = { duration: false, gracePeriods: false, peak: false };

/** What became of a record. One that does not run meets nothing. */
export function judgeFlood(record: KfreeRecord, result: KfreeResult): JudgedFlood {
  if ('fault' in result) {
    return { record, fault: result.fault, holds: NOTHING_HOLDS, met: askedOf(record, NOTHING_HOLDS) };
  }
  const holds = compareFlood(record, result.flood);
  return { record, simulated: result.flood, holds, met: askedOf(record, holds) };
}

const DIGITS = 4;
const ms = (ns: number) => Number((ns / 1e6).toPrecision(DIGITS)).toString();
const mb = (bytes: number) => Number((bytes / 1e6).toPrecision(DIGITS)).toString();
const difference = (simulated: number, measured: number) => {
  if (measured === 0) return '';
  const percent = (simulated / measured - 1) * 100;
  return `${percent >= 0 ? '+' : ''}${percent.toFixed(1)} %`;
};

const HEAD = [
  ...['', 'flood', '', '', 'ns/object', '', 'GPs', ''],
  ...['drain', '', 'its GPs', '', 'peak', '', '', ''],
];
/** All but the id and the verdict. */
const NUMBERS = HEAD.flatMap((_, column) => (column > 0 && column < HEAD.length - 1 ? [column] : []));

function cells({ id, measured, objects }: KfreeRecord, simulated: Flood): string[] {
  const perObject = (ns: number) => (ns / objects).toFixed(0);
  return [
    id,
    ...[ms(measured.floodNs), ms(simulated.floodNs), difference(simulated.floodNs, measured.floodNs)],
    ...[perObject(measured.floodNs), perObject(simulated.floodNs)],
    ...[String(measured.gracePeriods), String(simulated.gracePeriods)],
    ...[ms(measured.drainNs), ms(simulated.drainNs)],
    ...[String(measured.drainGracePeriods), String(simulated.drainGracePeriods)],
    ...[mb(measured.peakBytes), mb(simulated.peakBytes)],
    difference(simulated.peakBytes, measured.peakBytes),
  ];
}

function missedOf(criteria: Readonly<Partial<Record<KfreeCriterion, boolean>>>): string {
  return (Object.keys(criteria) as KfreeCriterion[]).filter((criterion) => !criteria[criterion]).join(', ');
}

function verdict({ record, holds, met }: JudgedFlood): string {
  const missed = missedOf(met);
  if (missed !== '') return `misses ${missed}`;
  if (isJudged(record)) return 'meets all';
  return `not judged${missedOf(holds) === '' ? '' : `; would miss ${missedOf(holds)}`}`;
}

/** The records, measured beside simulated: times in ms, memory in MB. `misses`: only those that miss something. */
export function floodTable(floods: readonly JudgedFlood[], misses: boolean): string {
  const shown = floods.filter(({ met }) => !misses || missedOf(met) !== '');
  const lines = shown.flatMap((flood) =>
    flood.simulated === undefined ? [] : [[...cells(flood.record, flood.simulated), verdict(flood)]],
  );
  const faults = shown.flatMap(({ fault }) => (fault === undefined ? [] : [`does not run: ${fault}`]));
  return [lines.length === 0 ? '' : formatTable([HEAD, ...lines], NUMBERS).trimEnd(), ...faults]
    .filter((text) => text !== '')
    .join('\n');
}

/** How often what is not asked for would hold: floods of 3 threads, other peaks. */
export function unjudgedLines(floods: readonly JudgedFlood[]): string[] {
  const share = (criterion: KfreeCriterion, of: readonly JudgedFlood[]) =>
    `${criterion} ${of.filter(({ holds }) => holds[criterion]).length}/${of.length}`;
  const threads = floods.filter(({ record }) => !isJudged(record));
  const peaks = floods.filter(({ met }) => met.peak === undefined);
  return [
    `not judged, 3 threads: ${share('duration', threads)}  ${share('gracePeriods', threads)}`,
    `not judged, other peaks: ${share('peak', peaks)} within 30 %`,
  ];
}
