import { expectDone, openRun, scenarioButton } from './rcuscopePage.ts';
import { expect, test } from './support.ts';

test('play moves the cursor at the chosen speed and reset stops at the start', async ({ page }) => {
  await openRun(page, '#v=1&sc=back-to-back');
  const clock = page.getByLabel('Cursor', { exact: true });
  const before = await clock.textContent();
  await page.getByRole('button', { name: /^Play/ }).click();
  await expect(clock).not.toHaveText(before ?? '');
  await page.getByRole('button', { name: 'Reset to the start' }).click();
  await expect(clock).toContainText('t = 0.000 ms');
  await expect(page.getByRole('button', { name: /^Play/ })).toBeVisible();
  await page.waitForTimeout(200);
  await expect(clock).toContainText('t = 0.000 ms');
});

test('steps go from event to event, forward and back', async ({ page }) => {
  await openRun(page, '#v=1&sc=back-to-back');
  const event = page.getByLabel('Event', { exact: true });
  await page.getByRole('button', { name: 'Reset to the start' }).click();
  await expect(event).toContainText('event 0 of');
  const step = page.getByRole('button', { name: 'Step by one event' });
  await step.click();
  await expect(event).toContainText('event 1 of');
  await step.click();
  await expect(event).toContainText('event 2 of');
  await page.getByRole('button', { name: 'Step back by one event' }).click();
  await expect(event).toContainText('event 1 of');
});

test('next and previous grace period, end and scrub', async ({ page }) => {
  await openRun(page, '#v=1&sc=back-to-back');
  const clock = page.getByLabel('Cursor', { exact: true });
  const timeMs = async () => Number((await clock.textContent())?.match(/t = ([\d.]+)/)?.[1]);
  await page.getByRole('button', { name: 'Reset to the start' }).click();
  await page.getByRole('button', { name: 'To the next grace period' }).click();
  await expect.poll(timeMs).toBeGreaterThan(0);
  const first = await timeMs();
  await page.getByRole('button', { name: 'To the next grace period' }).click();
  await expect.poll(timeMs).toBeGreaterThan(first);
  await page.getByRole('button', { name: 'To the previous grace period' }).click();
  await expect.poll(timeMs).toBe(first);
  await page.getByRole('slider', { name: 'Time in the run' }).press('End');
  await expect.poll(timeMs).toBeGreaterThan(first);
  await expect(page.getByLabel('Event', { exact: true })).toHaveText(/event ([\d\u202f]+) of \1$/);
});

test('the main journey by keyboard alone', async ({ page }) => {
  await openRun(page);
  // Choose a scenario.
  await page.keyboard.press('Tab');
  await expect(scenarioButton(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.type('reader of 12 ms, expedited');
  await page.keyboard.press('Enter');
  await expect(scenarioButton(page)).toContainText('reader of 12 ms');
  await expectDone(page);
  // To the timeline, step, play and pause.
  const timeline = page.getByRole('application');
  for (
    let i = 0;
    i < 120 && !(await timeline.evaluate((element) => element === document.activeElement));
    i++
  ) {
    await page.keyboard.press('Tab');
  }
  await expect(timeline).toBeFocused();
  const event = page.getByLabel('Event', { exact: true });
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await expect(event).toContainText('event 1 of');
  await page.keyboard.press('Space');
  await expect(page.getByRole('button', { name: /^Pause/ })).toBeVisible();
  await page.keyboard.press('Space');
  await expect(page.getByRole('button', { name: /^Play/ })).toBeVisible();
  // The list of keys, and back.
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keys and pointer' })).toContainText('Shift+drag');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(timeline).toBeFocused();
  // Change a tunable, undo it.
  await page.getByRole('searchbox', { name: 'Filter tunables' }).focus();
  await page.keyboard.type('HZ');
  const hz = page.getByRole('region', { name: 'Tunables' }).getByRole('slider', { name: 'HZ' });
  for (let i = 0; i < 20 && !(await hz.evaluate((element) => element === document.activeElement)); i++) {
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => page.url()).toContain('hz=251');
  await page.keyboard.press('Control+z');
  await expect.poll(() => page.url()).not.toContain('hz=');
});
