import type { Page } from '@playwright/test';
import { digestOf, expectDone, headline, openRun } from './rcuscopePage.ts';
import { expect, expectAccessible, expectAccessibleInBothThemes, test } from './support.ts';

/** Four threads on four CPUs that free 80 times 1000 objects of 256 bytes each, looked at in their middle. */
const FLOOD =
  '#v=1&cpus=4&machine=virtual-1gips&cur=30ms&w=1.BcExCoAwDAXQu_w5QyoqmqsUB6kRSksjRhfFu_tefFFy2yAo-6kKQjU7HDIxYa3VkkMCMxM8P-qQ2A3jQkh2twvSE1pOCgnzt_w';

const panelOf = (page: Page) => page.getByRole('region', { name: /^kfree batches/ });
const why = (page: Page) => page.getByRole('heading', { name: /^Why was (block|run) \d+ of CPU/i });

test('CPUs by keyboard: along the grid, into a card, and back', async ({ page }) => {
  await openRun(page, FLOOD);
  const panel = panelOf(page);
  await expect(panel).toContainText('being freed on 4 CPUs');
  await expect(headline(page, 'Footprint F')).toContainText('as rcuscale prints it');
  const grid = panel.getByRole('toolbar', { name: 'CPUs' });
  await grid.getByRole('button').first().focus();
  await page.keyboard.press('ArrowRight');
  await expect(grid.getByRole('button', { name: /^CPU 1:/ })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(panel).toContainText('krw_arr[1]');
  await expect(panel.getByRole('region', { name: 'Queueing' })).toContainText('monitor');
  await page.keyboard.press('Escape');
  await expect(grid.getByRole('button', { name: /^CPU 1:/ })).toBeFocused();
});

test('why is this block still there: chosen in its card, and by a link', async ({ page }) => {
  test.slow();
  await openRun(page, FLOOD);
  const panel = panelOf(page);
  await panel.getByRole('button', { name: /^CPU 2:/ }).click();
  const block = panel.getByRole('button', { name: /^block \d+: 507 of 507 records/ }).first();
  const id = /^block (\d+)/.exec((await block.getAttribute('aria-label')) ?? '')?.[1];
  await block.click();
  await expect(block).toHaveAttribute('aria-pressed', 'true');
  await expect(why(page)).toContainText(new RegExp(`block ${id} of CPU 2`, 'i'));
  await expectAccessibleInBothThemes(page);
  await openRun(page, `${FLOOD}&sel=unit:${id}`);
  await expect(why(page)).toContainText(new RegExp(`block ${id} of CPU 2`, 'i'));
  await page.getByRole('button', { name: 'Explain the next block or run' }).click();
  await expect(why(page)).not.toContainText(new RegExp(`block ${id} of`, 'i'));
});

test('a link to a block opens with its frame', async ({ page }) => {
  await openRun(page, `${FLOOD}&sel=unit:600`);
  await expect(why(page)).toContainText(/block 600 of CPU \d/i);
  await expect(page.getByRole('button', { name: 'Fit the selection' })).toBeEnabled();
});

test('records per block', async ({ page }) => {
  await openRun(page, FLOOD);
  await panelOf(page).getByRole('button', { name: 'records', exact: true }).click();
  await expect(panelOf(page).getByRole('img', { name: /^Blocks freed by the records/ })).toBeVisible();
  await expect(panelOf(page)).toContainText(
    /rcuscale prints: Total time taken by all kfree'ers: \d+ ns, loops: \d+, batches: \d+, memory footprint: \d+MB/,
  );
});

test('the false alarm is switched on and undone', async ({ page }) => {
  test.slow();
  await openRun(page, FLOOD);
  const panel = panelOf(page);
  const digest = await digestOf(page);
  await panel.getByRole('button', { name: 'life line' }).click();
  await expect(panel).toContainText('every object freed had its grace period');
  await panel.getByText('bulk path of December 2019').click();
  await expect(panel).toContainText('A false alarm');
  await expectDone(page);
  await expect.poll(() => page.url()).toContain('kvfree.debugBulk');
  await expect(panel.getByRole('switch', { name: 'DEBUG_OBJECTS_RCU_HEAD' })).toBeChecked();
  await expectAccessible(page);
  await page.keyboard.press('Control+z');
  await expect.poll(() => digestOf(page)).toBe(digest);
});

test('the real bug is switched off', async ({ page }) => {
  await openRun(page, '#v=1&sc=old-attach-bug');
  const panel = panelOf(page);
  await panel.getByRole('button', { name: 'life line' }).click();
  await expect(panel).toContainText(/1.200 objects freed before a grace period had passed/);
  await panel.getByText('attach rule before 6.3').click();
  await expect(panel).toContainText('every object freed had its grace period');
});
