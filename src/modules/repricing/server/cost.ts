import { sql } from 'kysely';
import { currencyScale, Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { knownRate } from '#modules/finance/server/index.ts';
import { fulfilmentFee } from '#modules/inventory/server/index.ts';
import type { RuleSettings } from '../contract/settings.ts';
import { floorPrice } from './floor.ts';

/** Where a listing is sold and who sends it. */
export interface CostOf {
  accountId: string;
  marketplaceId: string;
  sellerSku: string;
  currency: string;
  fulfilledBy: string;
  /** Freight, storage, returns of a piece, in `currency`. */
  otherCost: string;
}

/** What a piece costs in the currency of its listing, part by part. */
export interface UnitCost {
  /** As bought, CNY. */
  purchaseCny: string;
  /** CNY for one unit of the currency. */
  rate: string;
  purchase: string;
  /** Amazon's fulfilment fee; null where the merchant sends. */
  fulfilment: string | null;
  other: string;
  total: string;
}

/** What a listing's piece is bought for today, CNY: what it is matched with, else what its SKU costs; null where unknown. */
async function purchaseCost(ctx: Ctx, { accountId, marketplaceId, sellerSku }: CostOf): Promise<string | null> {
  const today = ctx.clock.today();
  const { rows } = await sql<{ cost: string | null }>`
    SELECT CASE WHEN m.own THEN m.unit_cost ELSE s.unit_cost END::text AS cost
      FROM (SELECT 1) AS one
      LEFT JOIN LATERAL (
        SELECT own, unit_cost FROM product.listing_cost
         WHERE company_id = ${ctx.companyId} AND account_id = ${accountId} AND marketplace_id = ${marketplaceId}
           AND msku = ${sellerSku} AND valid_from <= ${today}::date
         ORDER BY valid_from DESC LIMIT 1) AS m ON true
      LEFT JOIN LATERAL (
        SELECT unit_cost FROM product.sku_cost
         WHERE company_id = ${ctx.companyId} AND sku = ${sellerSku} AND valid_from <= ${today}::date
         ORDER BY valid_from DESC LIMIT 1) AS s ON true`.execute(ctx.db);
  return rows[0]?.cost ?? null;
}

/** What a piece costs, or in words what is missing to know it. */
export async function unitCost(ctx: Ctx, of: CostOf): Promise<UnitCost | string> {
  const purchaseCny = await purchaseCost(ctx, of);
  if (purchaseCny === null) return '成本缺失：请维护采购成本';
  const rate = (await knownRate(ctx, of.currency, ctx.clock.today()))?.rate;
  if (rate === undefined) return `成本缺失：没有 ${of.currency} 汇率`;
  const purchase = new Decimal(purchaseCny).div(rate).toDecimalPlaces(6, Decimal.ROUND_UP).toFixed();
  const fulfilment = of.fulfilledBy === 'AMAZON' ? await fulfilmentFee(ctx, of) : null;
  // Without it a floor would be far too low.
  if (of.fulfilledBy === 'AMAZON' && fulfilment === null) return '成本缺失：费用预览中没有亚马逊配送费';
  const total = new Decimal(purchase)
    .plus(fulfilment ?? 0)
    .plus(of.otherCost)
    .toFixed();
  return { purchaseCny, rate, purchase, fulfilment, other: of.otherCost, total };
}

/** The floor of a listing under a rule, with what it was made from; words where it cannot be known. */
export async function floorOf(
  ctx: Ctx,
  of: CostOf,
  { margin, adShare, referral, referralMin, vat }: RuleSettings,
): Promise<{ floor: string; cost: UnitCost } | string> {
  const cost = await unitCost(ctx, of);
  if (typeof cost === 'string') return cost;
  const scale = currencyScale(of.currency);
  const floor = floorPrice({ cost: cost.total, margin, adShare, referral, referralMin, vat, scale });
  return floor === null ? '无法达到目标利润' : { floor, cost };
}
