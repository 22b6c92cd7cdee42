/** The single passes and checks inside a srcu_pass row, by arithmetic (spec srcu 3.2, 4.1). */
import type { SrcuConstants } from '../engine/core/info.ts';
import { type PassInfo, unpackPass } from '../engine/core/passCode.ts';

/** One comparison of the counters inside a pass. */
export interface PassCheck {
  /** After the start of the pass. */
  readonly offsetNs: number;
  readonly scan: 1 | 2;
  /** True: it found a reader. */
  readonly failed: boolean;
}

/**
 * The checks of one pass in order. `zeroNs`: offsets of its srcu_check rows (checks that found nobody), as far as
 * logged: they say how a pass with both kinds is composed, where the code alone leaves two ways open.
 *
 *   scanStart 0, 1: | first check + checkNs | retry | ...   SCAN1, then SCAN2 from `checkNs` after its success on
 *   scanStart 2:    | first check           | retry | second retry |
 */
export function passChecks(
  pass: PassShape,
  constants: SrcuConstants,
  zeroOffsetsNs: readonly number[] = [],
): PassCheck[] {
  const checks: PassCheck[] = [];
  let offsetNs = constants.passFirstCheckNs + (pass.scanStart === 2 ? 0 : constants.checkNs);
  let failed = 0;
  let inTry = 0;
  let scan: 1 | 2 = pass.scanStart === 2 ? 2 : 1;
  const failing = failuresOfScan1(pass, constants, zeroOffsetsNs);
  for (let i = 0; i < pass.checks; i++) {
    const left = pass.failedChecks - failed;
    const fails = scan === 1 ? failed < failing : left > 0;
    checks.push({ offsetNs, scan, failed: fails });
    if (fails) {
      failed++;
      inTry++;
      offsetNs += inTry === 2 ? constants.secondRetryNs : constants.retryNs;
    } else {
      scan = 2;
      inTry = 0;
      offsetNs += constants.checkNs;
    }
  }
  return checks;
}

/** Failed checks of a pass that belong to SCAN1. */
function failuresOfScan1(
  pass: PassShape,
  constants: SrcuConstants,
  zeroOffsetsNs: readonly number[],
): number {
  if (pass.scanStart === 2) return 0;
  if (pass.scanEnd === 1) return pass.failedChecks;
  const success = zeroOffsetsNs[0];
  if (success === undefined || pass.failedChecks === 0) return 0;
  // SCAN1 fails at most once before it succeeds: it makes two checks.
  return success > constants.passFirstCheckNs + constants.checkNs ? 1 : 0;
}

/** What a pass does, without what it leaves behind. */
export type PassShape = Omit<PassInfo, 'nAfter'>;

/** Unpacked shapes of srcu_pass rows, memoized: a run has few different ones. */
export class PassShapes {
  readonly #constants: SrcuConstants;
  readonly #known = new Map<number, PassShape>();
  readonly #failures = new Map<PassShape, readonly [number, number]>();

  constructor(constants: SrcuConstants) {
    this.#constants = constants;
  }

  /** `code`: column c of the row. */
  get(code: number): PassShape {
    // The bits above hold srcu_n_exp_nodelay (passCode.ts).
    const key = code % 2 ** 32;
    let pass = this.#known.get(key);
    if (pass === undefined) {
      pass = unpackPass(key);
      this.#known.set(key, pass);
    }
    return pass;
  }

  /** Offset of the first failed check of SCAN1 and of SCAN2 in such a pass; NaN: none. `shape` is one of `get`'s. */
  firstFailures(shape: PassShape): readonly [number, number] {
    let first = this.#failures.get(shape);
    if (first === undefined) {
      const failed = passChecks(shape, this.#constants).filter((check) => check.failed);
      const offset = (scan: number) => failed.find((check) => check.scan === scan)?.offsetNs ?? Number.NaN;
      first = [offset(1), offset(2)];
      this.#failures.set(shape, first);
    }
    return first;
  }
}
