import type { Page } from '@playwright/test';
import { openRun } from './rcuscopePage.ts';
import { expect, test } from './support.ts';

const summary = (page: Page) => page.getByRole('region', { name: 'Selected time range' });

/** Drags over the lanes from one share of their width to another, which may lie beyond them. */
async function drag(page: Page, from: number, to: number): Promise<void> {
  const box = await page.locator('.tl-stage').boundingBox();
  if (box === null) throw new Error('the lanes are not on the screen');
  const y = box.y + box.height - 20;
  await page.mouse.move(box.x + from * box.width, y);
  await page.mouse.down();
  await page.mouse.move(box.x + to * box.width, y, { steps: 6 });
  await page.mouse.up();
}

test('statistics of the whole run have its last instant, and are not longer than it', async ({ page }) => {
  await openRun(page, '#v=1&sc=one-reader');
  const event = await page.getByLabel('Event', { exact: true }).textContent();
  const events = event?.match(/of (\d+)/)?.[1] ?? '';
  await page.getByRole('application').focus();
  // The selected grace period: its end is part of it.
  await page.keyboard.press('m');
  await expect(summary(page)).toContainText('1 GP ended');
  await page.keyboard.press('Escape');
  await page.keyboard.press('0');
  await page.keyboard.press('m');
  await expect(summary(page)).toContainText(`events${events}`);
  await expect(summary(page)).toContainText('1 GP ended');
  const length = (await summary(page).textContent())?.match(/^[\d.]+ ms from 0/)?.[0];
  expect(length).toBeDefined();
  // From before the start to beyond the end.
  await page.keyboard.press('Escape');
  await expect(summary(page)).toHaveCount(0);
  await drag(page, 0.001, 0.9999);
  await expect(summary(page)).toContainText(`events${events}`);
  await expect(summary(page)).toContainText(length ?? '');
});

test('polling and sleep count where they are, before their grace period has ended', async ({ page }) => {
  await openRun(page, '#v=1&sc=one-reader');
  await page.getByRole('application').press('0');
  // The window has a hundredth of the run as air on both sides.
  await drag(page, 0.02, 0.989);
  await expect(summary(page)).toContainText('grace periodsnone ended');
  await expect(summary(page)).toContainText(/polls1[\s\u202f]?200/);
  await expect(summary(page)).toContainText('polling6 ms');
  await expect(summary(page)).toContainText('sleeps1');
});
