/** "Why did it take so long": the blamed segments as a bar, a list and advice. */
import type { Blame, BlameKind, BlameSegment } from '../../analysis/blameTypes.ts';
import { gpFlavorName } from '../../analysis/gpFlavors.ts';
import { GP_FLAVOR } from '../../analysis/types.ts';
import type { RunInfo } from '../../engine/core/info.ts';
import { formatDuration, formatMs, formatSeq, formatShare, plural } from '../format.ts';
import type { GpListItem } from '../panelProps.ts';

export type WhyTone = 'gp' | 'reader' | 'poll' | 'sleep' | 'callback' | 'quiet';

export interface WhySegment {
  readonly key: string;
  readonly tone: WhyTone;
  /** In two or three words: the culprit. */
  readonly kind: string;
  /** One sentence. */
  readonly text: string;
  /** Length without unit: the column is headed "ms". */
  readonly ms: string;
  readonly share: number;
  readonly shareText: string;
  readonly row: number;
  /** True for time that served nobody. */
  readonly isWaste: boolean;
}

/** What would have avoided a segment. */
export interface WhyRemedy {
  readonly key: string;
  readonly text: string;
  /** "srcutree.srcu_max_nodelay_phase=250", where a parameter does it. */
  readonly bootArgument: string | undefined;
}

export interface WhyView {
  readonly title: string;
  readonly isFinished: boolean;
  readonly segments: readonly WhySegment[];
  /** Largest saving first. */
  readonly remedies: readonly WhyRemedy[];
  /** Share of the time that was waste, in words; undefined: none was. */
  readonly wasteText: string | undefined;
}

const KINDS: Readonly<Record<BlameKind, readonly [WhyTone, string]>> = {
  entry: ['quiet', 'call entered'],
  earlierGp: ['gp', 'earlier grace period'],
  firstDelay: ['sleep', 'first-pass delay'],
  wake: ['quiet', 'worker wakes'],
  scan: ['gp', 'scan, nobody found'],
  pollHeld: ['poll', 'polled, reader holds'],
  pollRequester: ['reader', 'polled, requester holds'],
  offCpu: ['quiet', 'worker off its CPU'],
  sleepHeld: ['sleep', 'slept, reader holds'],
  sleepWaste: ['sleep', 'slept past the reader'],
  cbDelay: ['callback', 'callback timer'],
  callback: ['callback', 'callback'],
  return: ['quiet', 'caller wakes'],
  gpInit: ['gp', 'rcu_gp_init()'],
  learn: ['poll', 'CPU learns'],
  note: ['reader', 'no quiescent state'],
  report: ['poll', 'CPU reports'],
  fqsWait: ['sleep', 'wait for a scan'],
  timerLate: ['sleep', 'timer a tick late'],
  fqsScan: ['gp', 'scan'],
  blockedReader: ['reader', 'preempted reader'],
  gpWake: ['quiet', 'kthread wakes'],
  cleanup: ['gp', 'rcu_gp_cleanup()'],
  numbering: ['callback', 'numbered late'],
  residual: ['gp', 'earlier grace period'],
  barrier: ['callback', 'callbacks before it'],
  funnel: ['gp', 'funnel'],
  expWorker: ['quiet', 'worker wakes'],
  expSelect: ['gp', 'CPUs chosen, IPIs'],
  expCpu: ['poll', 'slowest CPU'],
  expReader: ['reader', 'reader'],
  filling: ['quiet', 'takes objects'],
  monitor: ['sleep', 'monitor not due'],
  batchWait: ['callback', 'both batches busy'],
  workWake: ['quiet', 'worker wakes'],
  freeing: ['poll', 'others freed first'],
  ownFree: ['poll', 'being freed'],
  tasksSleep: ['sleep', 'gp_sleep'],
  tasksLazy: ['callback', 'lazy timer'],
  tasksInner: ['gp', 'inner grace period'],
  tasksScan: ['gp', 'task list'],
  tasksExit: ['reader', 'tasks that exit'],
  tasksHeld: ['reader', 'holdout runs'],
  tasksScanWait: ['sleep', 'left, not noticed'],
  tasksRude: ['poll', 'work on every CPU'],
};

/** Time that served nobody. */
const WASTE: ReadonlySet<BlameKind> = new Set(['sleepWaste', 'tasksScanWait']);

function segmentView(segment: BlameSegment, totalNs: number): WhySegment {
  const [tone, kind] = KINDS[segment.kind];
  const lengthNs = segment.endNs - segment.startNs;
  const share = totalNs === 0 ? 0 : lengthNs / totalNs;
  return {
    key: `${segment.startNs} ${segment.kind} ${segment.row}`,
    tone,
    kind,
    text: segment.text,
    ms: formatMs(lengthNs),
    share,
    shareText: formatShare(share),
    row: segment.row,
    isWaste: WASTE.has(segment.kind),
  };
}

function remedyView({ remedy, startNs }: BlameSegment): readonly WhyRemedy[] {
  if (remedy === undefined) return [];
  const { text, param } = remedy;
  const bootArgument = param === undefined ? undefined : `${param.name}=${param.value}`;
  return [{ key: `${startNs} ${text}`, text, bootArgument }];
}

/** What the panel shows of `blame`. Empty segments (zero ns) are left out: they explain nothing. */
export function whyView(blame: Blame): WhyView {
  const totalNs = blame.endNs - blame.startNs;
  const segments = blame.segments.filter(({ startNs, endNs }) => endNs > startNs);
  const wasteNs = segments
    .filter(({ kind }) => WASTE.has(kind))
    .reduce((sum, { startNs, endNs }) => sum + endNs - startNs, 0);
  const bySaving = [...segments].sort((a, b) => (b.remedy?.savesNs ?? 0) - (a.remedy?.savesNs ?? 0));
  return {
    title: blame.title,
    isFinished: blame.finished,
    segments: segments.map((segment) => segmentView(segment, totalNs)),
    remedies: bySaving.flatMap(remedyView),
    wasteText:
      wasteNs === 0 ? undefined : `${formatDuration(wasteNs)} wasted, ${formatShare(wasteNs / totalNs)}`,
  };
}

/** A grace period in the list of the slowest. */
export interface SlowItem {
  readonly index: number;
  readonly name: string;
  /** "RCU, normal, 2 scans". */
  readonly text: string;
  readonly lengthText: string;
  /** Of the slowest one's length, for the bar behind it. */
  readonly share: number;
  readonly isShown: boolean;
}

/** What a grace period did while it lasted: those of SRCU sleep, others are looked at in scans, expedited ones neither. */
function doneText({ flavor, sleeps, overshootNs, scans }: GpListItem): string {
  if (flavor !== GP_FLAVOR.srcu) return scans === 0 ? '' : `, ${plural(scans, 'scan')}`;
  const slept = sleeps === 0 ? 'never slept' : `slept ${sleeps} ×`;
  return `, ${slept}${overshootNs === 0 ? '' : `, ${formatDuration(overshootNs)} wasted`}`;
}

/** The list of the slowest grace periods; the one that is being explained is marked. */
export function slowItems(
  slowest: readonly GpListItem[],
  shown: Blame | undefined,
  info: RunInfo | undefined,
): readonly SlowItem[] {
  const finished = slowest.filter(({ endNs }) => !Number.isNaN(endNs));
  const largest = finished.reduce((max, { startNs, endNs }) => Math.max(max, endNs - startNs), 0);
  return finished.map((gp) => {
    const { index, number, flavor, domain, startNs, endNs } = gp;
    // a domain of SRCU has a name of its own
    const name = flavor === GP_FLAVOR.srcu ? info?.tracks[domain]?.name : undefined;
    return {
      index,
      name: `GP ${formatSeq(number)}`,
      text: `${name ?? gpFlavorName(flavor)}${doneText(gp)}`,
      lengthText: formatDuration(endNs - startNs),
      share: largest === 0 ? 0 : (endNs - startNs) / largest,
      isShown: shown?.of === 'gp' && shown.index === index,
    };
  });
}
