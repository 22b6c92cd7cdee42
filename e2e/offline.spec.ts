import { digestOf, expectDone, openRun } from './rcuscopePage.ts';
import { expect, test } from './support.ts';

test.use({ serviceWorkers: 'allow' });

test('after a first visit the page opens and runs without a network', async ({ page, context }) => {
  await openRun(page, '#v=1&sc=first-grace-period');
  const digest = await digestOf(page);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null, undefined, {
    timeout: 30_000,
  });
  await context.setOffline(true);
  await page.reload();
  await expectDone(page);
  expect(await digestOf(page)).toBe(digest);
  // What is loaded on request is there as well.
  await page.getByRole('button', { name: 'List the keys' }).click();
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible();
});
