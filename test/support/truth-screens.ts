import { sum } from '#kit/contract/decimal.ts';
import { DEFAULT_FILTER, kpi, topGoods } from '#modules/dashboard/contract.ts';
import { reimbursements, removals } from '#modules/inventory/contract/events.ts';
import { balances, movements } from '#modules/inventory/contract/ledger.ts';
import { listStock } from '#modules/inventory/contract.ts';
import { listOrders, orderDetail, orderStatusCounts } from '#modules/order/contract/orders.ts';
import { returns } from '#modules/returns/contract/returns.ts';
import { listSettlements } from '#modules/settlement/contract/settlements.ts';
import { cents, pages, tally } from './pages.ts';
import { adsOf, profitOf } from './truth-screens-money.ts';
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

const NOT_SOLD = ['CANCELLED', 'UNFULFILLABLE'] as const;
const SOLD = ['PENDING_AVAILABILITY', 'PENDING', 'UNSHIPPED', 'PARTIALLY_SHIPPED', 'SHIPPED'] as const;

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
  const back = await pages(person, returns.list, { ...filter, channel: 'FBA' });
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
