/** What `rcuscope import` found, as text for people. */
import { type KfreeLife, kfreeLifeWords } from '../src/analysis/kfreeLife.ts';
import type { BlockFill, BlockFillReport } from '../src/trace/blockFill.ts';
import type { KfreeResult, KfreeSection } from '../src/trace/kfreeResults.ts';
import type { TasksGpAge, TasksHoldout, TasksStall } from '../src/trace/tasksStall.ts';
import { WHY_EXIT } from '../src/trace/whyHoldout.ts';
import { formatTable, formatTime } from './table.ts';

type ExplainedHoldout = TasksHoldout & { readonly why: string };

/** The object of `import --json` (docs/configuration.md); parts that the text does not have are absent. */
export interface Imported {
  /** The kernel that was named, and how long an object waits there. */
  readonly life?: (KfreeLife & { readonly kernel: string; readonly hz: number }) | undefined;
  readonly blocks?: BlockFillReport | undefined;
  readonly kfree?: readonly KfreeSection[];
  readonly tasks?: {
    readonly hz?: number;
    readonly ages: readonly TasksGpAge[];
    readonly stalls: readonly (Omit<TasksStall, 'holdouts'> & {
      readonly holdouts: readonly ExplainedHoldout[];
    })[];
  };
}

const NS_PER_S = 1e9;
const heading = (title: string) => (title === '' ? '' : `${title}\n`);
const fixed = (value: number | undefined, digits = 2) =>
  value === undefined ? '' : String(Number(value.toFixed(digits)));

function fillRow(name: string, { n, mean, median, most, fill, under10, full, gapNs }: BlockFill): string[] {
  const share = `${(fill * 100).toFixed(1)} %`;
  const counts = [String(most), share, String(under10), String(full)];
  return [
    name,
    String(n),
    fixed(mean),
    fixed(median),
    ...counts,
    gapNs === undefined ? '' : formatTime(gapNs),
  ];
}

function blocksText({ capacity, isCapacityGuessed, sections }: BlockFillReport): string {
  const guess = isCapacityGuessed ? ' (the least that fits; --kernel says it)' : '';
  const head = ['CPU', 'blocks', 'mean', 'median', 'most', 'fill', 'under 10', 'full', 'between two'];
  const tables = sections.map(({ title, all, cpus }) => {
    const rows = [head, fillRow('all', all), ...cpus.map((cpu) => fillRow(String(cpu.cpu), cpu))];
    return `\n${heading(title)}${formatTable(rows, [1, 2, 3, 4, 5, 6, 7, 8])}`;
  });
  return (
    `blocks of kfree_rcu(), ${capacity} pointers each${guess}\n${tables.join('')}` +
    'CPU and time are those of the kworker that frees, after the grace period; where and when objects were queued ' +
    'is not in a trace.\n'
  );
}

function footprintText({ footprintMb, isFootprintArtefact }: KfreeResult): string {
  if (footprintMb === undefined) return 'unknown';
  return `${footprintMb} MB${isFootprintArtefact ? ' (an artefact: memory came free meanwhile)' : ''}`;
}

function comparedText({ compared, batchRatio, meanFootprintMb }: KfreeSection): string {
  const lines: string[] = [];
  if (meanFootprintMb !== undefined) lines.push(`mean of valid footprints ${fixed(meanFootprintMb, 1)} MB`);
  if (batchRatio !== undefined) lines.push(`most to least batches ${fixed(batchRatio)}`);
  if (compared !== undefined) {
    const { to, time, batches, footprint } = compared;
    const ratios = [
      time === undefined ? undefined : `time ${fixed(time)}`,
      batches === undefined ? undefined : `batches ${fixed(batches)}`,
      footprint === undefined ? undefined : `footprint ${footprint.toPrecision(3)}`,
    ];
    lines.push(`against "${to}": ${ratios.filter((ratio) => ratio !== undefined).join(', ')}`);
  }
  return lines.map((line) => `  ${line}\n`).join('');
}

function kfreeText(sections: readonly KfreeSection[]): string {
  const head = ['time', 'loops', 'batches', 'ms per batch', 'footprint'];
  const parts = sections.map((section) => {
    const rows = section.results.map((result) => [
      formatTime(result.totalNs),
      String(result.loops),
      String(result.batches),
      fixed(result.msPerBatch, 3),
      footprintText(result),
    ]);
    return `\n${heading(section.title)}${formatTable([head, ...rows], [0, 1, 2, 3])}${comparedText(section)}`;
  });
  return `results of the kfree test\n${parts.join('')}`;
}

function ageText({ flavour, gp, ageJiffies, state }: TasksGpAge, hz: number | undefined): string {
  const age = hz === undefined ? '' : ` = ${formatTime((ageJiffies / hz) * NS_PER_S)}`;
  const of = state === undefined ? '' : ` in ${state}: ${WHY_EXIT}`;
  return `${flavour}: grace period ${gp} is ${ageJiffies} jiffies${age} old${of}\n`;
}

function holdoutText({ cpu, isNohzFull, comm, pid, state, nvcsw, why }: ExplainedHoldout): string {
  const name = comm === undefined ? 'a task' : `${comm} (pid ${pid ?? '?'}, ${state})`;
  const place = `CPU ${cpu}${isNohzFull ? ', nohz_full' : ''}`;
  return `  ${place}: ${name}, nvcsw ${nvcsw.snapshot}, now ${nvcsw.now}: ${why}.\n`;
}

function tasksText({ hz, ages, stalls }: NonNullable<Imported['tasks']>): string {
  const known = hz === undefined ? '' : `HZ=${hz}, as the first line is due after 10 s\n`;
  const reports = stalls.map(
    ({ flavour, line, holdouts }) =>
      `stall of ${flavour}, line ${line}\n${holdouts.map(holdoutText).join('')}`,
  );
  return ages.map((age) => ageText(age, hz)).join('') + known + reports.join('');
}

/** Everything that was found, part by part. */
export function importText({ life, blocks, kfree, tasks }: Imported): string {
  const parts = [
    blocks === undefined ? undefined : blocksText(blocks),
    life === undefined ? undefined : `${life.kernel}, HZ=${life.hz}: ${kfreeLifeWords(life)}\n`,
    kfree === undefined ? undefined : kfreeText(kfree),
    tasks === undefined ? undefined : tasksText(tasks),
  ];
  return parts.filter((part) => part !== undefined).join('\n');
}
