import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import type { ZodType } from 'zod';
import type { EndpointDef } from '../../src/kit/contract/endpoint.ts';
import { readSheet } from '../../src/kit/server/excel/read.ts';
import { menuRoute } from '../../src/modules/identity/contract/menus.ts';
import { listOrders } from '../../src/modules/order/contract/orders.ts';
import { listProducts } from '../../src/modules/product/contract/material.ts';
import { listCosts } from '../../src/modules/product/contract.ts';
import { listProfit } from '../../src/modules/profit/contract/report.ts';
import { inTurn } from '../support/depth.ts';
import { callAs, sendAs } from './support/api.ts';
import { expect, test } from './support/browser.ts';
import { emptyBrowser, firstLogIn, hire, roleWith } from './support/people.ts';
import { openScreen, pageOf, settled } from './support/session.ts';

test.describe.configure({ mode: 'serial' });

/** Looks at products, orders and profit and exports them; not one right to amounts, costs or profit. */
const CODES = [
  'erp:product:view',
  'erp:product:export',
  'amz:order:view',
  'amz:order:export',
  'fin:profit:view',
  'fin:profit:export',
];

interface Case {
  path: string;
  title: string;
  /** Headings that are kept from him, and one that is not. */
  hidden: string[];
  shown: string;
  list: EndpointDef & { reply: ZodType<{ records: object[] }> };
  /** The same in the rows of the API. */
  keys: string[];
  /** State whose rows are few enough to be exported at once. */
  few?: RegExp;
}

const CASES: readonly Case[] = [
  {
    path: '/amazon/sale/order/list',
    title: '订单列表',
    hidden: ['商品金额', '折扣', '订单总金额'],
    shown: '订购时间',
    list: listOrders,
    keys: ['itemAmount', 'discountAmount', 'orderTotal'],
    few: /^未发货/,
  },
  {
    path: '/finance/profitReport',
    title: '利润报表',
    hidden: ['采购成本', '毛利润', '毛利率', 'ROI'],
    shown: '净销售额',
    list: listProfit,
    keys: ['cogs', 'profit', 'margin', 'roi'],
  },
  {
    path: '/erp/product/localproduct',
    title: '本地产品',
    hidden: ['采购成本'],
    shown: '品牌',
    list: listProducts,
    keys: ['unitCost'],
  },
];

let owner: Page;
let clerk: Page;

test.beforeAll(async ({ browser, baseURL }) => {
  owner = await pageOf(browser, baseURL);
  const role = await roleWith(owner, '看单员', CODES);
  const who = await hire(owner, '顾明远', [role]);
  clerk = await emptyBrowser(browser, baseURL);
  await firstLogIn(clerk, who);
});
test.afterAll(async () => {
  for (const page of [owner, clerk]) await page.context().close();
});

/** Columns that the list in front offers, shown or not. */
async function offered(page: Page): Promise<string> {
  await page.getByRole('button', { name: /列设置/ }).click();
  const drawer = page.getByRole('dialog', { name: /列设置/ });
  await expect(drawer.getByRole('checkbox').first()).toBeVisible();
  const names = (await drawer.locator('label').allTextContents()).join(' ');
  await page.keyboard.press('Escape');
  await expect(drawer).toBeHidden();
  return names;
}

/** First row of what the list in front exports. */
async function exported(page: Page): Promise<string[]> {
  const begun = page.waitForEvent('download');
  await page.getByRole('button', { name: '导出' }).click();
  await page.getByRole('menuitem', { name: /Excel|xlsx/i }).click();
  const rows = await readSheet(await readFile(await (await begun).path()));
  return rows[0] ?? [];
}

for (const { path, title, hidden, shown, list, keys, few } of inTurn(CASES, 3, 1)) {
  test(`${title}: figures that a role may not see are in no column, no answer and no file`, async () => {
    const body = { currentpage: 1, pagesize: 5 };
    // The demo may still be on its way in.
    const there = async () => (await callAs(owner, list, { body })).records.length;
    await expect.poll(there, { timeout: 300_000 }).toBeGreaterThan(0);
    await openScreen(owner, path, title);
    const all = await offered(owner);
    for (const name of [...hidden, shown]) expect(all).toContain(name);
    const [full] = (await callAs(owner, list, { body })).records;
    for (const key of keys) expect(full).toHaveProperty(key);

    await openScreen(clerk, path, title);
    await settled(clerk);
    await expect(clerk.locator('.ag-header')).toBeVisible();
    const some = await offered(clerk);
    expect(some).toContain(shown);
    for (const name of hidden) expect(some).not.toContain(name);
    for (const name of hidden) {
      await expect(clerk.locator('.ag-header').getByText(name, { exact: true })).toHaveCount(0);
    }
    const answer = await callAs(clerk, list, { body });
    expect(answer.records.length).toBeGreaterThan(0);
    for (const key of keys) expect(JSON.stringify(answer)).not.toContain(`"${key}"`);
    if (few) await clerk.getByRole('tab', { name: few }).click();
    const head = await exported(clerk);
    expect(head.length).toBeGreaterThan(3);
    for (const name of hidden) expect(head.join(' ')).not.toContain(name);
  });
}

test('the detail of an order shows pieces without prices', async () => {
  await openScreen(clerk, '/amazon/sale/order/list', '订单列表');
  await clerk.getByRole('button', { name: '详情' }).first().click();
  const drawer = clerk.locator('.detail-drawer');
  await expect(drawer.getByText('数量').first()).toBeVisible();
  for (const name of ['单价', '行合计', '商品金额']) await expect(drawer.getByText(name)).toHaveCount(0);
});

test('the list of costs is in no menu of his, opens at no address, and answers nothing', async () => {
  expect(JSON.stringify(await callAs(owner, menuRoute, {}))).toContain('/product/cost');
  expect(JSON.stringify(await callAs(clerk, menuRoute, {}))).not.toContain('/product/cost');
  await clerk.goto('/product/cost?title=采购成本&path=/product/cost');
  await expect(clerk.getByText(/页面不存在|没有权限|无权/).first()).toBeVisible();
  await expect(clerk.locator('.ag-header')).toHaveCount(0);
  expect((await sendAs(clerk, listCosts, { body: { currentpage: 1, pagesize: 5 } })).status).toBe(403);
});
