import type { Page } from '@playwright/test';
import { plainDecimal } from '../../src/kit/contract/decimal.ts';
import { PRESET_RATES, saveMonthRate } from '../../src/modules/finance/contract/rates.ts';
import { commitUpload, uploadReportFile } from '../../src/modules/marketplace/contract/uploads.ts';
import { listLateMoney } from '../../src/modules/profit/contract/late.ts';
import { listProfitMonths, type PeriodRow, reopenProfitMonth } from '../../src/modules/profit/contract/period.ts';
import { listProfit } from '../../src/modules/profit/contract/report.ts';
import { settlementFile, V2 } from '../support/settlement-text.ts';
import { callAs } from './support/api.ts';
import { expect, test } from './support/browser.ts';
import { openScreen, pageOf, seriousFaults, settled } from './support/session.ts';

let page: Page;

test.beforeAll(async ({ browser, baseURL }) => {
  page = await pageOf(browser, baseURL, { account: 'demo@example.com' });
});
test.afterAll(async () => {
  await reopened();
  await page.context().close();
});

/** "yyyy-MM" of the last month that is over everywhere: on the first two days of a month the one before it. */
function lastMonth(): string {
  const now = new Date();
  const back = now.getUTCDate() > 2 ? 1 : 2;
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString().slice(0, 7);
}
const MONTH = lastMonth();
const LAST_DAY = new Date(Date.UTC(Number(MONTH.slice(0, 4)), Number(MONTH.slice(5)), 0)).toISOString().slice(0, 10);
const DATE = { from: `${MONTH}-01`, to: LAST_DAY };

async function monthRow(): Promise<PeriodRow> {
  const found = (await callAs(page, listProfitMonths, {})).find(({ month }) => month === MONTH);
  if (!found) throw new Error(`no ${MONTH}`);
  return found;
}

/** The month as other stories and a second telling want it: open, and all of it counted. */
async function reopened(): Promise<void> {
  const { state, version } = await monthRow();
  if (state === 'CLOSED') {
    await callAs(page, reopenProfitMonth, { body: { month: MONTH, version, reason: '演示结束' } });
  }
  await expect.poll(async () => (await monthRow()).waiting).toBe(0);
}

/** What a month needs that the demo may not have yet: settlement files, all counted, and a rate told for each currency. */
async function readied(): Promise<void> {
  await expect.poll(async () => Number((await monthRow()).settledShare)).toBeGreaterThan(0);
  for (const [currency, rate] of Object.entries(PRESET_RATES)) {
    if (currency !== 'CNY') await callAs(page, saveMonthRate, { body: { currency, month: MONTH, rate } });
  }
  await reopened();
}

/** The SKU and American store that sold most in the month. */
async function bestSeller(): Promise<{ sku: string; site: string }> {
  const filter = { date: DATE, dimension: 'msku', currency: 'ORIGINAL' } as const;
  const { records } = await callAs(page, listProfit, { body: { filter, pagesize: 100 } });
  const row = records.find(({ currency, sku }) => currency === 'USD' && sku);
  return { sku: row?.sku ?? '', site: row?.storeKey ?? '' };
}

/** Amazon's file of a settlement with a reimbursement of the month's last day, as somebody uploads it. */
async function arrives(sku: string, site: string, amount: string): Promise<void> {
  const line = {
    transactionType: 'other-transaction',
    amountType: 'FBA Inventory Reimbursement',
    amountDescription: 'WAREHOUSE_LOST',
    amount,
    postedAt: `${LAST_DAY}T12:00:00Z`,
    sku,
    quantity: 1,
  };
  const text = settlementFile(String(Date.now()), 'USD', [line]);
  const jsessionid = await page.evaluate(() => localStorage.getItem('jsessionid') ?? '');
  const answer = await page.request.post(`/api${uploadReportFile.path}`, {
    headers: { jsessionid },
    multipart: {
      amazonauthid: site,
      requesttype: V2,
      file: { name: 'settlement.txt', mimeType: 'text/plain', buffer: Buffer.from(text) },
    },
  });
  const { data } = await answer.json();
  expect(data.id, JSON.stringify(data)).toEqual(expect.any(String));
  await callAs(page, commitUpload, { params: { id: data.id } });
}

test('a month is closed, a reimbursement comes late, and its profit is followed down to three order lines', async () => {
  await openScreen(page, '/finance/period', '利润关账');
  await readied();
  const { sku, site } = await bestSeller();
  await page.reload();
  const months = page.getByRole('table', { name: '利润关账' });
  const row = months.getByRole('row', { name: new RegExp(MONTH) });
  await row.getByRole('button', { name: '关账' }).click();
  const dialog = page.getByRole('dialog', { name: `关账 ${MONTH}` });
  await expect(async () => {
    // Money that is being counted at this moment keeps the month open a little longer.
    await dialog.getByRole('button', { name: '关账' }).click();
    await expect(row).toContainText('已关账', { timeout: 2_000 });
  }).toPass();
  const closed = await monthRow();

  const amount = `25.0${test.info().retry}`;
  await arrives(sku, site, amount);
  const repaid = async () => {
    const { records } = await callAs(page, listLateMoney, { body: { filter: { month: MONTH }, pagesize: 100 } });
    return records.find(({ figure }) => figure === 'reimbursement')?.amount;
  };
  await expect.poll(repaid).toBe(plainDecimal(amount));
  expect((await monthRow()).profit).toBe(closed.profit);
  await page.reload();
  await row.getByRole('button', { name: /¥/ }).click();
  const late = page.getByRole('dialog', { name: `${MONTH} 关账后发生` });
  const line = late.getByRole('table', { name: '关账后发生' }).getByRole('row', { name: new RegExp(amount) });
  await expect(line).toContainText('赔偿');
  await line.click();
  await expect(late.getByRole('table', { name: '现有明细' })).toContainText('WAREHOUSE_LOST');
  await settled(page);
  await page.screenshot({ path: `test-results/month-end-late-${test.info().project.name}.png` });
  expect(await seriousFaults(page, '.ant-drawer')).toEqual([]);
  await page.keyboard.press('Escape');

  // The auditor: from the month's profit to the sales that it is made of, to the orders.
  await row.getByRole('link', { name: MONTH }).click();
  await expect(page).toHaveURL(/profitReport/);
  await settled(page);
  await page.locator('.figure', { hasText: '毛利率' }).getByRole('button').click();
  const drawer = page.getByRole('dialog');
  await expect(drawer.getByRole('img', { name: '利润构成' })).toBeVisible();
  const parts = drawer.getByRole('table', { name: '利润构成明细' });
  await parts
    .getByRole('row', { name: /^销售额/ })
    .getByRole('button')
    .click();
  const lines = drawer.getByRole('table', { name: '费用行' }).locator('tbody tr');
  await expect(drawer.locator('.proof.is-exact').first()).toContainText('与报表一致');
  for (const at of [0, 1, 2]) await expect(lines.nth(at).getByRole('link')).toHaveText(/^\d{3}-\d{7}-\d{7}$/);
  await settled(page);
  await page.screenshot({ path: `test-results/month-end-lines-${test.info().project.name}.png` });
  const order = (await lines.first().getByRole('link').textContent()) ?? '';
  await lines.first().getByRole('link').click();
  await expect(page.getByRole('grid').getByRole('row', { name: new RegExp(order) })).toBeVisible();
});
