import type { Locator, Page } from '@playwright/test';
import { Decimal } from '../../src/kit/contract/decimal.ts';
import { saveSetting as saveFlowSetting } from '../../src/modules/approval/contract/config.ts';
import { listDelegations, revokeDelegation } from '../../src/modules/approval/contract/delegation.ts';
import { publishFlow, saveFlow } from '../../src/modules/approval/contract/flows.ts';
import { listAccounts } from '../../src/modules/finance/contract/accounts.ts';
import { listSubUsers } from '../../src/modules/identity/contract/sub-users.ts';
import { saveProduct } from '../../src/modules/product/contract/material.ts';
import { savePrices } from '../../src/modules/product/contract/parts.ts';
import { listOrders, orderDetail, purchaseChoices } from '../../src/modules/purchase/contract/order-calls.ts';
import { saveSetting } from '../../src/modules/purchase/contract/setting.ts';
import { moveSupplier, saveSupplier } from '../../src/modules/supplier/contract.ts';
import { callAs } from './support/api.ts';
import { expect, test } from './support/browser.ts';
import { choose } from './support/select.ts';
import { openScreen, pageOf } from './support/session.ts';
import { WAREHOUSE } from './support/stock.ts';

test.describe.configure({ mode: 'serial' });

const RUN = Date.now().toString(36).toUpperCase();
const SKU = `STORY-${RUN}`;
const SUPPLIER = `故事供应商${RUN}`;
const ORDER = 'purchase.order';
const LEAD = { account: 'caiwu@example.com', name: '王敏' };
const DELEGATE = { account: 'caigou@example.com', name: '陈浩' };

let page: Page;
/** Of the lead, who keeps the books, and of the buyer who decides for him. */
let lead: Page;
let delegate: Page;
let order = { id: '', number: '' };
let account = { id: '', name: '', balance: '' };

/** A button by what it says; two characters may stand apart. */
const button = (on: Page | Locator, words: string) =>
  on.getByRole('button', { name: new RegExp(`^${[...words].join('\\s?')}$`) }).first();
const dialog = (title: string | RegExp, on = page) => on.getByRole('dialog', { name: title });

/** Opens a document's own page, as a link from outside does. */
async function openDocument(on: Page, path: string, id: string, heading: string): Promise<void> {
  await on.goto(`${path}?id=${id}`);
  await expect(on.getByRole('heading', { name: heading }).first()).toBeVisible();
}
const pageOfOrder = (on = page) => openDocument(on, '/purchaseOrders/details', order.id, order.number);

async function flow(enabled: boolean): Promise<void> {
  await callAs(page, saveFlowSetting, {
    body: {
      docType: ORDER,
      enabled,
      exempt: null,
      selfApprove: false,
      dedup: 'all',
      withdraw: 'untouched',
      tolerance: '0',
      batch: true,
      admins: [],
      delegationDays: 30,
    },
  });
}

/** Nobody decides for the lead any more. */
async function endDelegations(): Promise<void> {
  for (const { id, mine, state } of await callAs(lead, listDelegations, {})) {
    if (mine && state === 'active') await callAs(lead, revokeDelegation, { params: { id } });
  }
}

/** Supplier, product, price, and a flow that asks the lead; the demo brings the warehouses, accounts and people. */
async function prepare(): Promise<void> {
  const places = async () => (await callAs(page, purchaseChoices, {})).warehouses.map(({ quality }) => quality);
  await expect.poll(places, { timeout: 400_000 }).toEqual(expect.arrayContaining(['GOOD', 'QC', 'DEFECTIVE']));
  const terms = [
    { share: '0.3', anchor: 'order' as const, days: 0 },
    { share: '0.7', anchor: 'receipt' as const, days: 30 },
  ];
  const { id: supplierId } = await callAs(page, saveSupplier, { body: { shortName: SUPPLIER, terms } });
  await callAs(page, moveSupplier, { body: { id: supplierId, action: 'activate' } });
  const supply = { supplierId, isDefault: true, supplierSku: '', offerId: '', specId: '', url: '' };
  const { id: productId } = await callAs(page, saveProduct, {
    body: { sku: SKU, name: '故事杯', supplies: [{ ...supply, moq: 100, orderMultiple: 50, leadDays: 18 }] },
  });
  await callAs(page, savePrices, {
    body: { productId, supplierId, tiers: [{ minQty: 1, unitPrice: '8.80' }] },
  });
  const { records } = await callAs(page, listSubUsers, { body: { filter: {} } });
  const chief = records.find(({ name }) => name === LEAD.name)?.id ?? '';
  const node = { key: 'a1', type: 'approve' as const, name: '主管审批', mode: 'any' as const, percent: 60 };
  const who = [{ from: 'users' as const, ids: [chief] }];
  const steps = [{ ...node, who, waitAll: false, empty: 'admin' as const, emptyPeople: [], due: null }];
  const body = { name: `采购审批 ${RUN}`, docType: ORDER, definition: { steps } };
  const { id, version } = await callAs(page, saveFlow, { body });
  await callAs(page, publishFlow, { params: { id }, body: { version } });
  await flow(true);
  const setting = { separateApprover: false, receiveTolerance: '0', priceRise: '0.05', changeTolerance: '0' };
  await callAs(page, saveSetting, { body: setting });
  const accounts = await callAs(page, listAccounts, { body: {} });
  const bank = accounts.find(({ currency, isDefault }) => currency === 'CNY' && isDefault);
  if (!bank) throw new Error('no account');
  account = bank;
}

test.beforeAll(async ({ browser, baseURL }) => {
  test.setTimeout(240_000);
  page = await pageOf(browser, baseURL);
  lead = await pageOf(browser, baseURL, LEAD);
  await endDelegations();
  await prepare();
});
test.afterAll(async () => {
  await flow(false);
  await endDelegations();
  for (const one of [page, lead, delegate]) await one?.context().close();
});

/** Stock, debt and money as the order's page and the account say; all in CNY. */
async function standing() {
  const { order: now, money } = await callAs(page, orderDetail, { params: { id: order.id } });
  const bank = (await callAs(page, listAccounts, { body: {} })).find(({ id }) => id === account.id);
  const two = (amount: string | null | undefined) => new Decimal(amount ?? 0).toFixed(2);
  expect(two(now.dueAmount)).toBe(two(money.raised));
  return {
    owed: two(money.raised),
    unpaid: two(money.open),
    paid: two(money.paid),
    spent: new Decimal(account.balance).minus(bank?.balance ?? 0).toFixed(2),
  };
}

test('a need is planned and becomes an order that waits for the lead', async () => {
  await openScreen(page, '/erp/purchase/plan', '采购规划');
  await button(page, '加入规划').click();
  const adding = dialog('加入采购规划');
  await choose(adding.getByRole('combobox', { name: '入库仓' }), WAREHOUSE);
  await choose(page.getByRole('combobox', { name: '输入 SKU、名称或条码添加商品' }), SKU, SKU);
  await adding.getByLabel(`${SKU} 计划采购`).fill('990');
  await button(adding, '加入').click();
  await expect(adding).toBeHidden();
  await page
    .getByRole('row', { name: new RegExp(SKU) })
    .getByRole('button', { name: '提交采购' })
    .click();
  // The minimum and the multiple of the supplier make 1,000 of it.
  await expect(page.getByRole('table', { name: new RegExp(SUPPLIER) })).toContainText('1,000');
  await page.getByText('生成的单据同时提交审核').click();
  await button(page, '提交').click();
  await expect(page.getByText('已生成 1 张采购单')).toBeVisible();
  const { records } = await callAs(page, listOrders, { body: { filter: { stage: ['pending'] } } });
  const made = records.find(({ supplier }) => supplier === SUPPLIER);
  if (!made) throw new Error('no order');
  order = made;
});

test('the lead is away: his delegate returns it, and agrees when the price is better', async ({ browser, baseURL }) => {
  await openScreen(lead, '/examine/desk', '审批工作台');
  await expect(lead.getByRole('row', { name: new RegExp(order.number) })).toBeVisible();
  await button(lead, '我的委托').click();
  await choose(lead.getByRole('combobox', { name: '受托人' }), DELEGATE.name);
  await lead.getByLabel('原因').fill('休假');
  await button(lead, '委托').click();
  await expect(lead.getByText('委托已生效')).toBeVisible();
  await expect(lead.getByText(`${LEAD.name} → ${DELEGATE.name}`).first()).toBeVisible();
  await lead.keyboard.press('Escape');
  // What waited before is still his own; he returns it himself.
  await lead
    .getByRole('row', { name: new RegExp(order.number) })
    .getByRole('button', { name: '审批' })
    .click();
  await button(lead, '退回').click();
  const back = dialog(/退回/, lead);
  await back.getByLabel('审批意见').fill('单价偏高');
  await button(back, '退回').click();
  await expect(back).toBeHidden();

  await openDocument(page, '/e/p/o', order.id, `编辑${order.number}`);
  await page.getByLabel(`${SKU} 单价`).fill('8.60');
  // What is due today counts for the supplier's score of the running quarter.
  const today = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10);
  await page.getByLabel(`${SKU} 要求到货`).fill(today);
  await page.keyboard.press('Enter');
  await button(page, '提交审核').click();
  await expect(page.getByText(`${order.number} 已提交审核`)).toBeVisible();
  delegate = await pageOf(browser, baseURL, DELEGATE);
  await pageOfOrder(delegate);
  await button(delegate, '同意').click();
  await button(dialog(/同意/, delegate), '同意').click();
  await expect(delegate.getByText('待下单').first()).toBeVisible();
  await button(delegate, '审批详情').click();
  await expect(delegate.getByText(`代 ${LEAD.name}`)).toBeVisible();
  await pageOfOrder();
  await button(page, '下单').click();
  await expect(page.getByText(`采购单${order.number}下单成功`)).toBeVisible();
});

/** The buyer asks for a payment on the order's page, the lead agrees to it, and it is paid. */
async function pay(amount: string): Promise<void> {
  await pageOfOrder();
  await button(page, '请款').click();
  const asking = dialog(/^请款/);
  await asking.getByLabel('金额').fill(amount);
  await button(asking, '提交请款').click();
  await expect(asking).toBeHidden();
  const { payments } = await callAs(page, orderDetail, { params: { id: order.id } });
  const request = payments.at(-1);
  if (!request) throw new Error('no request');
  await openDocument(lead, '/f/p/d', request.id, request.number);
  await button(lead, '通过').click();
  await expect(lead.getByText('待付款').first()).toBeVisible();
  await openDocument(page, '/f/p/d', request.id, request.number);
  await button(page, '付款').click();
  const paying = dialog(/^付款/);
  await choose(paying.getByRole('combobox').first(), account.name);
  await paying
    .getByRole('button', { name: /付\s?款/ })
    .last()
    .click();
  await expect(page.getByText('已付款 1 单')).toBeVisible();
}

test('the deposit is paid; of two receipts one is short and one is damaged', async () => {
  await pay('2580.00');
  expect(await standing()).toEqual({ owed: '0.00', unpaid: '0.00', paid: '2580.00', spent: '2580.00' });
  await pageOfOrder();
  for (const [qty, inspected] of [
    [600, false],
    [360, true],
  ] as const) {
    await button(page, '登记到货').click();
    const came = dialog('登记到货');
    await came.getByLabel(`${SKU} 本次到货`).fill(String(qty));
    if (inspected) await came.getByLabel(`${SKU} 送检`).check();
    await button(came, '登记到货').click();
    await expect(came).toBeHidden();
  }
  expect(await standing()).toMatchObject({ owed: '8256.00', unpaid: '5676.00' });
  await button(page, '登记质检').click();
  const found = dialog(/^质检/);
  await found.getByLabel(`${SKU} 不合格`).fill('25');
  await found.getByLabel(`${SKU} 原因`).fill('破损');
  await button(found, '登记质检').click();
  await expect(found).toBeHidden();
});

test('the damaged ones go back, the missing ones are given up, the balance is paid to the cent', async () => {
  await button(page, '退货').click();
  const back = dialog('新建退货');
  await expect(back.getByLabel(`${SKU} 本次退货`)).toHaveValue('25');
  await back.getByLabel('退货原因').fill('破损');
  await button(back, '提交审核').click();
  await expect(back).toBeHidden();
  await openScreen(page, '/erp/purchase/return', '采购退货');
  const row = page.getByRole('row', { name: new RegExp(order.number) });
  for (const step of ['通过', '退货出库']) await button(row, step).click();
  await expect(row).toContainText('已退回');
  expect(await standing()).toMatchObject({ owed: '8041.00', unpaid: '5461.00' });
  await pageOfOrder();
  await button(page, '结束收货').click();
  const closing = dialog('结束收货');
  await closing.getByLabel('原因').fill('供应商缺货');
  await button(closing, '结束收货').click();
  await expect(closing).toBeHidden();
  await pay('5461.00');
  expect(await standing()).toEqual({ owed: '8041.00', unpaid: '0.00', paid: '8041.00', spent: '8041.00' });
  await pageOfOrder();
  await expect(page.getByText('已完成').first()).toBeVisible();
});

test('what the goods cost stands in the layers, and the supplier is scored by what came', async () => {
  await page.goto(`/erp/inventory/report/age?f.keyword=${SKU}`);
  const layers = page.getByRole('row', { name: new RegExp(SKU) });
  await expect(layers.filter({ hasText: '5,160.00' })).toBeVisible();
  await expect(layers.filter({ hasText: '2,881.00' })).toBeVisible();
  await openScreen(page, '/erp/baseinfo/supplier', '供应商');
  const named = page.getByRole('row', { name: new RegExp(SUPPLIER) });
  await named.getByRole('button', { name: '查看' }).click();
  await page.getByRole('tab', { name: '评分' }).click();
  const scores = page.getByRole('table', { name: '评分' });
  await expect(scores.getByRole('row', { name: /质量/ })).toContainText('47.92');
});
