import { Decimal, sum } from '#kit/contract/decimal.ts';
import type { Product } from '#kit/contract/field.ts';
import type { Ctx } from '#kit/server/context.ts';
import { productInfo, productKey } from '#modules/listing/server/index.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { storePairs } from '#modules/settlement/server/index.ts';
import { FIGURE_KEYS, type FigureKey, NET_SALES } from '../contract/figures.ts';
import type { ProfitRow } from '../contract/report.ts';
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

/** Cell of a SKU: the name and picture of its listing in some store, else the SKU alone. */
async function productCells(ctx: Ctx, rows: readonly ReportRow[]): Promise<(row: ReportRow) => Product | null> {
  const keys = rows.flatMap((row) =>
    storePairs([row.any_store]).map((pair) => ({ ...pair, sellerSku: row.sku ?? '' })),
  );
  const known = await productInfo(
    ctx,
    keys.filter((key) => key.sellerSku !== ''),
  );
  return (row) => {
    if (row.sku === null) return null;
    if (row.sku === '') return { name: UNALLOCATED_NAME, code: '没有分摊基数的店铺收支' };
    const [pair] = storePairs([row.any_store]);
    const found = pair && known.get(productKey({ ...pair, sellerSku: row.sku }));
    return found ?? { name: row.sku, code: row.sku };
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
  const platformNet = total(FIGURE_KEYS);
  const costUnknown = cogs === null && row.cost_units > 0;
  return {
    ...figures,
    netSales: total(NET_SALES),
    platformNet,
    cogs,
    profit: platformNet === null || costUnknown ? null : sum([platformNet, cogs ?? '0']),
    refundRate: rate(row.refund_rate),
    margin: rate(row.margin),
    roi: rate(row.roi),
    settledShare: rate(row.settled_share),
  };
}

/** Identity of a row: what the drill-down needs to find the same money again. */
export function rowId(row: Pick<ReportRow, 'sku' | 'store_key' | 'day' | 'currency'>): string {
  return [row.sku ?? '-', row.store_key ?? '-', row.day ?? '-', row.currency].join('\t');
}

/** Rows of the report as the contract has them. Money without a rate is null in its cell, and the row says so. */
export async function profitRows(ctx: Ctx, rows: readonly ReportRow[]): Promise<ProfitRow[]> {
  const product = await productCells(ctx, rows);
  const names = await storeNames(ctx);
  return rows.map((row) => {
    const [pair] = row.store_key === null ? [] : storePairs([row.store_key]);
    return {
      id: rowId(row),
      sku: row.sku,
      storeKey: row.store_key,
      product: product(row),
      store: pair ? { name: names.get(pair.accountId) ?? '', country: countryOf(pair.marketplaceId) } : null,
      day: row.day,
      currency: row.currency,
      units: row.units,
      orders: row.orders,
      refundUnits: row.refund_units,
      ...amountsOf(row),
      costMissing: row.cost_missing,
      fxMissing: row.fx_missing || (row.cost_units > 0 && row.cogs === null),
    };
  });
}
