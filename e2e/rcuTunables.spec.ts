import { digestOf, dragTo, expectDone, openRun, slider, tunable } from './rcuscopePage.ts';
import { expect, test } from './support.ts';

/** One reader of 1 ms on CPU 1, three calls of synchronize_rcu() on CPU 0. */
const RUN =
  '#v=1&w=1.RYwxCoAwEAT_svUVit19RUSOXNBgTEI0hYp_F0V0yoGZ9sDkgoKRrajNIGicxYXbmAKCSQVcE8boFVxXDyd9XUkq6xNKcmAsWzBjjsHttn8P4v0CbgiDpH_RXQ';

test('a run of Tree RCU has its own tunables, and none of SRCU', async ({ page }) => {
  await openRun(page, RUN);
  await expect(tunable(page, 'jiffies_till_first_fqs').getByRole('textbox')).toHaveValue('1');
  await expect(tunable(page, 'jiffies_till_sched_qs')).toContainText('computed as 25');
  await expect(tunable(page, 'srcu_max_nodelay_phase')).toHaveCount(0);
  // expert ones are folded away
  await expect(tunable(page, 'rcu_fanout_leaf')).toHaveCount(0);
  await page.getByRole('searchbox', { name: 'Filter tunables' }).fill('fanout');
  await expect(tunable(page, 'rcu_fanout_leaf')).toContainText('one rcu_node for all 4 CPUs');
});

test('defaults follow HZ and the number of CPUs as the kernel computes them', async ({ page }) => {
  await openRun(page, RUN);
  await page.getByRole('button', { name: 'HZ 1000' }).click();
  const first = tunable(page, 'jiffies_till_first_fqs');
  await expect(first.getByRole('textbox')).toHaveValue('3');
  const cpus = tunable(page, 'nr_cpus').getByRole('textbox');
  await cpus.fill('512');
  await cpus.press('Enter');
  await expect(first.getByRole('textbox')).toHaveValue('5');
  await expect(first).toContainText('2 jiffies of it for 512 CPUs');
  expect(page.url()).not.toContain('rcutree.');
});

test('dragging the first wait changes the run', async ({ page }) => {
  await openRun(page, RUN);
  const digest = await digestOf(page);
  await dragTo(page, slider(page, 'jiffies_till_first_fqs'), 0.5);
  await page.mouse.up();
  await expectDone(page);
  await expect.poll(() => page.url()).toContain('rcutree.jiffies_till_first_fqs=');
  await expect.poll(() => digestOf(page)).not.toBe(digest);
});

test('a switch that the kernel lacks is disabled, with the releases that have it', async ({ page }) => {
  await openRun(page, `${RUN}&k=v6.6`);
  const row = tunable(page, 'rcu_normal_wake_from_gp');
  await expect(row.getByRole('button')).toBeDisabled();
  await expect(row).toContainText('kernel v6.6 does not have it (v6.10 and later)');
});

test('a list of offloaded CPUs is typed as the kernel reads it', async ({ page }) => {
  await openRun(page, RUN);
  const row = tunable(page, 'rcu_nocbs');
  await row.getByRole('textbox').fill('0-9');
  await row.getByRole('textbox').press('Enter');
  await expect(row).toContainText('CPUs from 0 to 3');
  await row.getByRole('textbox').fill('0-N:1/2');
  await row.getByRole('textbox').press('Enter');
  await expect(row).toContainText('2 CPUs offloaded: 0,2; 2 rcuog kthreads');
  await expectDone(page);
  expect(page.url()).toContain('rcu_nocbs=0-N:1/2');
});

test('an actor goes from one mechanism to the other, and its tunables follow', async ({ page }) => {
  await openRun(page, '#v=1&sc=back-to-back');
  await expect(tunable(page, 'blimit')).toHaveCount(0);
  await tunable(page, 'api').getByRole('button').first().click();
  await page.getByRole('option', { name: 'synchronize_rcu', exact: true }).click();
  await expectDone(page);
  await expect(tunable(page, 'blimit')).toBeVisible();
  await expect(tunable(page, 'srcu_max_nodelay_phase')).toBeVisible();
  await tunable(page, 'domain').getByRole('button').first().click();
  await page.getByRole('option', { name: 'rcu', exact: true }).click();
  await expect(tunable(page, 'srcu_max_nodelay_phase')).toHaveCount(0);
  await expectDone(page);
});

test('a pasted command line says what has no effect, and what the kernel makes of a value', async ({
  page,
}) => {
  await openRun(page, RUN);
  await page.getByRole('button', { name: 'Paste a command line' }).click();
  const dialog = page.getByRole('dialog');
  await dialog
    .getByRole('textbox', { name: 'Kernel command line' })
    .fill('rcutree.enable_rcu_lazy=1 rcutree.jiffies_till_next_fqs=0 -- rcutree.blimit=99');
  await expect(dialog).toContainText('no effect: it needs CONFIG_RCU_LAZY');
  await expect(dialog).toContainText('the kernel makes it 1');
  await expect(dialog).toContainText('rcutree.blimit=99 after "--": goes to init');
  await dialog.getByRole('button', { name: 'Set 2 values' }).click();
  await expect(tunable(page, 'enable_rcu_lazy')).toContainText('no effect: it needs CONFIG_RCU_LAZY');
});
