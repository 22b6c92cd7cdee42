import { execFileSync } from 'node:child_process';
import { digestOf, openRun } from './rcuscopePage.ts';
import { expect, test } from './support.ts';

/** The command line's answer to a command, as JSON. */
function rcuscope(...args: string[]) {
  const options = { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const;
  return JSON.parse(execFileSync(process.execPath, ['scripts/rcuscope.mjs', ...args, '--json'], options));
}

interface ListedScenario {
  readonly id: string;
  readonly variants: readonly { readonly id: string }[];
}

const { scenarios } = rcuscope('scenarios') as { scenarios: readonly ListedScenario[] };

test('the command line lists scenarios', () => {
  expect(scenarios.length).toBeGreaterThanOrEqual(8);
});

/** Default variants of all scenarios, and runs whose mechanism differs: all rules of the scheduler, another wake-up path. */
const names = [
  ...scenarios.map(({ id }) => id),
  'boot-storm&machine.requester=scheduler',
  'android-launch:h1-b',
];
for (const name of names) {
  test(`${name} has the same digest in the page and in Node`, async ({ page }) => {
    const link = `#v=1&sc=${name}`;
    await openRun(page, link);
    expect(await digestOf(page)).toBe(rcuscope('run', link).digest);
  });
}

test('so has a run that was changed by hand', async ({ page }) => {
  await openRun(page, '#v=1&sc=back-to-back');
  const hz = page.getByRole('button', { name: 'HZ 1000' });
  await hz.click();
  await expect.poll(() => page.url()).toContain('hz=1000');
  const digest = await digestOf(page);
  expect(digest).toBe(rcuscope('run', page.url()).digest);
});
