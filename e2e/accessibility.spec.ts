import { openRun, scenarioButton, tunable } from './rcuscopePage.ts';
import { expect, expectAccessibleInBothThemes, test } from './support.ts';

test('page', async ({ page }) => {
  await openRun(page, '#v=1&sc=first-grace-period');
  await expectAccessibleInBothThemes(page);
});

test('everything of the left column open, some of it changed or wrong', async ({ page }) => {
  test.slow();
  await openRun(page, '#v=1&sc=callbacks-and-barrier&hz=300&cpus=16&lost=1');
  await page.evaluate(() => {
    for (const group of document.querySelectorAll('details')) group.open = true;
  });
  const field = tunable(page, 'HZ').getByRole('textbox');
  await field.fill('7');
  await field.press('Enter');
  await expect(tunable(page, 'HZ')).toContainText('a whole number');
  await expectAccessibleInBothThemes(page);
});

for (const [button, title] of [
  ['Share', 'Share this run'],
  ['List the keys', 'Keys'],
  ['Paste a command line', 'Paste a kernel command line'],
] as const) {
  test(`dialog: ${title}`, async ({ page }) => {
    await openRun(page, '#v=1&sc=one-reader');
    await page.getByRole('button', { name: button }).click();
    await expect(page.getByRole('dialog', { name: title })).toBeVisible();
    await expectAccessibleInBothThemes(page);
  });
}

test('open list of scenarios, open machine panel', async ({ page }) => {
  test.slow();
  await openRun(page, '#v=1&sc=one-reader');
  await scenarioButton(page).click();
  await expect(page.getByRole('listbox')).toBeVisible();
  await expectAccessibleInBothThemes(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /CPUs/ }).click();
  await expect(page.getByRole('dialog', { name: 'Machine' })).toBeVisible();
  await expectAccessibleInBothThemes(page);
});

/** Panels with much in them; callback lists, kfree_rcu() and RCU Tasks are in their own specs. */
test.describe('filled panels', () => {
  for (const [title, hash, panel, text] of [
    ['Expedited', 'sc=normal-vs-expedited:expedited&cur=30217us', /^Expedited/, 'CPU 2:'],
    ['sr_normal list', 'sc=convoy:parallel-wake&cur=100ms', /^sr_normal list/, 'callers, newest first'],
    ['rcu_node tree of 4096 CPUs', 'sc=idle-system&cpus=4096', /^rcu_node tree/, 'root 0–4095'],
  ] as const) {
    test(title, async ({ page }) => {
      test.slow();
      await openRun(page, `#v=1&${hash}`);
      await expect(page.getByRole('region', { name: panel })).toContainText(text);
      await expectAccessibleInBothThemes(page);
    });
  }
});
