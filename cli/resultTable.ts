/** A result as a short text for people. */
import { bytes } from '../src/analysis/phrase.ts';
import type { CliResult } from './simulate.ts';
import { formatTable, formatTime } from './table.ts';

type Figures = NonNullable<CliResult['latency']>[string];

function latencyTable(latency: Readonly<Record<string, Figures>>): string {
  const times = (figures: Figures) => [figures.mean, figures.p50, figures.p90, figures.p99, figures.p100];
  const rows = Object.entries(latency).map(([name, figures]) => [
    name,
    String(figures.n),
    ...times(figures).map(formatTime),
  ]);
  return formatTable([['latency of', 'n', 'mean', 'p50', 'p90', 'p99', 'max'], ...rows], [1, 2, 3, 4, 5, 6]);
}

/** Every single latency in ns, a line per series; empty without --values. */
function valueLines(latency: Readonly<Record<string, Figures>>): string {
  const lines = Object.entries(latency).flatMap(([name, { values }]) =>
    values === undefined ? [] : [`${name} (ns): ${values.join(' ')}\n`],
  );
  return lines.length === 0 ? '' : `\n${lines.join('')}`;
}

function periodLines({ gracePeriods, srcu }: CliResult): string[] {
  const lines: string[] = [];
  const periods = [
    ['grace periods', gracePeriods?.srcu],
    ['RCU, normal  ', gracePeriods?.rcu],
    ['RCU, expedited', gracePeriods?.exp],
    ['RCU Tasks    ', gracePeriods?.tasks],
    ['Tasks Rude   ', gracePeriods?.tasksRude],
    ['Tasks Trace  ', gracePeriods?.tasksTrace],
  ] as const;
  for (const [what, gp] of periods) {
    if (gp !== undefined)
      lines.push(`${what}  ${gp.n}, p50 ${formatTime(gp.p50)}, p99 ${formatTime(gp.p99)}`);
  }
  if (srcu === undefined) return lines;
  lines.push(
    `passes         ${srcu.passes}, of which failed checks ${srcu.polls} (${formatTime(srcu.pollNs)} of CPU)`,
  );
  const past = `${formatTime(srcu.overshootNs)} slept past the last reader`;
  lines.push(`sleeps         ${srcu.sleeps}, ${srcu.sleptJiffies} jiffies; ${past}`);
  if (srcu.requesterHits > 0)
    lines.push(`requester      was the reader in ${srcu.requesterHits} grace periods`);
  return lines;
}

/** Floods of kfree_rcu(), with the line that the kernel prints. */
function kfreeLines({ kfree, memory }: CliResult): string[] {
  const lines: string[] = [];
  if (kfree !== undefined) {
    const { floodNs, gracePeriods, drainNs, drainGracePeriods } = kfree;
    const drain =
      drainNs === undefined ? '' : `; drained in ${formatTime(drainNs)}, ${drainGracePeriods} more`;
    lines.push(`flood          ${formatTime(floodNs)}, ${gracePeriods} grace periods${drain}`);
  }
  if (memory !== undefined) {
    const { peakBytes, footprintBytes, queued, freed, leaked } = memory;
    const lost = leaked === undefined ? '' : `, ${leaked} leaked`;
    const footprint = footprintBytes === undefined ? '' : `, footprint ${bytes(footprintBytes)}`;
    lines.push(
      `memory         peak ${bytes(peakBytes)}${footprint}; ${queued} objects queued, ${freed} freed${lost}`,
    );
  }
  if (kfree?.outOfMemory !== undefined)
    lines.push(
      `out of memory  ${kfree.outOfMemory} threads got none for their next object; rcuscale prints no line then`,
    );
  if (kfree?.line !== undefined) lines.push(kfree.line);
  return lines;
}

/** "-1.3 %, "; of nothing there is no percentage. */
function shareOff(simulated: number, told: number): string {
  if (told === 0) return '';
  const off = ((simulated - told) / told) * 100;
  return `${off < 0 ? '' : '+'}${off.toFixed(1)} %, `;
}

function reportedLines({ reported = [] }: CliResult): string[] {
  return reported.map(({ what, unit, reported: told, simulated, fitted, source, remark }) => {
    const kind = fitted ? 'fitted' : 'predicted';
    const more = remark === undefined ? '' : `; ${remark}`;
    const here = simulated === null ? 'not reached in this run' : `${simulated.toFixed(3)} ${unit} simulated`;
    const off = simulated === null ? '' : shareOff(simulated, told);
    return `${what.padEnd(14)} ${here}, ${told} ${unit} reported (${off}${kind}; ${source}${more})`;
  });
}

function invariantLines({ invariants }: CliResult): string[] {
  if (invariants === undefined) return [];
  return [`invariants     ${invariants.checked} judgements, ${invariants.violations.length} violations`];
}

/** What `run` prints without --json. */
export function formatResult(result: CliResult): string {
  const { config, digest, events, virtualNs, wallMs } = result;
  const name = config.scenario ?? 'run';
  const head = [
    `${name}: ${config.kernel}, HZ=${config.hz}, ${config.cpus} CPUs, preempt ${config.preempt}, machine ${config.machine.preset}, seed ${config.seed}`,
    `${formatTime(virtualNs)} of virtual time, ${events} events, digest ${digest}, ${wallMs} ms`,
  ];
  const lines = [
    ...periodLines(result),
    ...kfreeLines(result),
    ...reportedLines(result),
    ...invariantLines(result),
  ];
  const table =
    result.latency === undefined ? '' : `\n${latencyTable(result.latency)}${valueLines(result.latency)}`;
  const body = lines.length === 0 ? '' : `\n${lines.join('\n')}\n`;
  return `${head.join('\n')}\n${table}${body}`;
}
