import { describe, expect, it } from 'vitest';
import { lastLine, sumTallies, tallyPlaywright, tallyStep, tallyVitest } from './testReport.mjs';

describe('tallyVitest', () => {
  it('counts single tests, and a file that did not load as one failure', () => {
    const report = {
      numPassedTests: 7,
      numFailedTests: 2,
      testResults: [
        { status: 'passed', assertionResults: [{}] },
        { status: 'failed', assertionResults: [{}, {}] },
        { status: 'failed', assertionResults: [] },
      ],
    };
    expect(tallyVitest(report)).toEqual({ passed: 7, failed: 3 });
  });
});

describe('tallyPlaywright', () => {
  it('counts flaky tests and faults outside tests as failures, skipped ones not at all', () => {
    const stats = { expected: 5, unexpected: 1, flaky: 1, skipped: 4 };
    expect(tallyPlaywright({ stats, errors: [{}] })).toEqual({ passed: 5, failed: 3 });
  });
});

describe('tallyStep', () => {
  it('counts a plain step as one', () => {
    expect(tallyStep(0, undefined, false)).toEqual({ passed: 1, failed: 0 });
    expect(tallyStep(2, undefined, false)).toEqual({ passed: 0, failed: 1 });
    expect(tallyStep(null, undefined, false)).toEqual({ passed: 0, failed: 1 });
  });

  it('counts a test runner by its report', () => {
    expect(tallyStep(0, { passed: 9, failed: 0 }, true)).toEqual({ passed: 9, failed: 0 });
    expect(tallyStep(1, { passed: 9, failed: 2 }, true)).toEqual({ passed: 9, failed: 2 });
  });

  it('fails a runner that left no report, ran no test, or failed without saying which', () => {
    expect(tallyStep(0, undefined, true)).toEqual({ passed: 0, failed: 1 });
    expect(tallyStep(0, { passed: 0, failed: 0 }, true)).toEqual({ passed: 0, failed: 1 });
    expect(tallyStep(1, { passed: 9, failed: 0 }, true)).toEqual({ passed: 9, failed: 1 });
  });
});

describe('lastLine', () => {
  it('sums the steps up in one plain line', () => {
    const sum = sumTallies([
      { passed: 1, failed: 0 },
      { passed: 20, failed: 3 },
    ]);
    expect(lastLine(sum)).toBe('21 passed, 3 failed');
    expect(lastLine(sumTallies([]))).toBe('0 passed, 0 failed');
  });
});
