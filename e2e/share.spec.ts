import type { Page } from '@playwright/test';
import { digestOf, expectDone, openRun, scenarioButton, tunable } from './rcuscopePage.ts';
import { expect, test } from './support.ts';

/** The link that the dialog shows. */
async function sharedLink(page: Page): Promise<string> {
  return await page.getByRole('dialog').getByRole('textbox', { name: 'Link' }).inputValue();
}

test('a shared link opened elsewhere shows the identical run at the same place', async ({
  page,
  browser,
}) => {
  await openRun(page, '#v=1&sc=one-reader&hz=1000');
  for (let i = 0; i < 5; i++) await page.keyboard.press('ArrowRight');
  const event = await page.getByLabel('Event', { exact: true }).textContent();
  const digest = await digestOf(page);
  await page.getByRole('button', { name: 'Share' }).click();
  const link = await sharedLink(page);
  expect(link).toContain(`d=${digest}`);
  await expect(page.getByRole('dialog')).toContainText(`${link.length} characters`);

  const context = await browser.newContext();
  const other = await context.newPage();
  await other.goto(link);
  await expectDone(other);
  await expect(other.getByText(`Identical run: digest ${digest}`)).toBeVisible();
  await expect(other.getByLabel('Event', { exact: true })).toHaveText(event ?? '');
  await expect(other.getByRole('button', { name: /^Play/ })).toBeVisible();
  await context.close();
});

test('a link with another digest says that the model has changed', async ({ page }) => {
  await openRun(page, '#v=1&sc=one-reader&d=00000000');
  await expect(page.getByText('The model has changed since this link was made')).toBeVisible();
});

test('what is said of a digest goes with the run that it is true of', async ({ page }) => {
  await openRun(page, '#v=1&sc=one-reader&d=00000000');
  const notice = page.getByText('The model has changed since this link was made');
  await expect(notice).toBeVisible();
  await page.getByRole('button', { name: 'HZ 1000' }).click();
  await expect(notice).toHaveCount(0);
});

test('a link to a place that the run does not have shows the end of the run and says so', async ({
  page,
}) => {
  await openRun(page, '#v=1&sc=one-reader&t=5s..6s&sel=gp:7');
  await expect(page.getByText('t: 5s: the run ends at 20.01ms')).toBeVisible();
  await expect(page.getByText('sel: gp:7: the run has gp:0 to gp:0')).toBeVisible();
  await expect(page.getByText('5200 ms')).toHaveCount(0);
});

test('the copy button copies the link', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openRun(page, '#v=1&sc=one-reader');
  await digestOf(page);
  await page.getByRole('button', { name: 'Share' }).click();
  const link = await sharedLink(page);
  await page.getByRole('button', { name: 'Copy the link' }).click();
  await expect(page.getByText('Copied').first()).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);
});

test('a locked link opens with read-only controls and a way to unlock them', async ({ page }) => {
  await openRun(page, '#v=1&sc=one-reader');
  await page.getByRole('button', { name: 'Share' }).click();
  await page.getByText('Lock the controls').click();
  const link = await sharedLink(page);
  expect(link).toContain('lock=true');
  await page.goto('about:blank');
  await page.goto(link);
  await expectDone(page);
  const field = tunable(page, 'HZ').getByRole('textbox');
  await expect(field).toBeDisabled();
  await expect(scenarioButton(page)).toBeDisabled();
  await page.getByRole('button', { name: 'Unlock', exact: true }).click();
  await expect(field).toBeEnabled();
});

test('a link that says so opens playing, any other paused', async ({ page }) => {
  await openRun(page, '#v=1&sc=one-reader&paused=false');
  await expect(page.getByRole('button', { name: /^Pause/ })).toBeVisible();
});
