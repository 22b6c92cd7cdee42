/** Segments of an explanation, put end to end. */
import type { BlameKind, BlameSegment, Remedy } from './blameTypes.ts';

/** Puts segments end to end: each goes from where the last one ended to a given time. */
export class Cutter {
  readonly segments: BlameSegment[] = [];
  atNs: number;
  readonly endNs: number;
  readonly caller: { readonly thread: number; readonly cpu: number };

  constructor(startNs: number, endNs: number, thread: number, cpu: number) {
    this.atNs = startNs;
    this.endNs = endNs;
    this.caller = { thread, cpu };
  }

  /** Up to `toNs` (at most the end) it was `kind`; nothing if that is not later than the last segment's end. */
  to(
    toNs: number,
    kind: BlameKind,
    row: number,
    text: (ns: number) => string,
    remedy?: (ns: number) => Remedy | undefined,
    who: { readonly thread: number; readonly cpu: number } = this.caller,
  ): void {
    const endNs = Math.min(toNs, this.endNs);
    if (!(endNs > this.atNs)) return;
    const lengthNs = endNs - this.atNs;
    const segment = { kind, startNs: this.atNs, endNs, ...who, row, text: text(lengthNs) };
    const advice = remedy?.(lengthNs);
    this.segments.push(advice === undefined ? segment : { ...segment, remedy: advice });
    this.atNs = endNs;
  }

  add(segments: readonly BlameSegment[]): void {
    for (const segment of segments) {
      this.segments.push(segment);
      this.atNs = segment.endNs;
    }
  }
}
