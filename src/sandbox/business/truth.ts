/**
 * The truth that others are measured against: a straight count over the lists that the business serves, with the
 * measures' own definitions and nothing shared with the simulation.
 */

import type { SimAdRow } from './ads-types.ts';
import { adTruth } from './ads-views.ts';
import { formatMinor, parseMinor } from './amounts.ts';
import type { FbaBooks } from './fba-types.ts';
import { localDate } from './marketplaces.ts';
import { truthMoney } from './truth-money.ts';
import type {
  SimMarketplace,
  SimOrder,
  SimOrderItem,
  SimSettlement,
  SimStock,
  SimTransaction,
  Truth,
  TruthRow,
  TruthWarehouse,
} from './types.ts';

/** What the count reads: orders bought in the period, today's stock and all the money of one marketplace. */
export interface TruthSources {
  market: SimMarketplace;
  account: { sellingPartnerId: string; region: Truth['region'] };
  orders: SimOrder[];
  stock: SimStock[];
  settlements: SimSettlement[];
  transactions: SimTransaction[];
  books: FbaBooks;
  ads: SimAdRow[];
}

interface Tally {
  units: number;
  grossUnits: number;
  cancelledUnits: number;
  orders: Set<string>;
  sales: number;
  discount: number;
}

const NOT_COUNTED = new Set(['CANCELLED', 'UNFULFILLABLE']);

/**
 * Counted are lines of orders that are neither cancelled nor replacements; pending ones count at the offer price of
 * their purchase. `grossUnits` also holds cancelled pieces. Days are business days of the marketplace.
 */
export function truthOf(sources: TruthSources, now: number): Truth {
  const { market, account } = sources;
  const all = tally();
  const bySku = new Map<string, Tally>();
  const byDay = new Map<string, Tally>();
  for (const order of sources.orders) {
    if (order.isReplacement) continue;
    const day = localDate(market.timeZone, order.purchasedAt);
    for (const item of order.items) {
      for (const one of [all, at(bySku, item.sku), at(byDay, day)]) count(one, order, item);
    }
  }
  const money = (minor: number): string => formatMinor(minor, market.currency);
  return {
    asOf: now,
    ...account,
    marketplaceId: market.marketplaceId,
    currency: market.currency,
    orders: all.orders.size,
    units: all.units,
    productSales: money(all.sales),
    bySku: sorted(bySku).map(([sku, one]) => skuRow(sku, one, money)),
    byDay: sorted(byDay).map(([day, one]) => ({
      day,
      orders: one.orders.size,
      units: one.units,
      productSales: money(one.sales),
    })),
    stock: sources.stock.map(stockRow),
    settlements: sources.settlements.map((one) => settlementRow(one, money)),
    warehouse: warehouseOf(sources, money),
    money: truthMoney(sources.settlements, sources.transactions, market.currency),
    ads: adTruth(sources.ads, market.currency),
  };
}

function tally(): Tally {
  return { units: 0, grossUnits: 0, cancelledUnits: 0, orders: new Set(), sales: 0, discount: 0 };
}

function at(map: Map<string, Tally>, key: string): Tally {
  let found = map.get(key);
  if (!found) {
    found = tally();
    map.set(key, found);
  }
  return found;
}

function count(one: Tally, order: SimOrder, item: SimOrderItem): void {
  one.grossUnits += item.quantityOrdered;
  if (NOT_COUNTED.has(order.status)) {
    one.cancelledUnits += item.quantityOrdered;
    return;
  }
  one.units += item.quantityOrdered;
  one.orders.add(order.orderId);
  one.sales += item.itemPrice === '' ? parseMinor(item.unitPrice) * item.quantityOrdered : parseMinor(item.itemPrice);
  one.discount += parseMinor(item.itemDiscount);
}

function sorted(map: Map<string, Tally>): [string, Tally][] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1));
}

function skuRow(sku: string, one: Tally, money: (minor: number) => string): TruthRow {
  return {
    sku,
    units: one.units,
    grossUnits: one.grossUnits,
    cancelledUnits: one.cancelledUnits,
    orders: one.orders.size,
    productSales: money(one.sales),
    discount: money(one.discount),
  };
}

function stockRow(one: SimStock): Truth['stock'][number] {
  return {
    sku: one.product.sku,
    fulfillable: one.fulfillable,
    unsellable: one.unsellable,
    reserved: one.reservedCustomerOrders + one.reservedTransfers + one.reservedProcessing,
    inbound: one.inboundWorking + one.inboundShipped + one.inboundReceiving,
  };
}

function settlementRow(one: SimSettlement, money: (minor: number) => string): Truth['settlements'][number] {
  const { settlementId, total, lines } = one;
  const sum = lines.reduce((minor, line) => minor + parseMinor(line.amount), 0);
  return { settlementId, total, lineCount: lines.length, lineSum: money(sum) };
}

function warehouseOf({ stock, books }: TruthSources, money: (minor: number) => string): TruthWarehouse {
  const total = <T>(rows: readonly T[], of: (row: T) => number): number => rows.reduce((sum, row) => sum + of(row), 0);
  const done = (isDestroyed: boolean) =>
    books.removals.filter((one) => (one.type === 'Disposal') === isDestroyed && one.doneAt !== undefined);
  const returned = Map.groupBy(books.returns, (one) => one.product.sku);
  return {
    stock: stock.map((one) => ({
      sku: one.product.sku,
      sellable: one.fulfillable + one.reservedCustomerOrders + one.reservedProcessing,
      inTransit: one.reservedTransfers,
      unsellable: one.unsellable,
    })),
    returns: [...returned].map(([sku, list]) => ({ sku, units: list.length })).sort((a, b) => (a.sku < b.sku ? -1 : 1)),
    reimbursements: {
      count: books.reimbursements.length,
      units: total(books.reimbursements, (one) => one.quantity),
      amount: money(total(books.reimbursements, (one) => parseMinor(one.amount))),
    },
    removals: {
      requested: total(books.removals, (one) => one.quantity),
      disposed: total(done(true), (one) => one.quantity),
      shipped: total(done(false), (one) => one.quantity),
    },
  };
}
