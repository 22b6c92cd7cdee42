/** Result lines of the kfree test of rcuscale, before 5.10 rcuperf (kvfree K20). */
import { least, mean, most, ratio } from './average.ts';
import { readSections } from './sections.ts';

/** One line. */
export interface KfreeResult {
  /** From 1. */
  readonly line: number;
  readonly totalNs: number;
  readonly loops: number;
  /** Normal grace periods, as rcuscale counts them (tree R1.6). */
  readonly batches: number;
  /** totalNs / batches in ms; absent with 0 batches. */
  readonly msPerBatch?: number;
  /** Absent where the line has no such field (up to 5.6): unknown, not 0. */
  readonly footprintMb?: number;
  /** The footprint is negative: more memory was available later than at the start. It says nothing about the test. */
  readonly isFootprintArtefact: boolean;
}

/** How a part compares with an earlier one of equal loops: means of this part over those of the other, where it has any. */
export interface KfreeComparison {
  readonly to: string;
  readonly time?: number;
  readonly batches?: number;
  /** Over valid footprints; absent where a part has none. */
  readonly footprint?: number;
}

/** The lines of one part of the text. */
export interface KfreeSection {
  readonly title: string;
  readonly results: readonly KfreeResult[];
  readonly meanNs: number;
  readonly meanBatches: number;
  /** Most over least batches; absent with a line of 0 batches. */
  readonly batchRatio?: number;
  /** Over valid footprints: neither unknown nor an artefact. Absent where there are none. */
  readonly meanFootprintMb?: number;
  readonly compared?: KfreeComparison;
}

/** All of a text, and lines that look like results but are none. */
export interface KfreeResults {
  readonly sections: readonly KfreeSection[];
  readonly problems: readonly string[];
}

const MARK = /Total time taken by all kfree'ers/;
const RESULT =
  /Total time taken by all kfree'ers: (\d{1,15}) ns, loops: (\d{1,9}), batches: (\d{1,12})(?:, memory footprint: (-?\d{1,12}) ?MB)?\s*$/;
const NS_PER_MS = 1e6;

function parseResult(text: string, line: number): KfreeResult | undefined {
  const match = RESULT.exec(text);
  if (match === null) return undefined;
  const [totalNs, loops, batches] = match.slice(1, 4).map(Number) as [number, number, number];
  const footprintMb = match[4] === undefined ? undefined : Number(match[4]);
  return {
    ...{ line, totalNs, loops, batches },
    ...(batches === 0 ? {} : { msPerBatch: totalNs / batches / NS_PER_MS }),
    ...(footprintMb === undefined ? {} : { footprintMb }),
    isFootprintArtefact: footprintMb !== undefined && footprintMb < 0,
  };
}

function validFootprints(results: readonly KfreeResult[]): number[] {
  return results.flatMap(({ footprintMb, isFootprintArtefact }) =>
    footprintMb === undefined || isFootprintArtefact ? [] : [footprintMb],
  );
}

function summary(title: string, results: readonly KfreeResult[]): KfreeSection {
  const batches = results.map((result) => result.batches);
  const footprints = validFootprints(results);
  const batchRatio = ratio(most(batches), least(batches));
  return {
    ...{ title, results, meanNs: mean(results.map((result) => result.totalNs)), meanBatches: mean(batches) },
    ...(batchRatio === undefined ? {} : { batchRatio }),
    ...(footprints.length === 0 ? {} : { meanFootprintMb: mean(footprints) }),
  };
}

/** Loops that every line made; undefined where they differ: such a part cannot be compared. */
function equalLoops([first, ...others]: readonly KfreeResult[]): number | undefined {
  return others.every(({ loops }) => loops === first?.loops) ? first?.loops : undefined;
}

/** Undefined if the other part has nothing to compare with: its means are 0. */
function compare(section: KfreeSection, other: KfreeSection): KfreeComparison | undefined {
  const time = ratio(section.meanNs, other.meanNs);
  const batches = ratio(section.meanBatches, other.meanBatches);
  const footprint = ratio(section.meanFootprintMb, other.meanFootprintMb);
  if (time === undefined && batches === undefined && footprint === undefined) return undefined;
  return {
    to: other.title,
    ...(time === undefined ? {} : { time }),
    ...(batches === undefined ? {} : { batches }),
    ...(footprint === undefined ? {} : { footprint }),
  };
}

/** Every result line of a text, by its parts; each part beside the nearest earlier one of equal loops. */
export function kfreeResults(text: string): KfreeResults {
  const lines = text.split('\n');
  const problems: string[] = [];
  const sections: KfreeSection[] = [];
  const byLoops = new Map<number, KfreeSection>();
  for (const { title, fromLine, toLine } of readSections(text)) {
    const results: KfreeResult[] = [];
    for (let line = fromLine; line <= toLine; line++) {
      const content = lines[line - 1] as string;
      if (!MARK.test(content)) continue;
      const result = parseResult(content, line);
      if (result === undefined) problems.push(`line ${line}: not what rcuscale prints: ${content.trim()}`);
      else results.push(result);
    }
    if (results.length === 0) continue;
    const section = summary(title, results);
    const loops = equalLoops(results);
    const other = loops === undefined ? undefined : byLoops.get(loops);
    const compared = other === undefined ? undefined : compare(section, other);
    sections.push(compared === undefined ? section : { ...section, compared });
    if (loops !== undefined) byLoops.set(loops, section);
  }
  return { sections, problems };
}
