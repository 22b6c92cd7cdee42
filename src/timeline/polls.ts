/** The single checks inside a burst of passes, for drawing them one by one. */
import { PassShapes, passChecks } from '../analysis/passChecks.ts';
import { rowOf } from '../analysis/rowWindow.ts';
import type { RowWindow } from '../analysis/types.ts';
import type { SrcuConstants } from '../engine/core/info.ts';

/** A srcu_pass row taken apart: `count` passes back to back, each with checks at the same offsets. */
export interface PollBurst {
  readonly startNs: number;
  readonly count: number;
  readonly passNs: number;
  /** After the start of a pass, rising. */
  readonly offsetsNs: readonly number[];
  /** 1 where that check found a reader. */
  readonly failed: readonly boolean[];
}

/** Finds the burst of a srcu_pass row; undefined where the row is not among the loaded ones. */
export type FindBurst = (row: number) => PollBurst | undefined;

/** Looks bursts up in a window of rows. Without rows every look-up is undefined. */
export function createFindBurst(rows: RowWindow | undefined, constants: SrcuConstants): FindBurst {
  const shapes = new PassShapes(constants);
  return (row) => {
    const pass = rows && rowOf(rows, row);
    if (pass === undefined) return undefined;
    const { a: count, b: startNs, c: code, d: passNs } = pass;
    const checks = passChecks(shapes.get(code), constants);
    return {
      startNs,
      count,
      passNs,
      offsetsNs: checks.map((check) => check.offsetNs),
      failed: checks.map((check) => check.failed),
    };
  };
}

/**
 * The shortest time between two checks of a burst, ns; that of its passes where a pass has one check only. Checks at one instant (SCAN1
 * succeeds, SCAN2 begins, and checks cost nothing) are one tooth and do not count.
 */
export function checkGapNs(burst: PollBurst): number {
  let gapNs = burst.passNs;
  for (let i = 1; i < burst.offsetsNs.length; i++) {
    const nextNs = (burst.offsetsNs[i] ?? 0) - (burst.offsetsNs[i - 1] ?? 0);
    if (nextNs > 0) gapNs = Math.min(gapNs, nextNs);
  }
  return gapNs;
}

/** Calls `visit` for every check in [fromNs, toNs), in order. The cost is that of the checks visited. */
export function visitChecks(
  burst: PollBurst,
  fromNs: number,
  toNs: number,
  visit: (timeNs: number, failed: boolean, isFirstOfPass: boolean) => void,
): void {
  const { startNs, count, passNs, offsetsNs, failed } = burst;
  if (!(passNs > 0)) return;
  // The last check of a pass may stand at its very end: one pass earlier.
  const firstPass = Math.max(0, Math.floor((fromNs - startNs) / passNs) - 1);
  const endPass = Math.min(count, Math.ceil((toNs - startNs) / passNs));
  for (let pass = firstPass; pass < endPass; pass++) {
    for (let i = 0; i < offsetsNs.length; i++) {
      const timeNs = startNs + pass * passNs + (offsetsNs[i] ?? 0);
      if (timeNs >= fromNs && timeNs < toNs) visit(timeNs, failed[i] === true, i === 0);
    }
  }
}
