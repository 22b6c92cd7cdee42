import { expectDone, openRun } from './rcuscopePage.ts';
import { expect, test } from './support.ts';

test('a first run that is cancelled says so and nothing else, and runs again', async ({ page }) => {
  await page.goto('./#v=1&sc=kfree-polled:after-1');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.locator('.app')).toHaveAttribute('data-status', 'cancelled');
  const notice = page.getByText('The run was cancelled');
  await expect(notice).toHaveText('The run was cancelled.');
  await expect(page.getByText('The run failed')).toHaveCount(0);
  await expect(page.locator('[data-timeline]')).toHaveText('No run has ended yet.');
  await page.getByRole('button', { name: 'Run again' }).click();
  await expect(notice).toHaveCount(0);
  await expect(page.locator('[data-timeline]')).toHaveText('The first run is under way.');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(notice).toBeVisible();
});

test('the picture of the run before stays, and a change takes the notice away', async ({ page }) => {
  await openRun(page, '#v=1&sc=one-reader');
  await page.evaluate(() => {
    location.hash = 'v=1&sc=kfree-polled:after-1';
  });
  await page.getByRole('button', { name: 'Cancel' }).click();
  const notice = page.getByText('The run was cancelled: the picture shows the last one that ended.');
  await expect(notice).toBeVisible();
  await page.evaluate(() => {
    location.hash = 'v=1&sc=one-reader';
  });
  await expectDone(page);
  await expect(notice).toHaveCount(0);
});
