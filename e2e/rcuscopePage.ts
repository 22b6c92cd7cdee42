import type { Locator, Page } from '@playwright/test';
import { expect } from './support.ts';

/** Opens the page with a hash and waits until its run has finished and the page is complete. */
export async function openRun(page: Page, hash = ''): Promise<void> {
  await page.goto(`./${hash}`);
  await expectDone(page);
  await expect(page.getByText('Loading the picture')).toHaveCount(0);
}

/** The run of the present configuration has finished. */
export async function expectDone(page: Page): Promise<void> {
  await expect(page.locator('.app')).toHaveAttribute('data-status', 'done', { timeout: 30_000 });
}

/** Digest of the run on the screen; waits until the page knows it. */
export async function digestOf(page: Page): Promise<string> {
  const app = page.locator('.app');
  await expect(app).toHaveAttribute('data-digest', /^[0-9a-f]{8}$/, { timeout: 30_000 });
  return (await app.getAttribute('data-digest')) ?? '';
}

/** Shows the chosen scenario and opens the list of them. */
export function scenarioButton(page: Page): Locator {
  return page.getByRole('banner').getByRole('button', { name: /Scenario$/ });
}

/** A tunable of the left column by its name. */
export function tunable(page: Page, name: string): Locator {
  return page.getByRole('region', { name: 'Tunables' }).locator(`[data-tunable="${name}"]`);
}

/** The slider of a tunable. */
export function slider(page: Page, name: string): Locator {
  return tunable(page, name).getByRole('slider');
}

/** The thumb of `of` is dragged to `share` of its track and held there. */
export async function dragTo(page: Page, of: Locator, share: number): Promise<void> {
  await of.scrollIntoViewIfNeeded();
  const box = await of.boundingBox();
  if (box === null) throw new Error('the slider is not on the screen');
  const from = (Number(await of.inputValue()) / Number(await of.getAttribute('max'))) * (box.width - 14) + 7;
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + from, y);
  await page.mouse.down();
  await page.mouse.move(box.x + 7 + share * (box.width - 14), y, { steps: 8 });
}

/** The headline figure of this name. */
export function headline(page: Page, name: string): Locator {
  return page.getByRole('region', { name: 'Headline figures' }).locator('.card', { hasText: name });
}
