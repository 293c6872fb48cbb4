import { Decimal, sum } from '#kit/contract/decimal.ts';
import type { CallInput, Endpoint, Reply } from '#kit/contract/endpoint.ts';
import { campaigns, productAds, targets } from '#modules/advertising/contract/lists.ts';
import { placements } from '#modules/advertising/contract/more-lists.ts';
import { DEFAULT_FILTER, kpi, topGoods } from '#modules/dashboard/contract.ts';
import { reimbursements, removals, returns } from '#modules/inventory/contract/events.ts';
import { balances, movements } from '#modules/inventory/contract/ledger.ts';
import { listStock } from '#modules/inventory/contract.ts';
import { listOrders, orderDetail, orderStatusCounts } from '#modules/order/contract/orders.ts';
import { listProfit } from '#modules/profit/contract/report.ts';
import { listSettlements } from '#modules/settlement/contract/settlements.ts';
import type { Person } from './world.ts';

/** What is compared, by name, so that a difference reads as a sentence. Keys begin with the marketplace; zeros are left out. */
export interface ScreenFigures {
  /** 订单列表: "orders units sales" of what counts as sold, sales before discount. */
  orders: Record<string, string>;
  /** 首页: "orders units net", net of discounts. */
  home: Record<string, string>;
  /** 首页商品排名: "marketplace sku" to units sold. */
  goods: Record<string, number>;
  /** FBA库存: "marketplace sku" to "fulfillable/reserved/inbound/unsellable". */
  stock: Record<string, string>;
  /** FBA每日库存, its last day: "marketplace sku disposition" to pieces, and "marketplace sku IN_TRANSIT". */
  balances: Record<string, number>;
  /** FBA库存明细, all of it: "marketplace sku disposition" to the sum of what moved in and out. */
  movements: Record<string, number>;
  /** 退货订单: "marketplace sku disposition" to pieces. */
  returns: Record<string, number>;
  /** 赔偿: "count units amount". */
  reimbursements: Record<string, string>;
  /** 移除订单: "requested disposed shipped". */
  removals: Record<string, string>;
  /** 结算记录: settlement id to "total sum-of-lines lines". */
  settlements: Record<string, string>;
  /** 利润报表: "marketplace sku" to "pieces sales refunds net", without shared money. */
  earned: Record<string, string>;
  /** 利润报表: "shared whole". */
  profit: Record<string, string>;
  /** 广告活动, 推广商品, 投放, 广告位: "list marketplace product campaign" to "impressions/clicks/cost/orders/sales". */
  ads: Record<string, string>;
}

const PAGE_SIZE = 100;
const FIRST = '2025-01-01';
const LAST = '2027-12-31';
const NOT_SOLD = ['CANCELLED', 'UNFULFILLABLE'] as const;
const SOLD = ['PENDING_AVAILABILITY', 'PENDING', 'UNSHIPPED', 'PARTIALLY_SHIPPED', 'SHIPPED'] as const;

export const cents = (amount: string | null): string => new Decimal(amount ?? Number.NaN).toFixed(2);

type ListOf<R> = Endpoint & { reply: unknown } & { __row?: R };
type RowOf<E extends Endpoint> = Reply<E> extends { records: (infer R)[] } ? R : never;

/** Every row of a list, page by page, as somebody would who turns all of them. */
async function pages<E extends ListOf<unknown>>(person: Person, list: E, filter: object): Promise<RowOf<E>[]> {
  const rows: RowOf<E>[] = [];
  for (let currentpage = 1; ; currentpage += 1) {
    const body = { filter, pagesize: PAGE_SIZE, currentpage };
    const answer = (await person.call(list, { body } as unknown as CallInput<E>)) as {
      records: RowOf<E>[];
      total: number;
    };
    rows.push(...answer.records);
    if (answer.records.length === PAGE_SIZE && rows.length < answer.total) continue;
    if (rows.length !== answer.total) throw new Error(`${list.path}: ${rows.length} rows of ${answer.total}`);
    return rows;
  }
}

/** Sums of rows by a key; sums of nought are left out. */
export function tally<T>(
  rows: readonly T[],
  keyOf: (row: T) => string,
  of: (row: T) => number,
): Record<string, number> {
  const sums = new Map<string, number>();
  for (const row of rows) sums.set(keyOf(row), (sums.get(keyOf(row)) ?? 0) + of(row));
  return Object.fromEntries([...sums].filter(([, value]) => value !== 0));
}

/** The list of orders: its count by status, and all of its pages; what has no price yet shows one on its own page. */
async function ordersOf(person: Person, accountId: string, marketplaceId: string): Promise<string> {
  const filter = {
    accountIds: [accountId],
    marketplaceIds: [marketplaceId],
    channel: 'AMAZON' as const,
    isReplacement: false,
  };
  const counts = await person.call(orderStatusCounts, { body: { filter } });
  const orders = NOT_SOLD.reduce((left, status) => left - (counts[status] ?? 0), counts.all ?? 0);
  const rows = await pages(person, listOrders, { ...filter, status: [...SOLD] });
  if (rows.length !== orders) throw new Error(`${orders} orders by status are ${rows.length} in the list`);
  const prices: string[] = [];
  for (const { id, itemAmount } of rows) {
    if (itemAmount !== null) prices.push(itemAmount);
    else {
      const { lines } = await person.call(orderDetail, { params: { id } });
      const living = lines.filter(({ supersededBy }) => supersededBy === null);
      prices.push(...living.map((line) => line.itemPrice ?? line.estimatedPrice ?? 'NaN'));
    }
  }
  const units = rows.reduce((total, { quantity }) => total + quantity, 0);
  return `${orders} ${units} ${cents(sum(prices))}`;
}

async function homeOf(person: Person, accountId: string, marketplaceId: string, days: { from: string; to: string }) {
  const filter = {
    ...DEFAULT_FILTER,
    accountIds: [accountId],
    marketplaceIds: [marketplaceId],
    period: 'custom' as const,
    dates: days,
  };
  const { orders, units, netSales } = await person.call(kpi, { body: { filter } });
  const { rows } = await person.call(topGoods, { body: { filter, by: 'units', limit: 20 } });
  if (rows.length === 20) throw new Error('more goods are sold than the ranking shows');
  return {
    home: `${orders.value} ${units.value} ${cents(netSales?.value ?? null)}`,
    goods: tally(
      rows,
      ({ product }) => `${marketplaceId} ${product.code}`,
      (row) => row.units,
    ),
  };
}

async function warehouseOf(person: Person, site: string, id: string): Promise<Partial<ScreenFigures>> {
  const filter = { sites: [site] };
  const stock: Record<string, string> = {};
  for (const row of await pages(person, listStock, { ...filter, hasStock: true })) {
    stock[`${id} ${row.sellerSku}`] = `${row.fulfillable}/${row.reserved}/${row.inbound}/${row.unsellable}`;
  }
  const [newest] = (await person.call(balances.list, { body: { filter, pagesize: 10 } })).records;
  const dates = newest ? { from: newest.day, to: newest.day } : {};
  const day = await pages(person, balances.list, { ...filter, dates });
  const moved = await pages(person, movements.list, filter);
  const back = await pages(person, returns.list, filter);
  const paid = await pages(person, reimbursements.list, filter);
  const removed = await pages(person, removals.list, filter);
  const total = <T>(rows: readonly T[], of: (row: T) => number) => rows.reduce((all, row) => all + of(row), 0);
  const kindOf = (row: { product: { code: string }; disposition: string }) =>
    `${id} ${row.product.code} ${row.disposition}`;
  return {
    stock,
    balances: {
      ...tally(day, kindOf, (row) => row.ending),
      ...tally(
        day,
        (row) => `${id} ${row.product.code} IN_TRANSIT`,
        (row) => row.inTransit,
      ),
    },
    movements: tally(moved, kindOf, (row) => row.quantity),
    returns: tally(back, kindOf, (row) => row.quantity),
    reimbursements:
      paid.length > 0
        ? {
            [id]: `${paid.length} ${total(paid, (row) => row.quantity)} ${cents(sum(paid.map((row) => row.amount ?? 'NaN')))}`,
          }
        : {},
    removals:
      removed.length > 0
        ? {
            [id]: `${total(removed, (row) => row.requested)} ${total(removed, (row) => row.disposed)} ${total(removed, (row) => row.shipped)}`,
          }
        : {},
  };
}

/** Money of a SKU itself, and the store's money as the report shares it out: advertising is charged to stores only. */
async function profitOf(person: Person, site: string, id: string): Promise<Partial<ScreenFigures>> {
  const rows = await pages(person, listProfit, {
    dimension: 'msku',
    currency: 'ORIGINAL',
    stores: [site],
    date: { from: FIRST, to: LAST },
  });
  if (rows.length === 0) return { earned: {}, profit: {} };
  const shared = (row: (typeof rows)[number]) =>
    sum([row.storageShare ?? 'NaN', row.otherShare ?? 'NaN', row.ads ?? 'NaN']);
  const earned: Record<string, string> = {};
  for (const row of rows) {
    if (!row.sku) continue;
    const net = new Decimal(row.platformNet ?? Number.NaN).minus(shared(row)).toFixed();
    const texts = [row.units, cents(row.sales), cents(row.refund), cents(net)];
    earned[`${id} ${row.sku}`] = texts.join(' ');
  }
  const whole = sum(rows.map((row) => row.platformNet ?? 'NaN'));
  return { earned, profit: { [id]: `${cents(sum(rows.map(shared)))} ${cents(whole)}` } };
}

const AD_LISTS = { campaign: campaigns, product: productAds, target: targets, placement: placements };

async function adsOf(person: Person, site: string, id: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const [name, { list }] of Object.entries(AD_LISTS)) {
    const rows = await pages(person, list as typeof placements.list, { sites: [site] });
    const keyOf = (row: (typeof rows)[number] & { name?: string }) =>
      `${name} ${id} ${row.adProduct} ${name === 'campaign' ? row.name : row.campaign}`;
    for (const [key, own] of Map.groupBy(rows, keyOf)) {
      const total = (of: (row: (typeof own)[number]) => number) => own.reduce((all, row) => all + of(row), 0);
      const money = (of: (row: (typeof own)[number]) => string | null) =>
        cents(sum(own.map((row) => of(row) ?? 'NaN')));
      if (total((row) => row.impressions) === 0) continue;
      found[key] =
        `${total((row) => row.impressions)}/${total((row) => row.clicks)}/${money((row) => row.cost)}/` +
        `${total((row) => row.adOrders)}/${money((row) => row.adSales)}`;
    }
  }
  return found;
}

/** All of it as the product's own screens tell it to a person, by the calls that they make; not a row is read from a table. */
export async function screenFigures(
  person: Person,
  accountId: string,
  marketplaceIds: readonly string[],
  days: { from: string; to: string },
): Promise<ScreenFigures> {
  const figures: ScreenFigures = {
    ...{ orders: {}, home: {}, goods: {}, stock: {}, balances: {}, movements: {}, returns: {} },
    ...{ reimbursements: {}, removals: {}, settlements: {}, earned: {}, profit: {}, ads: {} },
  };
  const add = (part: Partial<ScreenFigures>) => {
    for (const [name, values] of Object.entries(part)) Object.assign(figures[name as keyof ScreenFigures], values);
  };
  for (const id of marketplaceIds) {
    const site = `${id}-${accountId}`;
    const { home, goods } = await homeOf(person, accountId, id, days);
    add({ orders: { [id]: await ordersOf(person, accountId, id) }, home: { [id]: home }, goods });
    add(await warehouseOf(person, site, id));
    add(await profitOf(person, site, id));
    add({ ads: await adsOf(person, site, id) });
  }
  for (const row of await pages(person, listSettlements, {})) {
    figures.settlements[row.settlementId] = `${cents(row.total)} ${cents(row.lineSum)} ${row.lineCount}`;
  }
  return figures;
}
