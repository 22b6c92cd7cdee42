/** The measured records of Tree RCU and the rows of its table, from test-data/oracle. */
import type { Figures } from './judge.ts';
import { loadFile, loadRecordFile, type OracleRecord } from './records.ts';
import type { Row } from './rows.ts';

/** Criteria of a record (test-data/oracle/README.md, "Tree RCU"). */
export type Criterion = 'strict' | 'oneTick' | 'mean';

/** A row of the table: records of its files with one of its kinds. */
export interface RcuRow extends Row {
  readonly kinds: readonly RecordKind[];
}

/** What a record's workload is: who else is on the machine, one caller or several. */
export type RecordKind =
  | 'idle-1'
  | 'idle-k'
  | 'kernel-1'
  | 'kernel-k'
  | 'spins'
  | 'user-1'
  | 'readers'
  | 'exp-idle'
  | 'exp-kernel'
  | 'exp-user'
  | 'exp-readers';

/** A record with what follows from its configuration. */
export interface RcuRecord extends OracleRecord {
  readonly kind: RecordKind;
  /** Callers. */
  readonly callers: number;
  /** The first two parts of the id: records of one boot of the kernel. */
  readonly boot: string;
}

interface ActorParts {
  readonly kind: string;
  readonly mode?: 'kernel' | 'user';
  readonly spin?: number;
  readonly count?: number;
}

/** Spins longer than this have a row of their own, ns. */
const LONG_SPIN_NS = 1_000_000;

function kindOf(record: OracleRecord, callers: number): RecordKind {
  const actors = record.config.actors as unknown as readonly ActorParts[];
  const expedited = record.measured.series === 'synchronize_rcu_expedited';
  const load = actors.find(({ kind }) => kind === 'load');
  if (actors.some(({ kind }) => kind === 'reader')) return expedited ? 'exp-readers' : 'readers';
  if (load?.mode === 'user') return expedited ? 'exp-user' : 'user-1';
  if (expedited) return load === undefined ? 'exp-idle' : 'exp-kernel';
  if ((load?.spin ?? 0) > LONG_SPIN_NS) return 'spins';
  return `${load === undefined ? 'idle' : 'kernel'}-${callers === 1 ? '1' : 'k'}`;
}

/** A record, looked at. */
export function toRcuRecord(record: OracleRecord): RcuRecord {
  const updater = record.config.actors.find(({ kind }) => kind === 'updater') as ActorParts | undefined;
  const callers = updater?.count ?? 1;
  const boot = record.id.split('/').slice(0, 2).join('/');
  return { ...record, kind: kindOf(record, callers), callers, boot };
}

/** The rows, in table order. */
export function loadRcuRows(): readonly RcuRow[] {
  return (JSON.parse(loadFile('rcu-rows.json')) as { rows: RcuRow[] }).rows;
}

/** The records of a file. */
export function loadRcuRecords(file: string): readonly RcuRecord[] {
  return loadRecordFile(file).map(toRcuRecord);
}

/** Does a record of `file` count in a row? */
export function isInRow(row: RcuRow, file: string, record: RcuRecord): boolean {
  return row.files.includes(file) && row.kinds.includes(record.kind);
}

const NS_PER_S = 1_000_000_000;
const SHARE = 0.05;
const MEAN_SHARE = 0.1;
const TICK_EXTRA_NS = 20_000;
const EXPEDITED_STRICT_NS = 2000;
const EXPEDITED_LOOSE_NS = 4000;

/** Which criteria figures meet: p50 and p90 within 5 % or a time, the mean within 10 %. */
export function judgeFigures(record: RcuRecord, simulated: Figures): Record<Criterion, boolean> {
  const { measured, config } = record;
  const tickNs = NS_PER_S / config.hz;
  const expedited = record.kind.startsWith('exp-');
  const within = (slackNs: number) =>
    (['p50', 'p90'] as const).every(
      (key) => Math.abs(simulated[key] - measured[key]) <= Math.max(SHARE * measured[key], slackNs),
    );
  return {
    strict: within(expedited ? EXPEDITED_STRICT_NS : tickNs / 2 + TICK_EXTRA_NS),
    oneTick: within(expedited ? EXPEDITED_LOOSE_NS : tickNs + TICK_EXTRA_NS),
    mean: Math.abs(simulated.mean - measured.mean) <= MEAN_SHARE * measured.mean,
  };
}
