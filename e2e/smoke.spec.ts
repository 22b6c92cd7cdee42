import { expect, expectAccessible, test } from './support.ts';

test('the page opens under its name, without an error', async ({ page }) => {
  await page.goto('./');
  await expect(page).toHaveTitle(/rcuscope/);
  await expect(page.locator('#root')).not.toBeEmpty();
});

test('the page as it opens has no fault that axe can see', async ({ page }) => {
  await page.goto('./');
  await expect(page.getByRole('main')).toBeVisible();
  await expectAccessible(page);
});
