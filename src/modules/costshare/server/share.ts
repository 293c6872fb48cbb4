import { sql } from 'kysely';
import type { z } from 'zod';
import { allocate, currencyScale, Decimal } from '#kit/contract/decimal.ts';
import type { Reply } from '#kit/contract/endpoint.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { extensionPoint, extensionsOf } from '#kit/server/extension.ts';
import { atSites } from '#modules/listing/server/index.ts';
import type { ShareBody, shareCost } from '../contract/calls.ts';
import { MOST_ROWS } from '../contract/document.ts';

/** What a SKU sold in a store ("<marketplace>-<account>") in a period; net sales in CNY, null where a rate is missing. */
export interface SkuBase {
  store: string;
  sku: string;
  netSales: string | null;
  units: number;
}

/** Tells what SKUs sold, for some stores and days (both ends counted). */
export type ShareBases = (
  ctx: Ctx,
  scope: { stores: readonly string[]; from: string; to: string },
) => Promise<SkuBase[]>;

/** Modules that know sales add how to ask for them. */
export const shareBases = extensionPoint<ShareBases>('costshare.shareBases');

type Body = z.output<typeof ShareBody>;
interface Key {
  store: string;
  sku: string;
}

const keyOf = ({ store, sku }: Key) => `${store}\t${sku}`;

/** Listings of some SKUs in some stores. */
async function listed(ctx: Ctx, { stores, skus }: Body): Promise<Key[]> {
  const { rows } = await sql<Key>`
    SELECT p.marketplace_id || '-' || p.account_id AS store, p.seller_sku AS sku FROM listing.product AS p
     WHERE p.company_id = ${ctx.companyId} AND p.seller_sku = ANY (${skus}::text[]) AND ${atSites('p', stores)}
     ORDER BY 1, 2`.execute(ctx.db);
  return rows;
}

function weightOf(base: SkuBase | undefined, by: Body['base']): string {
  if (by === 'EQUAL') return '1';
  if (!base) return '0';
  if (by === 'UNITS') return String(Math.max(base.units, 0));
  if (base.netSales === null) throw refused('所选期间有币种缺少汇率，不能按净销售额分摊', 'B2307');
  return Decimal.max(base.netSales, 0).toFixed();
}

/**
 * Shares an amount over SKUs by what they sold in the period: those that were named, else all with sales. Where none of them has
 * any, evenly; where there is no SKU, over the stores. Parts add up to the amount; those that come to nothing are left out.
 * @throws B2301 decimals, B2307 a missing rate, B2308 too many SKUs
 */
export async function shareOf(ctx: Ctx, body: Body): Promise<Reply<typeof shareCost>> {
  const scale = currencyScale(body.currency);
  if (new Decimal(body.amount).decimalPlaces() > scale) throw refused('金额：请输入正确的金额', 'B2301');
  const found: SkuBase[] = [];
  for (const ask of extensionsOf(ctx.runtime.modules, shareBases)) found.push(...(await ask(ctx, body)));
  const bases = new Map(found.filter(({ sku }) => sku !== '').map((base) => [keyOf(base), base]));
  const keys = body.skus.length > 0 ? await listed(ctx, body) : [...bases.values()].filter(({ units }) => units > 0);
  const whole = body.stores.map((store) => ({ store, sku: '' }));
  const over = new Map((keys.length > 0 ? keys : whole).map((key) => [keyOf(key), key]));
  if (over.size > MOST_ROWS) throw refused(`一张单据最多 ${MOST_ROWS} 行，请选择较少的店铺或 SKU`, 'B2308');
  const weights = new Map([...over.keys()].map((key) => [key, weightOf(bases.get(key), body.base)]));
  const even = new Map([...over.keys()].map((key) => [key, '1']));
  const shared = allocate(body.amount, weights, scale);
  const parts = shared ?? allocate(body.amount, even, scale) ?? new Map<string, string>();
  const rows = [...parts]
    .filter(([, amount]) => !new Decimal(amount).isZero())
    .map(([key, amount]) => ({ store: '', sku: '', ...over.get(key), amount }));
  return { rows, base: shared ? body.base : 'EQUAL' };
}
