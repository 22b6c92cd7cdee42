import type { Page } from '@playwright/test';
import { openRun, scenarioButton } from './rcuscopePage.ts';
import { expect, test } from './support.ts';

/** Widths on both sides of every change of the layout, and what people have. */
const WIDTHS = [320, 390, 799, 800, 1024, 1199, 1200, 1280, 1366, 1400, 1536, 1599, 1600];

/** Controls of the header that lie over one another, or outside the window. */
function misplaced(): string[] {
  const parts = [...document.querySelectorAll('.app-header :is(button, output, h1, .app-progress)')].filter(
    (part) => part.getBoundingClientRect().width > 0,
  );
  const boxes = parts.map((part) => ({
    name: part.getAttribute('aria-label') ?? part.textContent ?? '',
    box: part.getBoundingClientRect(),
  }));
  return boxes.flatMap(({ name, box }, i) => [
    ...(box.left < 0 || box.right > window.innerWidth + 0.5 ? [`${name} is outside`] : []),
    ...boxes
      .slice(i + 1)
      .filter(({ box: other }) => {
        const widthPx = Math.min(box.right, other.right) - Math.max(box.left, other.left);
        const heightPx = Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top);
        return widthPx > 0.5 && heightPx > 0.5;
      })
      .map((other) => `${name} lies over ${other.name}`),
  ]);
}

async function expectRoom(page: Page): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate(misplaced), `${width} px`).toEqual([]);
    const box = await scenarioButton(page).boundingBox();
    expect(box?.width, `${width} px: list of scenarios`).toBeGreaterThan(Math.min(190, width / 2 - 50));
    // Fails where something else is on top.
    await scenarioButton(page).click({ trial: true, timeout: 2000 });
  }
}

for (const scenario of ['first-grace-period', 'kfree-polled:after-short', 'boot-storm:v1-hz250']) {
  test(`no control of the header covers another, whatever the width: ${scenario}`, async ({ page }) => {
    await openRun(page, `#v=1&sc=${scenario}`);
    await expectRoom(page);
  });
}

test('nor does it while a run is under way', async ({ page }) => {
  await page.goto('./#v=1&sc=kfree-polled:after-1');
  const cancel = page.getByRole('button', { name: 'Cancel' });
  await expect(cancel).toBeVisible();
  await expectRoom(page);
  await cancel.click();
});
