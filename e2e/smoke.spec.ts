import { expect, test } from './support.ts';

test('the page opens under its name, without an error', async ({ page }) => {
  await page.goto('./');
  await expect(page).toHaveTitle(/rcuscope/);
  await expect(page.locator('#root')).not.toBeEmpty();
});
