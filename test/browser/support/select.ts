import type { Locator } from '@playwright/test';
import { expect } from './browser.ts';

/**
 * Chooses an entry of a list that opens at a field; `text` is typed where the field searches. Only the field's own list
 * is looked at: the list of the field before may still be on the page, on its way out.
 */
export async function choose(field: Locator, entry: string | RegExp, text?: string): Promise<void> {
  if (text === undefined) await field.click();
  else await field.fill(text);
  await expect(field).toHaveAttribute('aria-expanded', 'true');
  const id = await field.getAttribute('aria-controls');
  const list = field.page().locator('.ant-select-dropdown', { has: field.page().locator(`[id="${id}"]`) });
  await list.locator('.ant-select-item-option').filter({ hasText: entry }).first().click();
}
