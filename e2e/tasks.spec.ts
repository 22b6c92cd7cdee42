import type { Page } from '@playwright/test';
import { openRun } from './rcuscopePage.ts';
import { expect, expectAccessible, expectAccessibleInBothThemes, test } from './support.ts';

const TRAMPOLINE = '#v=1&sc=trampoline&cur=300ms';
const panelOf = (page: Page) => page.getByRole('region', { name: /^RCU Tasks/ });
const flavours = (page: Page) => page.getByRole('dialog', { name: 'Which flavour am I waiting for?' });

test('the loop, its holdout and the next scan at the cursor', async ({ page }) => {
  await openRun(page, TRAMPOLINE);
  const panel = panelOf(page);
  await expect(panel.getByRole('img', { name: /RTGS_WAIT_SCAN_HOLDOUTS \(6\)/ })).toBeVisible();
  await expect(panel).toContainText('1 of 1 holdout left');
  await expect(panel.getByRole('img', { name: /^When holdouts are scanned/ })).toBeVisible();
  const holdout = panel.getByRole('list', { name: 'Holdouts' }).getByRole('button').first();
  await expect(holdout).toContainText('the next scan takes it off');
  await holdout.focus();
  await page.keyboard.press('Enter');
  await expect(panel.getByRole('img', { name: /RTGS_SCAN_TASKLIST \(4\)/ })).toBeVisible();
  await expectAccessibleInBothThemes(page);
});

test('why a grace period of RCU Tasks took a second', async ({ page }) => {
  await openRun(page, `${TRAMPOLINE}&sel=gp:0`);
  await expect(
    page.getByRole('heading', { name: /grace period 1 of RCU Tasks take 1\.0\d+ s/i }),
  ).toBeVisible();
  await expect(page.getByText(/had left, which nothing noticed before scan 1/)).toBeVisible();
});

test('which flavour am I waiting for: from the panel and from the help, by keyboard', async ({ page }) => {
  await openRun(page, TRAMPOLINE);
  await panelOf(page).getByRole('button', { name: 'Which flavour am I waiting for?' }).press('Enter');
  const dialog = flavours(page);
  await expect(dialog).toContainText('Served by RCU Tasks.');
  await expect(dialog).toContainText('rcupdate.rcu_expedited=1 does not help');
  await dialog.getByRole('combobox', { name: 'The call that waits' }).selectOption('synchronize_rcu');
  await expect(dialog).toContainText('Served by Tree RCU.');
  await expect(dialog).toContainText('makes it an expedited grace period');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await page.keyboard.press('?');
  await page.getByRole('button', { name: 'Which flavour am I waiting for?' }).last().press('Enter');
  await expect(flavours(page)).toBeVisible();
});

test('SRCU inside classic RCU Tasks: its parameters are there, and the flavour view says what they change', async ({
  page,
}) => {
  await openRun(page, '#v=1&sc=exiting-tasks:srcu');
  await expect(page.getByRole('region', { name: 'Tunables' })).toContainText('srcu_max_nodelay_phase');
  await panelOf(page).getByRole('button', { name: 'Which flavour am I waiting for?' }).press('Enter');
  const listOf = (name: string) =>
    flavours(page)
      .locator('section')
      .filter({ has: page.getByRole('heading', { name }) });
  await expect(listOf('Changes only the grace periods inside it')).toContainText(
    'srcutree.srcu_max_nodelay_phase',
  );
  await expect(listOf('Changes nothing here')).not.toContainText('srcutree.srcu');
  await expect(listOf('Not in v6.6')).toContainText('rcutree.rcu_normal_wake_from_gp');
});
