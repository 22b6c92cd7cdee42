import { digestOf, openRun } from './rcuscopePage.ts';
import { expect, expectAccessible, test } from './support.ts';

/** Pixels by which the page is wider than the window. */
function overflow() {
  return document.documentElement.scrollWidth - document.documentElement.clientWidth;
}

test.describe('phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test('every part is a tab and nothing is wider than the screen', async ({ page }) => {
    await openRun(page);
    for (const name of ['Why', 'Panels', 'Tunables', 'Timeline']) {
      await page.getByRole('tab', { name }).tap();
      await expect(page.getByRole('tabpanel', { name })).toBeVisible();
      expect(await page.evaluate(overflow), name).toBe(0);
    }
    await page.getByRole('button', { name: 'Step by one event' }).tap();
    await expectAccessible(page);
  });
});

test.describe('projector', () => {
  test.use({ viewport: { width: 1024, height: 768 } });

  test('two columns, explanations beside the tunables', async ({ page }) => {
    await openRun(page);
    expect(await page.evaluate(overflow)).toBe(0);
    await page.getByRole('tab', { name: /Why/ }).click();
    await expect(page.getByRole('heading', { name: /Why did/ })).toBeVisible();
    await expectAccessible(page);
  });
});

test('at 200 % zoom the layout is that of half the width', async ({ page }) => {
  await page.setViewportSize({ width: 800, height: 500 });
  await openRun(page);
  expect(await page.evaluate(overflow)).toBe(0);
  await expect(page.getByRole('tab', { name: 'Tunables' })).toBeVisible();
});

test('panels are hidden, brought back and made full', async ({ page }) => {
  await openRun(page, '#v=1&sc=one-reader');
  const counters = page.getByRole('region', { name: /^Reader counters/ });
  await page.getByRole('button', { name: 'Hide Reader counters' }).click();
  await expect(counters).toHaveCount(0);
  await page.getByRole('button', { name: /^Panels/ }).click();
  await page.getByRole('menuitem', { name: /Reader counters/ }).click();
  await expect(counters).toBeVisible();
  await page.getByRole('button', { name: 'Reader counters: full screen' }).click();
  await expect(page.getByRole('region', { name: 'Timeline' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Reader counters: back into the page' }).click();
  await expect(page.getByRole('region', { name: 'Timeline' })).toBeVisible();
});

test('columns are resized by keyboard', async ({ page }) => {
  await openRun(page, '#v=1&sc=one-reader');
  const column = page.getByRole('region', { name: 'Tunables' });
  const before = (await column.boundingBox())?.width ?? 0;
  await page.getByRole('separator', { name: 'Width of the tunables' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(async () => (await column.boundingBox())?.width).toBeGreaterThan(before);
});

test('the theme goes round and is kept', async ({ page }) => {
  await openRun(page, '#v=1&sc=one-reader');
  await page.getByRole('button', { name: 'Theme: system' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.getByRole('button', { name: 'Theme: dark' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
});

test('the picture of the README', async ({ page }, testInfo) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await openRun(page);
  await digestOf(page);
  await expect(page.getByRole('heading', { name: /Why did grace period/ })).toBeVisible();
  // Into the working copy only on request: a picture is never the same twice.
  const path =
    process.env.RCUSCOPE_PICTURE === '1' ? 'docs/screenshot.png' : testInfo.outputPath('screenshot.png');
  await page.screenshot({ path });
});
