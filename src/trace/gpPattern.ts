/**
 * Complete grace periods as patterns of text: what the kthread did from start to end, and per CPU how it learned,
 * noted and was reported. The order of different CPUs is free (docs/model/measurements.md, "Traces").
 */
import type { GpRow } from './gpRows.ts';
import type { GpEventName } from './logPayloads.ts';

/** One complete normal grace period. */
export interface GpPattern {
  /** As printed by "start". */
  readonly gpSeq: number;
  /** CPU of the kthread at the start. */
  readonly kthreadCpu: number;
  /**
   * "start init fqswait scan*1 end | 0 learn scan | 1 scan | 3 init note self": the kthread's own sequence, with n
   * complete scans in a row as scan*n; then per CPU: learned in init or later, noted, reported by itself or by a scan.
   */
  readonly text: string;
  /** The rows with their numbers made relative to the grace period, each once, sorted. */
  readonly shapes: readonly string[];
}

const SCAN = 'fqsstart fqsend fqswait';
const KTHREAD_STRINGS = new Set(['start', 'fqswait', 'fqsstart', 'fqsend', 'fqswaitsig', 'end']);

/** The pattern without its scans: how many there were is a matter of nanoseconds. */
export function withoutScans(text: string): string {
  return text.replace(/ scan\*\d+/, '');
}

/** gp_seq relative to the running grace period `gpSeq`. */
function relation(seq: number, gpSeq: number): string {
  if (seq === gpSeq) return 'this';
  return seq < gpSeq ? 'earlier' : 'later';
}

function shapeOf({ event, data }: GpRow, gpSeq: number): string {
  const seq = relation(data.gp_seq, gpSeq);
  switch (event) {
    case 'rcu_grace_period':
      return `${event}: ${data.rcuname} ${seq} ${data.gpevent}`;
    case 'rcu_grace_period_init':
      return `${event}: ${data.rcuname} ${seq} ${data.level} ${data.grplo} ${data.grphi} ${data.qsmask.toString(16)}`;
    case 'rcu_quiescent_state_report': {
      const cleared = bitsOf(data.mask).length;
      const masks = `${cleared === 0 ? 'none' : cleared === 1 ? 'one' : 'some'}>${data.qsmask === 0n ? 'none' : 'some'}`;
      const node = `${data.level} ${data.grplo} ${data.grphi} ${data.gp_tasks}`;
      return `${event}: ${data.rcuname} ${seq} ${masks} ${node}`;
    }
    case 'rcu_fqs':
      return `${event}: ${data.rcuname} ${seq} cpu ${data.qsevent}`;
  }
}

function bitsOf(mask: bigint): number[] {
  return [...mask.toString(2)].reverse().flatMap((bit, i) => (bit === '1' ? [i] : []));
}

/** Collects the rows between "start" and "end". */
class OpenGp {
  readonly gpSeq: number;
  readonly #kthreadCpu: number;
  readonly #leafLevel: number;
  readonly #sequence: string[] = [];
  readonly #cpus = new Map<number, string[]>();
  readonly #shapes = new Set<string>();

  constructor(gpSeq: number, kthreadCpu: number, leafLevel: number) {
    this.gpSeq = gpSeq;
    this.#kthreadCpu = kthreadCpu;
    this.#leafLevel = leafLevel;
  }

  add(row: GpRow): void {
    this.#shapes.add(shapeOf(row, this.gpSeq));
    const { event, data } = row;
    if (data.gp_seq !== this.gpSeq) return;
    if (event === 'rcu_grace_period') {
      if (KTHREAD_STRINGS.has(data.gpevent)) this.#sequence.push(data.gpevent);
      else if (data.gpevent === 'cpustart') this.#step(row.cpu, row.byKthread ? 'init' : 'learn');
      else if (data.gpevent === 'cpuqs') this.#step(row.cpu, 'note');
    } else if (event === 'rcu_grace_period_init') {
      this.#sequence.push('init');
    } else if (event === 'rcu_quiescent_state_report' && data.level === this.#leafLevel) {
      for (const bit of bitsOf(data.mask)) this.#step(data.grplo + bit, row.byKthread ? 'scan' : 'self');
    }
  }

  finish(): GpPattern {
    const sequence = this.#sequence.join(' ').replace(new RegExp(`${SCAN}(?: ${SCAN})*`, 'g'), (scans) => {
      return `scan*${(scans.length + 1) / (SCAN.length + 1)}`;
    });
    const cpus = [...this.#cpus]
      .sort(([x], [y]) => x - y)
      .map(([cpu, steps]) => ` | ${cpu} ${steps.join(' ')}`);
    return {
      gpSeq: this.gpSeq,
      kthreadCpu: this.#kthreadCpu,
      text: sequence + cpus.join(''),
      shapes: [...this.#shapes].sort(),
    };
  }

  #step(cpu: number, step: string): void {
    const steps = this.#cpus.get(cpu);
    if (steps === undefined) this.#cpus.set(cpu, [step]);
    else steps.push(step);
  }
}

/**
 * The grace periods that lie wholly inside the rows, of which only those of `kinds` count: a trace has the events that
 * were enabled. A start without its end is forgotten at the next start.
 */
export function gpPatterns(rows: readonly GpRow[], kinds: ReadonlySet<GpEventName>): GpPattern[] {
  const patterns: GpPattern[] = [];
  const levels = rows.flatMap((row) => (row.event === 'rcu_grace_period_init' ? [row.data.level] : []));
  const leafLevel = levels.reduce((deepest, level) => Math.max(deepest, level), 0);
  let open: OpenGp | undefined;
  for (const row of rows) {
    if (!kinds.has(row.event)) continue;
    const { event, data } = row;
    const gpevent = event === 'rcu_grace_period' ? data.gpevent : '';
    if (gpevent === 'start') open = new OpenGp(data.gp_seq, row.cpu, leafLevel);
    open?.add(row);
    if (open === undefined || gpevent !== 'end') continue;
    if (data.gp_seq === open.gpSeq) patterns.push(open.finish());
    open = undefined;
  }
  return patterns;
}
