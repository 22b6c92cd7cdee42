import { digestOf, dragTo, expectDone, headline, openRun, slider, tunable } from './rcuscopePage.ts';
import { expect, test } from './support.ts';

const phase = 'srcu_max_nodelay_phase';

test('dragging a slider re-runs while it is dragged, and writes the link when it is let go', async ({
  page,
}) => {
  await openRun(page, '#v=1&sc=back-to-back');
  const figure = headline(page, 'Run time').locator('.card-figure');
  const before = await figure.textContent();
  const url = page.url();
  await dragTo(page, slider(page, phase), 0.02);
  await expect(figure).not.toHaveText(before ?? '');
  expect(page.url()).toBe(url);
  await page.mouse.up();
  await expect.poll(() => page.url()).toContain(`srcutree.${phase}=`);
});

test('a drag is one step to undo and to redo', async ({ page }) => {
  await openRun(page, '#v=1&sc=back-to-back');
  const digest = await digestOf(page);
  const field = tunable(page, phase).getByRole('textbox');
  const before = await field.inputValue();
  await dragTo(page, slider(page, phase), 0.02);
  await page.mouse.up();
  const dragged = await field.inputValue();
  expect(dragged).not.toBe(before);
  await page.keyboard.press('Control+z');
  await expect(field).toHaveValue(before);
  await expectDone(page);
  expect(await digestOf(page)).toBe(digest);
  await page.keyboard.press('Control+Shift+z');
  await expect(field).toHaveValue(dragged);
  await page.getByRole('button', { name: 'Undo the last change' }).click();
  await expect(field).toHaveValue(before);
  await expect(page.getByRole('button', { name: 'Undo the last change' })).toBeDisabled();
});

test('what was changed is marked, counted, and can be taken back', async ({ page }) => {
  await openRun(page, '#v=1&sc=back-to-back&hz=1000');
  const hz = tunable(page, 'HZ');
  await expect(hz.getByRole('img', { name: 'changed' })).toBeVisible();
  await expect(page.getByText('1 changed')).toBeVisible();
  await hz.getByRole('button', { name: 'Reset HZ' }).click();
  await expect(page.getByText('as the scenario has it')).toBeVisible();
  await expect(hz.getByRole('img', { name: 'changed' })).toHaveCount(0);
  expect(page.url()).not.toContain('hz=');
});

test('a typed number is taken on Enter; one that is not allowed is not, and says what is', async ({
  page,
}) => {
  await openRun(page, '#v=1&sc=back-to-back');
  const field = tunable(page, 'HZ').getByRole('textbox');
  await field.fill('300');
  await field.press('Enter');
  await expect.poll(() => page.url()).toContain('hz=300');
  await field.fill('5000');
  await field.press('Enter');
  await expect(tunable(page, 'HZ')).toContainText('a whole number from 24 to 1200');
  expect(page.url()).toContain('hz=300');
  await field.press('Escape');
  await expect(field).toHaveValue('300');
});

test('parameters that the kernel lacks are shown disabled, with the releases that have them', async ({
  page,
}) => {
  await openRun(page, '#v=1&sc=boot-storm:v5.18');
  const row = tunable(page, phase);
  await expect(row.getByRole('textbox')).toBeDisabled();
  await expect(row).toContainText('kernel v5.18 does not have it (v5.19-patch-v1 and later');
});

test('another kernel takes the parameters that it lacks with it, and says so', async ({ page }) => {
  await openRun(page, `#v=1&sc=back-to-back&srcutree.${phase}=77`);
  await tunable(page, 'kernel')
    .getByRole('button', { name: /kernel/ })
    .click();
  await page.getByRole('option', { name: 'v5.18', exact: true }).click();
  await expect(page.getByText('v5.18 does not have these parameters')).toBeVisible();
  await expectDone(page);
});

test('the filter finds tunables by name, in closed groups too', async ({ page }) => {
  await openRun(page, '#v=1&sc=back-to-back');
  await page.getByRole('searchbox', { name: 'Filter tunables' }).fill('timer.migration');
  await expect(page.locator('.tunable:visible')).toHaveCount(1);
  await expect(tunable(page, 'timer.migration')).toBeVisible();
});

test('an actor is added, changed and removed', async ({ page }) => {
  await openRun(page, '#v=1&sc=back-to-back');
  const tunables = page.getByRole('region', { name: 'Tunables' });
  const actors = tunables.getByRole('region', { name: /^Actor/ });
  await expect(actors).not.toHaveCount(0);
  const count = await actors.count();
  await tunables.getByRole('group', { name: 'Add an actor' }).getByRole('button', { name: 'load' }).click();
  await expect(actors).toHaveCount(count + 1);
  await expectDone(page);
  await actors
    .last()
    .getByRole('button', { name: /^Remove/ })
    .click();
  await expect(actors).toHaveCount(count);
  expect(page.url()).not.toContain('w=');
});

test('a pasted command line sets what it names and lists what it ignored and why', async ({ page }) => {
  await openRun(page, '#v=1&sc=back-to-back');
  await page.getByRole('button', { name: 'Paste a command line' }).click();
  const dialog = page.getByRole('dialog');
  await dialog
    .getByRole('textbox', { name: 'Kernel command line' })
    .fill(`root=/dev/vda quiet srcutree.${phase}=123 srcutree.no_such_thing=1 nr_cpus=2`);
  await expect(dialog).toContainText('srcutree.no_such_thing');
  await expect(dialog).toContainText('no kernel has it');
  await expect(dialog).toContainText('root=/dev/vda quiet');
  await dialog.getByRole('button', { name: 'Set 2 values' }).click();
  await expect(tunable(page, phase).getByRole('textbox')).toHaveValue('123');
  await expect(tunable(page, 'nr_cpus').getByRole('textbox')).toHaveValue('2');
  await expect(page.getByText('Of the command line this was ignored:')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Boot arguments' })).toContainText(`srcutree.${phase}=123`);
});
