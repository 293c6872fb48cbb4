import type { Locator, Page } from '@playwright/test';
import { marketOf } from '../../../playwright.config.ts';
import { listItems } from '../../../src/modules/finance/contract/payables.ts';
import { findShipListings, type ShipListing, shipChoices } from '../../../src/modules/shipping/contract/order-calls.ts';
import { listFbaShipments } from '../../../src/modules/shipping/contract/shipment.ts';
import { listLayers } from '../../../src/modules/warehouse/contract/inventory.ts';
import { callAs } from './api.ts';
import { expect, test } from './browser.ts';
import { choose } from './select.ts';
import { seriousFaults } from './session.ts';
import { WAREHOUSE } from './stock.ts';

/** Where goods go, and two of a store's listings that can be put together in the main warehouse, each one piece of an SKU. */
export interface Place {
  authid: string;
  store: string;
  country: string;
  listings: [ShipListing, ShipListing];
}

export async function placeToSend(page: Page, pieces: number): Promise<Place> {
  const { stores, warehouses } = await callAs(page, shipChoices, {});
  const warehouseId = warehouses.find(({ name }) => name === WAREHOUSE)?.id ?? '';
  for (const store of stores) {
    for (const { marketplaceId, country } of store.sites) {
      const body = { authid: store.id, marketplaceId, warehouseId };
      const ready = (await callAs(page, findShipListings, { body })).filter(
        ({ available, local }) => available >= pieces && /^[\w-]+$/.test(local),
      );
      const [first] = ready;
      const second = ready.find(({ local }) => local !== first?.local);
      if (first && second) return { authid: store.id, store: store.name, country, listings: [first, second] };
    }
  }
  throw new Error('the demo data has nothing to send');
}

/** What happens at Amazon. */
export async function tellMarket(body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const url = `${marketOf(test.info().project.name)}/control/inbound`;
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(answer.status, await answer.text()).toBe(200);
}

/** Picks a document with a phone, piece by piece, in the order in which the phone leads past the shelves. */
export async function pickByPhone(phone: Page): Promise<void> {
  const line = phone.locator('.scan-lines li.is-current');
  const tally = async () => ((await line.locator('em').textContent()) ?? '').split('/').map(Number);
  const places = await phone.locator('.scan-lines li').count();
  for (let at = 0; at < places; at += 1) {
    const code = (await line.locator('span').textContent()) ?? '';
    const [had = 0, want = 0] = await tally();
    for (let piece = had; piece < want; piece += 1) {
      await phone.keyboard.type(code);
      await phone.keyboard.press('Enter');
    }
    await expect.poll(tally).toEqual([want, want]);
    const done = await line.textContent();
    await phone.getByRole('button', { name: '本行完成' }).click();
    if (at + 1 < places) await expect(line).not.toHaveText(done ?? '');
  }
}

/**
 * What Amazon asks, from how the goods are prepared to the numbers they are followed by: of the placements the first, our own
 * carrier, a window for each shipment, the labels looked at, the way out.
 */
export async function throughAmazon(page: Page, front: Locator): Promise<void> {
  const says = (words: string | RegExp) => front.locator('.inbound-wait').getByText(words);
  const sure = (name: string) => page.locator('.ant-popconfirm').getByRole('button', { name });
  const act = () => front.locator('.inbound-act').getByRole('button');
  await front.getByRole('button', { name: '货件处理' }).click();
  await expect(says(/没有预处理分类|请比较并选择配送方案/)).toBeVisible();
  if (await says('没有预处理分类').isVisible()) await front.getByRole('button', { name: '保存并继续' }).click();
  await expect(says('请比较并选择配送方案')).toBeVisible();
  expect(await seriousFaults(page)).toEqual([]);
  await front.locator('button.inbound-offer').first().click();
  await act().click();
  await sure('接受并确认').click();

  await expect(says('请为每个货件选择承运方式与送达窗口')).toBeVisible();
  const ways = front.getByRole('combobox', { name: /承运方式/ });
  for (let at = 0; at < (await ways.count()); at += 1) {
    await choose(ways.nth(at), /自有承运.*小包裹/);
    await choose(front.getByRole('combobox', { name: /送达窗口/ }).nth(at), '可约');
  }
  await act().click();
  await sure('确认承运').click();

  await expect(says('标签已就绪，等待发货出库')).toBeVisible();
  for (const paper of [/整页/, /标签机/]) {
    await front.getByRole('button', { name: '箱标签' }).first().click();
    const [labels] = await Promise.all([
      page.waitForResponse((answer) => answer.url().includes('/labels')),
      page.getByRole('menuitem', { name: paper }).click(),
    ]);
    expect(labels.headers()['content-type']).toContain('application/pdf');
  }
  await front.locator('.inbound-wait').getByRole('button', { name: '发货出库' }).click();
  await expect(says(/请填写追踪号/)).toBeVisible();
  const boxes = front.getByRole('textbox', { name: /第 \d+ 箱追踪号/ });
  for (let at = 0; at < (await boxes.count()); at += 1) await boxes.nth(at).fill(`1Z999AA1012345678${at + 1}`);
  await front.getByRole('button', { name: '保存追踪号' }).click();
}

/** Whom the demo company sends with. */
export const FORWARDER = '深圳远航货运代理';

/** CNY in the layers of SKUs, pieces of them on their way, and CNY that the forwarder is owed. */
export async function worthOf(page: Page, skus: readonly string[]) {
  let [amount, transit, owed] = [0, 0, 0];
  for (const sku of skus) {
    const { records } = await callAs(page, listLayers, { body: { pagesize: 100, filter: { sku } } });
    for (const layer of records) {
      amount += Number(layer.amountLeft);
      if (layer.inTransit) transit += layer.qtyLeft;
    }
  }
  const { records } = await callAs(page, listItems, {
    body: { pagesize: 100, filter: { book: 'PAYABLE', open: 'OPEN' } },
  });
  for (const item of records.filter(({ party }) => party === FORWARDER)) owed += Number(item.open);
  const cents = (value: number) => Math.round(value * 100) / 100;
  return { amount: cents(amount), transit, owed: cents(owed) };
}

/** What Amazon says of an order's shipments: pieces announced and pieces counted. */
export async function countedAtAmazon(page: Page, numbers: readonly string[]): Promise<[number, number]> {
  let [shipped, received] = [0, 0];
  for (const keyword of numbers) {
    const { records } = await callAs(page, listFbaShipments, { body: { filter: { keyword } } });
    for (const row of records) [shipped, received] = [shipped + row.shipped, received + row.received];
  }
  return [shipped, received];
}
