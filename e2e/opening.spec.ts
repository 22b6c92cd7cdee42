import { digestOf, expectDone, openRun, scenarioButton, tunable } from './rcuscopePage.ts';
import { expect, test } from './support.ts';

test('without a link the first grace period is there, paused, with why it took so long', async ({ page }) => {
  await openRun(page);
  await expect(scenarioButton(page)).toContainText('woken by a callback');
  await expect(page.getByRole('button', { name: /^Play/ })).toBeVisible();
  await expect(page.getByRole('heading', { name: /Why did grace period .*take/ })).toBeVisible();
  const clock = page.getByLabel('Cursor', { exact: true });
  const before = await clock.textContent();
  await page.waitForTimeout(300);
  await expect(clock).toHaveText(before ?? '');
});

test('the boot storm opens paused at the first grace period that sleeps', async ({ page }) => {
  await openRun(page, '#v=1&sc=boot-storm');
  await expect(page.getByRole('heading', { name: /Why did grace period \d+ .*take/ })).toBeVisible();
  const clock = await page.getByLabel('Cursor', { exact: true }).textContent();
  expect(Number(clock?.match(/t = ([\d.]+) ms/)?.[1])).toBeGreaterThan(4870);
});

test('the address bar holds the run from the start, and opens the same one', async ({ page }) => {
  await openRun(page, '#v=1&sc=one-reader&hz=1000');
  expect(page.url()).toContain('hz=1000');
  const digest = await digestOf(page);
  await page.reload();
  await expectDone(page);
  expect(await digestOf(page)).toBe(digest);
});

test('what is not here yet is absent', async ({ page }) => {
  await openRun(page);
  await expect(page.getByRole('button', { name: 'exiter', exact: true })).toBeVisible();
  for (const name of [/Lessons/, /Compare/, /Sweep/, /Export/]) {
    await expect(page.getByRole('button', { name })).toHaveCount(0);
  }
});

test('a panel that nobody has is listed, and the notice goes with the scenario', async ({ page }) => {
  await openRun(page, '#v=1&sc=one-reader&panel=zz');
  const notice = page.getByText('panel: "zz": there is no such panel');
  await expect(notice).toBeVisible();
  await scenarioButton(page).click();
  await page.keyboard.type('woken by the kthread');
  await page.keyboard.press('Enter');
  await expectDone(page);
  await expect(notice).toHaveCount(0);
});

test('junk in the link gives a notice that lists it, and the rest applies', async ({ page }) => {
  await openRun(page, '#v=1&sc=one-reader&hz=banana&colour=red&cpus=3');
  await expect(page.getByText('2 keys of this link were ignored')).toBeVisible();
  await expect(page.getByText(/^hz: "banana": .*; ignored, 250 stays$/)).toBeVisible();
  await expect(tunable(page, 'nr_cpus').getByRole('textbox')).toHaveValue('3');
});

test.describe('junk never leaves the page blank', () => {
  const junk = [
    '#',
    '#%%%',
    '#v=999&sc=nothing:at-all',
    '#w=1.AAAA',
    `#${'a'.repeat(20_000)}`,
    '#sc=one-reader&t=5..1&cur=never&sel=gp:99999999&panel=unknown&d=xyz',
    '#sc=one-reader&sel=gp:99999999&t=0ns..1ns&cur=900s:99999999',
    '#sc=one-reader&panel=unknown',
  ];
  for (const hash of junk) {
    test(hash.slice(0, 40), async ({ page }) => {
      await openRun(page, hash);
      await expect(page.getByRole('main')).toBeVisible();
      await expect(page.getByRole('region', { name: 'Timeline' })).toBeVisible();
    });
  }
});

test('another hash in the same tab is another run', async ({ page }) => {
  await openRun(page, '#v=1&sc=one-reader');
  const digest = await digestOf(page);
  await page.evaluate(() => {
    location.hash = '#v=1&sc=one-reader&hz=1000';
  });
  await expect(tunable(page, 'HZ').getByRole('textbox')).toHaveValue('1000');
  await expect.poll(() => digestOf(page)).not.toBe(digest);
});
