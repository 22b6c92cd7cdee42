import type { Page } from '@playwright/test';
import {
  digestOf,
  dragTo,
  expectDone,
  headline,
  openRun,
  scenarioButton,
  slider,
  tunable,
} from './rcuscopePage.ts';
import { expect, expectAccessible, expectAccessibleInBothThemes, test } from './support.ts';

const FIRST = '#v=1&sc=first-grace-period';

/** Shares of the bar of "why", as the list says them to screen readers: they sum to a hundred. */
async function expectSumOfShares(page: Page): Promise<void> {
  const values = await page
    .locator('.why-list .line-value')
    .evaluateAll((cells) => cells.map((cell) => cell.textContent ?? ''));
  expect(values.length).toBeGreaterThan(1);
  // "12.0 ms, 34 %, jump there"; "< 0.1 %" and "> 99.9 %" are off by less than that.
  const shares = values.map((text) => Number(/([\d.]+)\s*%/.exec(text)?.[1]));
  const sum = shares.reduce((total, share) => total + share, 0);
  expect(sum).toBeGreaterThan(98.5);
  expect(sum).toBeLessThan(101.5);
}

function panel(page: Page, name: RegExp) {
  return page.getByRole('region', { name });
}

test('a first grace period by keyboard: its story, its events, its rules, and back', async ({ page }) => {
  await openRun(page, FIRST);
  await expect(scenarioButton(page)).toContainText('A first grace period');
  const tree = panel(page, /^rcu_node tree/);
  await expect(tree).toContainText('CPU 2: reader/0 has been in its section');
  await expect(panel(page, /^GP kthread/)).toContainText('first scan in 2 jiffies');
  // The story goes from moment to moment.
  const story = panel(page, /^What to look at/);
  const clock = page.getByLabel('Cursor', { exact: true });
  await story.getByRole('button', { name: 'Next thing to look at' }).focus();
  await page.keyboard.press('Enter');
  await expect(clock).toContainText('t = 16');
  await page.keyboard.press('Enter');
  await expect(story).toContainText('3/3');
  // From the timeline to its start, event by event, and on.
  const timeline = page.getByRole('application');
  await timeline.focus();
  await page.keyboard.press('Home');
  await expect(tree).toContainText('no grace period runs');
  await page.keyboard.press('ArrowRight');
  await expect(page.getByLabel('Event', { exact: true })).toContainText('event 1 of');
  // Other rules, another run; undone, the same run.
  const digest = await digestOf(page);
  const scan = slider(page, 'jiffies_till_first_fqs');
  await scan.focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => page.url()).toContain('rcutree.jiffies_till_first_fqs=2');
  await expect.poll(() => digestOf(page)).not.toBe(digest);
  await page.keyboard.press('Control+z');
  await expect.poll(() => digestOf(page)).toBe(digest);
});

test('dragging HZ runs again while it is dragged', async ({ page }) => {
  await openRun(page, FIRST);
  const latency = headline(page, 'Latency p50').locator('.card-figure');
  const before = await latency.textContent();
  await dragTo(page, slider(page, 'HZ'), 0.9);
  await expect(latency).not.toHaveText(before ?? '');
  expect(page.url()).not.toContain('hz=');
  await page.mouse.up();
  await expect.poll(() => page.url()).toContain('hz=');
});

test('why: a grace period and a call, each in parts that sum to the whole', async ({ page }) => {
  await openRun(page, FIRST);
  await expect(page.getByRole('heading', { name: /Why did grace period -300 of RCU take/i })).toBeVisible();
  await expectSumOfShares(page);
  await openRun(page, `${FIRST}&sel=call:0`);
  await expect(page.getByRole('heading', { name: /Why did call 0 of updater\/0/i })).toBeVisible();
  await expectSumOfShares(page);
});

test('the legend says what this run has', async ({ page }) => {
  await openRun(page, FIRST);
  const legend = page.getByRole('list', { name: 'Legend' });
  await expect(legend).toContainText('learns');
  await expect(legend).not.toContainText('polling');
  await expect(legend).not.toContainText('IPI');
  await openRun(page, '#v=1&sc=normal-vs-expedited:expedited');
  await expect(legend).toContainText('IPI');
  await openRun(page, '#v=1&sc=one-reader');
  await expect(legend).toContainText('polling');
  await expect(legend).not.toContainText('learns');
});

test('a pasted grace-period number is read, with its cookie', async ({ page }) => {
  await openRun(page, FIRST);
  const numbers = panel(page, /^Grace-period numbers/i);
  await numbers.getByRole('textbox', { name: 'gp_seq' }).fill('0xfffffffffffffb55');
  await expect(numbers).toContainText('-1195 (0xfffffffffffffb55)');
  await expect(numbers).toContainText('a grace period runs');
  await numbers.getByRole('textbox', { name: /cookie/ }).fill('-1196');
  await expect(
    numbers.locator('dt', { hasText: /^done$/ }).locator('xpath=following-sibling::dd[1]'),
  ).toHaveText('yes');
  await numbers.getByRole('textbox', { name: 'gp_seq' }).fill('soon');
  await expect(numbers.getByRole('alert')).toContainText('gp_seq "soon" is no number');
});

test('callback lists: who waits for which segment, and one CPU chosen by keyboard', async ({ page }) => {
  await openRun(page, '#v=1&sc=android-launch&cur=2088ms');
  const lists = panel(page, /^Callback lists/);
  await expect(lists).toContainText(
    /waits in synchronize_rcu\(\): its callback is in WAIT on CPU \d, for grace/,
  );
  const heads = lists.getByRole('button', { name: /^CPU \d, offloaded/ });
  await expect(heads).toHaveCount(6);
  const choice = lists.getByRole('combobox', { name: 'CPUs whose callbacks are shown' });
  await choice.focus();
  await page.keyboard.press('End');
  await expect(lists).toContainText('CPU 7 has no callbacks');
  await page.keyboard.press('ArrowUp');
  await expect(heads).toHaveText([/^CPU 6/]);
  await expectAccessibleInBothThemes(page);
});

test.describe('4096 CPUs', () => {
  const LARGE = '#v=1&sc=idle-system&cpus=4096';

  test('the tree is walked level by level, a CPU is found, a step stays quick', async ({ page }) => {
    await openRun(page, LARGE);
    const tree = panel(page, /^rcu_node tree/);
    await expect(tree).toContainText('root 0–4095');
    // Four children, one of them followed: never all leaves at once.
    expect(await tree.locator('.rcu-cell').count()).toBeLessThan(200);
    await tree.getByRole('button', { name: /2048.3071/ }).click();
    await expect(tree).toContainText('node 2048–3071');
    await tree.getByRole('button', { name: /2992.3007/ }).click();
    await expect(tree).toContainText('leaf 2992–3007');
    await tree.getByRole('button', { name: 'follow what is missing' }).click();
    await expect(tree).toContainText('leaf 0–15');
    // The kthread stands above the CPUs, and CPUs are behind their leaves.
    await expect(page.getByRole('button', { name: /^rcu_preempt/ })).toBeVisible();
    const jump = page.getByRole('textbox', { name: 'Go to CPU' });
    await jump.fill('3000');
    await jump.press('Enter');
    await expect(page.getByRole('button', { name: /^CPU 3000/ })).toBeVisible();
    const event = page.getByLabel('Event', { exact: true });
    const before = await event.textContent();
    await page.getByRole('button', { name: 'Step by one event' }).click();
    await expect(event).not.toHaveText(before ?? '');
    await expectAccessible(page);
  });
});

test('a shared link shows the same grace period to somebody else', async ({ page, browser }) => {
  await openRun(page, `${FIRST}&hz=1000`);
  const digest = await digestOf(page);
  await page.getByRole('application').focus();
  await page.keyboard.press('End');
  await page.getByRole('button', { name: 'Share' }).click();
  const link = await page.getByRole('dialog').getByRole('textbox', { name: 'Link' }).inputValue();
  const context = await browser.newContext();
  const other = await context.newPage();
  await other.goto(link);
  await expectDone(other);
  await expect(other.getByText(`Identical run: digest ${digest}`)).toBeVisible();
  await expect(other.getByRole('heading', { name: /Why did grace period -300/i })).toBeVisible();
  await expect(tunable(other, 'HZ').getByRole('textbox')).toHaveValue('1000');
  await context.close();
});
