import { digestOf, expectDone, openRun, slider, tunable } from './rcuscopePage.ts';
import { expect, test } from './support.ts';

/** One thread that frees 10 times 500 objects of 256 bytes with kfree_rcu(). */
const FLOOD = '#v=1&w=1.i65Wys7MS1GyUspOK0pNVdJRysnPLyhWsjI00FFKzMnJTwayTQ2AnOLMqlQgO9rI1CxWRykvMzlVycqgNhYA';
/** A holdout of 30 ms on CPU 1, two calls of synchronize_rcu_tasks() on CPU 0. */
const TASKS =
  '#v=1&w=1.PYw7CsAgFATvsrVFPp1XCUFEBUXRh0-LJOTuMQSy3bDMbBdiyBYSviRbeoOAoQ45CzCFDLlO3wYn52g8H9_iVztZ3VwdqqYwmI9sfC05nE5V01XTHPkN65QYcrn3Bw';

test('a flood has its own tunables', async ({ page }) => {
  await openRun(page, FLOOD);
  const digest = await digestOf(page);
  await expect(tunable(page, 'allocs')).toContainText('objects per loop');
  await expect(tunable(page, 'loops')).toContainText('5,000 objects in all');
  await expect(tunable(page, 'rcu_min_cached_objs')).toContainText('80 KiB in all');
  await expect(tunable(page, 'allocator').getByRole('button', { name: 'allocator' })).toContainText('slub');
  const sizes = tunable(page, 'sizes').getByRole('textbox');
  await sizes.fill('32,64');
  await sizes.press('Enter');
  await expect(tunable(page, 'sizes')).toContainText('sizes from 1 to 8192 bytes, cycled');
  await sizes.fill('32/64/96/128');
  await sizes.press('Enter');
  await expectDone(page);
  await expect.poll(() => digestOf(page)).not.toBe(digest);
  await slider(page, 'nice').press('End');
  await expect(tunable(page, 'nice').getByRole('textbox')).toHaveValue('19');
});

test('the drain delay of the kernel stands beside its parameters', async ({ page }) => {
  await openRun(page, FLOOD);
  const drain = tunable(page, 'drain delay');
  await expect(drain).toContainText('1,250 jiffies');
  await expect(drain).toContainText('from 507 objects on a CPU: 1 jiffy, 4 ms to 8 ms');
  await openRun(page, `${FLOOD}&k=v5.10&hz=1000`);
  await expect(drain).toContainText('20 jiffies');
  await expect(drain).toContainText('20 ms to 21 ms');
  await openRun(page, `${FLOOD}&k=v5.4`);
  await expect(drain).toContainText('v5.4 has no batches to drain');
});

test('machine and parameters of kvfree_rcu() are what if, and stand in the link', async ({ page }) => {
  await openRun(page, FLOOD);
  await slider(page, 'kfreeStuckCpus').press('ArrowRight');
  await expect.poll(() => page.url()).toContain('machine.kfreeStuckCpus=1');
  const objects = tunable(page, 'rcu_min_cached_objs').getByRole('textbox');
  await objects.fill('0');
  await objects.press('Enter');
  await expect(tunable(page, 'rcu_min_cached_objs')).toContainText('no page is kept for blocks');
  await expect.poll(() => page.url()).toContain('rcutree.rcu_min_cached_objs=0');
  await page.getByRole('searchbox', { name: 'Filter tunables' }).fill('kfreefree');
  const costs = tunable(page, 'kfreeFreeNs').getByRole('textbox');
  await costs.fill('32:49ns/256:1us');
  await costs.press('Enter');
  await expect.poll(() => page.url()).toContain('machine.kfreeFreeNs=32:49ns/256:1us');
});

test('the one-argument form is disabled where the kernel lacks it', async ({ page }) => {
  await openRun(page, `${FLOOD}&k=v5.7`);
  await tunable(page, 'form').getByRole('button', { name: 'form' }).click();
  await expect(page.getByRole('option', { name: /^single/ })).toHaveAttribute('aria-disabled', 'true');
  await expect(page.getByRole('option', { name: /^single/ })).toContainText(
    'kernel v5.7 does not have the one-argument form (v5.10 and later)',
  );
});

test('a run of RCU Tasks has its own tunables', async ({ page }) => {
  await openRun(page, TASKS);
  await expect(tunable(page, 'rcu_task_stall_info')).toContainText('10 s, 40 s, 130 s');
  await expect(tunable(page, 'sleep')).toContainText('asleep');
  await tunable(page, 'tasksUrgent').getByRole('textbox').fill('2');
  await tunable(page, 'tasksUrgent').getByRole('textbox').press('Enter');
  await expect.poll(() => page.url()).toContain('initial.tasksUrgent=2');
  await page.getByRole('button', { name: 'exiter', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Actor 2: exiter' })).toContainText('exit_tasks_rcu_start()');
  await expectDone(page);
});
