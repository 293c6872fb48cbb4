import type { Page } from '@playwright/test';
import { expect, test } from './support/browser.ts';
import { logIn, openScreen, seriousFaults, settled } from './support/session.ts';

test.describe.configure({ mode: 'serial' });

let page: Page;

test.beforeAll(async ({ browser, baseURL }) => {
  test.setTimeout(180_000);
  const context = await browser.newContext({
    baseURL: baseURL ?? '',
    viewport: { width: 1600, height: 900 },
    locale: 'zh-CN',
  });
  page = await context.newPage();
  await logIn(page);
});
test.afterAll(() => page.context().close());

/** Writes a reason into the dialog in front and sends it. */
async function reason(title: RegExp, words: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: title });
  await dialog.getByRole('textbox').fill(words);
  await dialog.getByRole('button', { name: /^(核对|作废)发票$/ }).click();
  await expect(dialog).toBeHidden();
}

test('an invoice for more than came waits; one that was looked at is taken as it is', async () => {
  // The demo buys once its products and stores are there.
  await expect(async () => {
    await openScreen(page, '/erp/purchase/invoice', '采购发票');
    await expect(page.getByRole('row', { name: /待核对/ })).toBeVisible({ timeout: 5_000 });
  }).toPass();
  const row = page.getByRole('row', { name: /累计开票\d+，验收\d+/ });
  await expect(row).toContainText('待核对');
  await settled(page);
  expect(await seriousFaults(page)).toEqual([]);
  await row.getByRole('button', { name: '核对', exact: true }).click();
  await reason(/^核对发票/, '先票后货，已与供应商确认');
  await expect(page.getByRole('row', { name: /先票后货/ })).toContainText('已核对');
});

test('an invoice is written down at its order: what fits is matched, what was a mistake is struck out', async () => {
  const matched = page.getByRole('row', { name: /已匹配/ });
  await matched.getByRole('link', { name: /^PO/ }).click();
  await page.getByRole('tab', { name: '发票', exact: true }).click();
  await expect(page.getByRole('region', { name: /^发票 / })).toContainText('已匹配');
  await page.getByRole('button', { name: '登记发票' }).click();
  const dialog = page.getByRole('dialog', { name: /^登记发票/ });
  await dialog.getByRole('textbox', { name: '发票号码' }).fill('25448888');
  await dialog.getByRole('button', { name: /^登\s?记$/ }).click();
  await expect(page.getByText('至少填写一行开票数量').first()).toBeVisible();
  await dialog
    .getByRole('spinbutton', { name: /本张数量/ })
    .first()
    .fill('5');
  await dialog.getByRole('button', { name: /^登\s?记$/ }).click();
  const made = page.getByRole('region', { name: '发票 25448888', exact: true });
  await expect(made).toContainText('待核对');
  await settled(page);
  expect(await seriousFaults(page)).toEqual([]);
  await made.getByRole('button', { name: /^作\s?废$/ }).click();
  await reason(/^作废发票/, '登记错单');
  await expect(made).toContainText('已作废');
});
