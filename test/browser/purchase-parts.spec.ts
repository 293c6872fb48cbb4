import type { Locator, Page } from '@playwright/test';
import { saveProduct } from '../../src/modules/product/contract/material.ts';
import {
  listOrders,
  orderDetail,
  orderSteps,
  purchaseChoices,
  saveOrder,
} from '../../src/modules/purchase/contract/order-calls.ts';
import { receiveGoods } from '../../src/modules/purchase/contract/receipt.ts';
import { saveSetting } from '../../src/modules/purchase/contract/setting.ts';
import { moveSupplier, saveSupplier } from '../../src/modules/supplier/contract.ts';
import { callAs } from './support/api.ts';
import { expect, test } from './support/browser.ts';
import { choose } from './support/select.ts';
import { openScreen, pageOf, seriousFaults } from './support/session.ts';

test.describe.configure({ mode: 'serial' });

const RUN = Date.now().toString(36).toUpperCase();
const SKU = `PARTS-${RUN}`;

let page: Page;
let order = { id: '', number: '' };
let place = { id: '', name: '' };

/** A button by what it says; two characters may stand apart. */
const button = (on: Page | Locator, words: string) =>
  on.getByRole('button', { name: new RegExp(`^${[...words].join('\\s?')}$`) }).first();
const dialog = (title: string | RegExp) => page.getByRole('dialog', { name: title });
const detail = () => callAs(page, orderDetail, { params: { id: order.id } });

async function openOrder(): Promise<void> {
  await page.goto(`/purchaseOrders/details?id=${order.id}`);
  await expect(page.getByRole('heading', { name: order.number }).first()).toBeVisible();
}

test.beforeAll(async ({ browser, baseURL }) => {
  test.setTimeout(240_000);
  page = await pageOf(browser, baseURL);
  const good = async () => (await callAs(page, purchaseChoices, {})).warehouses.find((one) => one.quality === 'GOOD');
  await expect.poll(good, { timeout: 400_000 }).toBeTruthy();
  place = (await good()) ?? place;
  const setting = { separateApprover: false, receiveTolerance: '0', priceRise: '0.05', changeTolerance: '0' };
  await callAs(page, saveSetting, { body: setting });
  const { id: supplierId } = await callAs(page, saveSupplier, { body: { shortName: `拆分供应商${RUN}` } });
  await callAs(page, moveSupplier, { body: { id: supplierId, action: 'activate' } });
  const { id: productId } = await callAs(page, saveProduct, { body: { sku: SKU, name: '拆分杯', supplies: [] } });
  order = await callAs(page, saveOrder, {
    body: { supplierId, warehouseId: place.id, freight: '10', lines: [{ productId, qty: 100, unitPrice: '8' }] },
  });
});
test.afterAll(() => page.context().close());

test('forty of a hundred pieces go to an order of their own, and come back', async () => {
  await openOrder();
  await button(page, '拆分').click();
  const splitting = dialog(`拆分 ${order.number}`);
  await splitting.getByLabel(`${SKU} 新单1`).fill('40');
  expect(await seriousFaults(page, '.ant-modal')).toEqual([]);
  await button(splitting, '拆分').click();
  await expect(splitting).toBeHidden();
  await expect(page.getByText('拆出', { exact: false }).first()).toBeVisible();
  const { order: now, links } = await detail();
  expect([now.qty, now.freight, links.length]).toEqual([60, '6.0000', 1]);
  await page
    .getByRole('link', { name: links[0]?.number ?? '' })
    .first()
    .click();
  await expect(page.getByRole('heading', { name: links[0]?.number ?? '' }).first()).toBeVisible();
  await openScreen(page, `/erp/purchase/orders?f.keyword=${SKU}`, '采购单');
  for (const number of [order.number, links[0]?.number ?? '']) {
    await page
      .getByRole('row', { name: new RegExp(number) })
      .getByRole('checkbox')
      .first()
      .check();
  }
  await button(page, '合并').click();
  const merging = dialog('合并采购单');
  await expect(merging).toContainText(`合并到最早的 ${order.number}`);
  await merging.getByRole('button', { name: '合并 2 单' }).click();
  await expect(merging).toBeHidden();
  expect((await detail()).order).toMatchObject({ qty: 100, freight: '10.0000' });
  const { records } = await callAs(page, listOrders, { body: { filter: { keyword: [SKU] } } });
  expect(records.map((row) => row.state).sort()).toEqual(['draft', 'void']);
});

test('bad pieces that came are exchanged, and a part of what did not come is given up', async () => {
  for (const step of ['submit', 'approve', 'place'] as const) {
    await callAs(page, orderSteps[step], { body: { id: order.id } });
  }
  const lineId = (await detail()).lines[0]?.id ?? '';
  await callAs(page, receiveGoods, { body: { id: order.id, lines: [{ lineId, qty: 60 }] } });
  await openScreen(page, '/erp/purchase/change', '采购换货');
  await button(page, '新增换货单').click();
  await choose(page.getByRole('combobox', { name: '采购单' }), order.number, SKU);
  await expect(page.getByLabel(`${SKU} 换货数量`)).toBeVisible();
  await openOrder();
  await button(page, '换货').click();
  await expect(page.getByRole('heading', { name: '新增采购换货' })).toBeVisible();
  await page.getByLabel(`${SKU} 换货数量`).fill('3');
  await choose(page.getByRole('combobox', { name: '换出仓' }), place.name);
  await page.getByLabel('原因').fill('杯盖开裂');
  await button(page, '保存').click();
  await expect(page.getByRole('heading', { name: /^HH/ })).toBeVisible();
  await button(page, '确认换货').click();
  await expect.poll(async () => (await detail()).order.stage).toBe('replacing');
  await button(page, '收货').click();
  const arriving = dialog(/^换货收货/);
  await arriving.getByLabel(`${SKU} 本次换入`).fill('3');
  expect(await seriousFaults(page, '.ant-modal')).toEqual([]);
  await button(arriving, '收货入库').click();
  await expect(arriving).toBeHidden();
  await expect.poll(async () => (await detail()).order.stage).toBe('ordered');
  await openScreen(page, '/erp/purchase/change', '采购换货');
  await expect(page.getByRole('row', { name: new RegExp(order.number) })).toContainText('已完成');
  await openOrder();
  await button(page, '结束收货').click();
  const closing = dialog(/^结束收货/);
  await closing.getByLabel(`${SKU} 不再等待`).fill('30');
  await closing.getByLabel('原因').fill('缺货');
  await button(closing, '结束收货').click();
  await expect(closing).toBeHidden();
  expect((await detail()).lines[0]).toMatchObject({ openQty: 10, cancelled: 30, exchanging: 0 });
});
