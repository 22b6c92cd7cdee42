import { expectDone, openRun } from './rcuscopePage.ts';
import { expect, test } from './support.ts';

/** Some seconds of simulating, and about as much of reading. */
const LONG_TO_READ = '#v=1&sc=kfree-polled:after-short&a0.loops=1500';

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

test('the log of a long run can be cancelled while it is read', async ({ page }) => {
  await page.goto(`./${LONG_TO_READ}`);
  await expect(page.getByText(/^reading .* events: /)).toBeVisible({ timeout: 30_000 });
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.locator('.app')).toHaveAttribute('data-status', 'cancelled');
  await expect(page.getByText('The run was cancelled')).toBeVisible();
  await expect(page.locator('[data-timeline]')).toHaveText('No run has ended yet.');
  // the worker is free for the next one
  await page.evaluate(() => {
    location.hash = 'v=1&sc=one-reader';
  });
  await expectDone(page);
});

test('the focus goes from Cancel to Run again and back', async ({ page }) => {
  await page.goto('./#v=1&sc=kfree-polled:after-1');
  const cancel = page.getByRole('button', { name: 'Cancel' });
  const again = page.getByRole('button', { name: 'Run again' });
  await cancel.press('Enter');
  await expect(again).toBeFocused();
  await again.press('Enter');
  await expect(again).toHaveCount(0);
  await expect(cancel).toBeFocused();
  await cancel.press('Enter');
  await expect(again).toBeFocused();
});

test('the focus stays in the header where the run ends under Cancel', async ({ page }) => {
  await page.goto('./#v=1&sc=kfree-polled:after-short&a0.loops=800');
  await page.getByRole('button', { name: 'Cancel' }).focus();
  await expectDone(page);
  await expect(page.getByRole('group', { name: 'Run' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('slider', { name: 'Time in the run' })).toBeFocused();
});
