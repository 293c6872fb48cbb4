import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { LeavingPrice, OfferWatch, PriceGuard } from '#modules/listing/server/index.ts';
import type { RuleSettings } from '../contract/settings.ts';
import { floorOf } from './cost.ts';

interface Under {
  listingId: string;
  accountId: string;
  marketplaceId: string;
  sellerSku: string;
  fulfilledBy: string;
  currency: string;
  minPrice: string;
  maxPrice: string;
  otherCost: string;
  settings: RuleSettings;
  status: string;
  pauseCode: string | null;
}

async function underRules(ctx: Ctx, listingIds: readonly string[]): Promise<Map<string, Under>> {
  const { rows } = await sql<Under>`
    SELECT b.listing_id AS "listingId", b.account_id AS "accountId", b.marketplace_id AS "marketplaceId",
           b.seller_sku AS "sellerSku", p.fulfilled_by AS "fulfilledBy", p.currency, b.min_price::text AS "minPrice",
           b.max_price::text AS "maxPrice", b.other_cost::text AS "otherCost", r.settings, r.status,
           b.pause_code AS "pauseCode"
      FROM repricing.binding AS b
      JOIN repricing.rule AS r ON r.company_id = b.company_id AND r.id = b.rule_id
      JOIN listing.product AS p ON p.company_id = b.company_id AND p.listing_id = b.listing_id
     WHERE b.company_id = ${ctx.companyId} AND b.listing_id = ANY (${[...listingIds]}::uuid[])
     ORDER BY b.id FOR UPDATE OF b`.execute(ctx.db);
  return new Map(rows.map((row) => [row.listingId, row]));
}

/** Why a price may not leave now; undefined where it may. */
async function whyNot(ctx: Ctx, one: LeavingPrice, under: Under | undefined): Promise<string | undefined> {
  if (under?.status !== 'ACTIVE') return '发送前撤下：规则已停用或商品已解绑';
  if (under.pauseCode !== null) return '发送前撤下：商品已暂停智能调价';
  if (new Decimal(one.price).lt(under.minPrice))
    return `发送前撤下：低于最低价 ${new Decimal(under.minPrice).toFixed()}`;
  if (!under.settings.guard) return undefined;
  const known = await floorOf(ctx, under, under.settings);
  if (typeof known === 'string') return `发送前撤下：${known}`;
  return new Decimal(one.price).lt(known.floor) ? `发送前撤下：低于保本价 ${known.floor}` : undefined;
}

/** Costs, limits and rules may have changed since a price was decided on: it is held against them right before it leaves. */
export const floorGuard: PriceGuard = {
  unfit: async (ctx, leaving) => {
    const under = await underRules(
      ctx,
      leaving.map((one) => one.listingId),
    );
    const unfit = new Map<string, string>();
    for (const one of leaving) {
      const why = await whyNot(ctx, one, under.get(one.listingId));
      if (why !== undefined) unfit.set(one.id, why);
    }
    return unfit;
  },
};

/** Offers of what rules decide on are read with every run. */
export const boundOffers: OfferWatch = {
  asins: async (ctx, { accountId, marketplaceId }) => {
    const { rows } = await sql<{ asin: string }>`
      SELECT DISTINCT p.asin FROM repricing.binding AS b
        JOIN repricing.rule AS r ON r.company_id = b.company_id AND r.id = b.rule_id AND r.status <> 'ARCHIVED'
        JOIN listing.product AS p ON p.company_id = b.company_id AND p.listing_id = b.listing_id
       WHERE b.company_id = ${ctx.companyId} AND b.account_id = ${accountId} AND b.marketplace_id = ${marketplaceId}
         AND p.asin IS NOT NULL`.execute(ctx.db);
    return rows.map(({ asin }) => asin);
  },
};
