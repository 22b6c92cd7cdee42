/**
 * Counting: what the reports of vitest and Playwright say, and the one line that sums up a run.
 *
 * @typedef {{ passed: number, failed: number }} Tally
 * @typedef {{ numPassedTests: number, numFailedTests: number,
 *   testResults: { status: string, assertionResults: unknown[] }[] }} VitestReport
 * @typedef {{ stats: { expected: number, unexpected: number, flaky: number }, errors: unknown[] }} PlaywrightReport
 */

/**
 * A file that could not be loaded has no tests to count, and is one failure.
 * @param {VitestReport} report
 * @returns {Tally}
 */
export function tallyVitest({ numPassedTests, numFailedTests, testResults }) {
  const broken = testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
  return { passed: numPassedTests, failed: numFailedTests + broken.length };
}

/**
 * `errors` are faults outside any test: a spec that does not load, a server that does not start.
 * @param {PlaywrightReport} report
 * @returns {Tally}
 */
export function tallyPlaywright({ stats, errors }) {
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky + errors.length };
}

/**
 * What one step adds to the sum. A test runner that failed without naming a failed test, or that ran no test
 * at all, counts as one failure; so does a step that is no test runner when its exit status is not 0.
 * @param {number | null} exitCode
 * @param {Tally | undefined} tally the runner's own count; undefined when it left no report
 * @param {boolean} isRunner
 * @returns {Tally}
 */
export function tallyStep(exitCode, tally, isRunner) {
  if (!isRunner) return exitCode === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
  const { passed, failed } = tally ?? { passed: 0, failed: 0 };
  const isSilentFailure = failed === 0 && (exitCode !== 0 || passed === 0);
  return { passed, failed: isSilentFailure ? 1 : failed };
}

/** @param {Tally[]} tallies */
export function sumTallies(tallies) {
  return tallies.reduce(
    (sum, { passed, failed }) => ({ passed: sum.passed + passed, failed: sum.failed + failed }),
    { passed: 0, failed: 0 },
  );
}

/** @param {Tally} tally */
export function lastLine({ passed, failed }) {
  return `${passed} passed, ${failed} failed`;
}
