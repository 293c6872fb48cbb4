import { Decimal, sum } from '#kit/contract/decimal.ts';
import type { Product } from '#kit/contract/field.ts';
import type { Ctx } from '#kit/server/context.ts';
import { type ListingKey, productInfo, productKey } from '#modules/listing/server/index.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { storePairs } from '#modules/settlement/server/index.ts';
import { FIGURE_KEYS, type FigureKey, NET_SALES } from '../contract/figures.ts';
import { type Dimension, isGoods, NAMES, type ProfitRow } from '../contract/report.ts';
import { goodsNames } from './goods.ts';
import type { ReportRow } from './source.ts';

/** Decimals kept on the wire: more than are ever shown, so that rounding happens once, at display. */
const PLACES = 6;

/** A figure for the wire; null where it cannot be had. */
export function wire(value: string | null | undefined): string | null {
  return value === null || value === undefined ? null : new Decimal(value).toDecimalPlaces(PLACES).toFixed();
}

/** A ratio for the wire. */
export function rate(value: string | null | undefined): string | null {
  return value === null || value === undefined ? null : new Decimal(value).toDecimalPlaces(8).toFixed();
}

const UNALLOCATED_NAME = '未分摊';

/** Listing whose name and picture a row shows: its own, or one of those that it is made of. */
function shownOf({ sku, first, any_store }: ReportRow): ListingKey[] {
  const [store = any_store, ...rest] = first === null ? [] : first.split('\t');
  const sellerSku = first === null ? sku : rest.join('\t');
  return sellerSku ? storePairs([store]).map((pair) => ({ ...pair, sellerSku })) : [];
}

/** Cell of a SKU or an ASIN: the name and picture of its listing in some store, else the code alone. */
async function productCells(ctx: Ctx, rows: readonly ReportRow[]): Promise<(row: ReportRow) => Product | null> {
  const known = await productInfo(ctx, rows.flatMap(shownOf));
  return (row) => {
    if (row.sku === null && row.goods === null) return null;
    if (row.sku === '') return { name: UNALLOCATED_NAME, code: '没有分摊基数的店铺收支' };
    const [listing] = shownOf(row);
    const found = listing && known.get(productKey(listing));
    const code = row.goods ?? row.sku ?? '';
    if (row.goods === null) return found ?? { name: code, code };
    return { name: found?.name ?? code, code, image: found?.image };
  };
}

/**
 * The amounts of a row for the wire, every sum made of the rounded parts that go with it: what is shown adds up exactly,
 * whatever was converted. Profit without any known cost is the platform net.
 */
export function amountsOf(row: ReportRow) {
  const figures = Object.fromEntries(FIGURE_KEYS.map((key) => [key, wire(row[key])])) as Record<
    FigureKey,
    string | null
  >;
  const total = (keys: readonly FigureKey[]) => {
    const values = keys.map((key) => figures[key]);
    return values.some((value) => value === null) ? null : sum(values.map((value) => value ?? '0'));
  };
  const cogs = wire(row.cogs);
  const fees = wire(row.fees);
  const platformNet = total(FIGURE_KEYS);
  return {
    ...figures,
    netSales: total(NET_SALES),
    platformNet,
    cogs,
    fees,
    // Null in the query: a rate is missing; no cost at all is none.
    profit: platformNet === null || row.profit === null || fees === null ? null : sum([platformNet, cogs ?? '0', fees]),
    refundRate: rate(row.refund_rate),
    margin: rate(row.margin),
    roi: rate(row.roi),
    settledShare: rate(row.settled_share),
  };
}

/** Identity of a row: what the drill-down needs to find the same money again. */
function rowId({ sku, store_key, day, month, goods, currency }: ReportRow): string {
  return [sku ?? '-', store_key ?? '-', day ?? '-', month ?? '-', goods ?? '-', currency].join('\t');
}

/** Rows of the report as the contract has them. Money without a rate is null in its cell, and the row says so. */
export async function profitRows(ctx: Ctx, rows: readonly ReportRow[], dimension: Dimension): Promise<ProfitRow[]> {
  const shows = NAMES[dimension].includes('product');
  const product = shows ? await productCells(ctx, rows) : () => null;
  const name = isGoods(dimension) ? await goodsNames(ctx, dimension) : undefined;
  const names = await storeNames(ctx);
  return rows.map((row) => {
    const [pair] = row.store_key === null ? [] : storePairs([row.store_key]);
    return {
      id: rowId(row),
      sku: row.sku,
      storeKey: row.store_key,
      goods: row.goods,
      product: row.goods === '' ? { name: name?.('') ?? '', code: '' } : product(row),
      name: row.goods === null ? null : (name?.(row.goods) ?? null),
      store: pair ? { name: names.get(pair.accountId) ?? '', country: countryOf(pair.marketplaceId) } : null,
      day: row.day,
      month: row.month,
      currency: row.currency,
      units: row.units,
      orders: row.orders,
      refundUnits: row.refund_units,
      ...amountsOf(row),
      costMissing: row.cost_missing,
      fxMissing: row.fx_missing || row.profit === null,
    };
  });
}
