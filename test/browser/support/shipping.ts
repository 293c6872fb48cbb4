import type { Locator, Page } from '@playwright/test';
import { marketOf } from '../../../playwright.config.ts';
import { Decimal, plainDecimal, sum } from '../../../src/kit/contract/decimal.ts';
import { listItems } from '../../../src/modules/finance/contract/payables.ts';
import { findShipListings, type ShipListing, shipChoices } from '../../../src/modules/shipping/contract/order-calls.ts';
import { listFbaShipments } from '../../../src/modules/shipping/contract/shipment.ts';
import { listLayers, listStock } from '../../../src/modules/warehouse/contract/inventory.ts';
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

/** What happens at Amazon: to shipments, or to what `part` names. */
export async function tellMarket(body: object, part = 'inbound'): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const url = `${marketOf(test.info().project.name)}/control/${part}`;
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

/** How the goods of some SKUs stand in our books: pieces, and CNY as decimal text. */
export interface Books {
  /** In the main warehouse, those that are held for documents too, and in all other stocks, Amazon's among them. */
  home: number;
  away: number;
  transit: number;
  /** In cost layers; and on the way by the same layers. */
  layers: string;
  transitLayers: number;
  /** What the forwarder is owed. */
  owed: string;
}

/** Stock, cost layers and payables as they are now. */
export async function booksOf(page: Page, skus: readonly string[]): Promise<Books> {
  const books = { home: 0, away: 0, transit: 0, transitLayers: 0 };
  const amounts: string[] = [];
  const { records: stock } = await callAs(page, listStock, { body: { pagesize: 100, filter: { skus: [...skus] } } });
  for (const row of stock) {
    if (row.warehouse === WAREHOUSE) books.home += row.available + row.reserved;
    else books.away += row.available + row.reserved;
    books.transit += row.inTransit;
  }
  for (const sku of skus) {
    const { records } = await callAs(page, listLayers, { body: { pagesize: 100, filter: { sku } } });
    for (const layer of records) {
      amounts.push(layer.amountLeft ?? '0');
      if (layer.inTransit) books.transitLayers += layer.qtyLeft;
    }
  }
  const { records } = await callAs(page, listItems, {
    body: { pagesize: 100, filter: { book: 'PAYABLE', open: 'OPEN' } },
  });
  const owed = records.filter(({ party }) => party === FORWARDER).map(({ open }) => open);
  return { ...books, layers: plainDecimal(sum(amounts)), owed: plainDecimal(sum(owed)) };
}

/** What has changed from one state of the books to another. */
export function changeOf(from: Books, to: Books): Books {
  const less = (key: 'layers' | 'owed') => new Decimal(to[key]).minus(from[key]).toFixed();
  return {
    home: to.home - from.home,
    away: to.away - from.away,
    transit: to.transit - from.transit,
    transitLayers: to.transitLayers - from.transitLayers,
    layers: less('layers'),
    owed: less('owed'),
  };
}

/** What a marketplace has of shipments: pieces announced and counted, and every status there is. */
interface AtAmazon {
  shipped: number;
  received: number;
  statuses: string[];
}

interface MarketView {
  plans: {
    shipments: {
      confirmationId: string;
      status: string;
      shipped: { quantity: number }[];
      received: { received: number }[];
    }[];
  }[];
}

/** What the marketplace itself says of shipments now. */
export async function saidByMarket(numbers: readonly string[]): Promise<AtAmazon> {
  const answer = await fetch(`${marketOf(test.info().project.name)}/control/inbound`);
  const { plans } = (await answer.json()) as MarketView;
  const mine = plans.flatMap(({ shipments }) => shipments).filter((one) => numbers.includes(one.confirmationId));
  expect(mine.map(({ confirmationId }) => confirmationId).sort()).toEqual([...numbers].sort());
  return {
    shipped: mine.flatMap(({ shipped }) => shipped).reduce((total, one) => total + one.quantity, 0),
    received: mine.flatMap(({ received }) => received).reduce((total, one) => total + one.received, 0),
    statuses: [...new Set(mine.map(({ status }) => status))].sort(),
  };
}

/** What our own list says that Amazon said of them. */
export async function heardFromMarket(page: Page, numbers: readonly string[]): Promise<AtAmazon> {
  const rows = [];
  for (const keyword of numbers) {
    const { records } = await callAs(page, listFbaShipments, { body: { filter: { keyword } } });
    rows.push(...records);
  }
  return {
    shipped: rows.reduce((total, row) => total + row.shipped, 0),
    received: rows.reduce((total, row) => total + row.received, 0),
    statuses: [...new Set(rows.map(({ status }) => status))].sort(),
  };
}
