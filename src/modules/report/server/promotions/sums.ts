import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { ComparedDbRow, ComparedList } from '#kit/server/list/compared/index.ts';
import { relation } from '#kit/server/list/relation.ts';
import { allOf } from '#modules/inventory/server/index.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import {
  type CouponSumFilter,
  CouponSumRow,
  type PromotionSumFilter,
  PromotionSumRow,
} from '../../contract/promotions.ts';
import { asinOf, couponsOf, promotionsOf } from './lists.ts';

/** Once a site has told of an activity, a day on which none began had none; the first reports tell a year. */
const told = (ctx: Ctx, table: string): RawBuilder<unknown> => sql`
  SELECT s.account_id, s.marketplace_id, g.day::date AS day
    FROM (SELECT account_id, marketplace_id, min(day) AS since FROM ${sql.table(table)}
           WHERE company_id = ${ctx.companyId} GROUP BY 1, 2) AS s
   CROSS JOIN generate_series(s.since, kit.today(), interval '1 day') AS g (day)`;

interface Begun extends Omit<ComparedList, 'resource' | 'told' | 'step' | 'show'> {
  /** Table of what begins, by its day. */
  table: string;
  /** What a row shows beside its store and figures. */
  show: (row: ComparedDbRow) => Record<string, unknown>;
}

/** Sums of what begins within two periods: each with all that it has brought until now, which is not told by day. */
async function begunSums(ctx: Ctx, { table, show, ...list }: Begun): Promise<ComparedList> {
  const stores = await storeNames(ctx);
  return {
    ...list,
    resource: table,
    told: told(ctx, table),
    step: 'day',
    show: (row) => ({
      ...show(row),
      store: { name: stores.get(row.account_id) ?? '', country: countryOf(row.marketplace_id) },
    }),
  };
}

/** Coupons of each site by the day on which they begin, over two periods: their figures are not told by product. */
export const couponSumList = (ctx: Ctx, { dates: _, view: __, compare: ___, ...filter }: CouponSumFilter) =>
  begunSums(ctx, {
    title: '优惠券汇总对比',
    table: 'report.coupon',
    row: CouponSumRow,
    facts: allOf(couponsOf(ctx, filter)),
    by: [],
    measures: {
      coupons: { of: '1', kind: 'integer' },
      clips: { of: 'f.clips', kind: 'integer' },
      redemptions: { of: 'f.redemptions', kind: 'integer' },
      spent: { of: 'f.spent', kind: 'money' },
      couponSales: { of: 'f.sales', kind: 'money' },
    },
    ratios: { redeemed: ['redemptions', 'clips'] },
    charted: ['coupons', 'redemptions', 'spent', 'couponSales'],
    first: 'spent',
    product: 'f.account_id',
    show: (row) => ({ site: `${row.marketplace_id}-${row.account_id}` }),
  });

/** The products of promotions, each with what it sold in its own; of one product where the filter names it. */
function productsOf(ctx: Ctx, filter: Omit<PromotionSumFilter, 'dates' | 'view' | 'compare'>): RawBuilder<unknown> {
  const asin = asinOf(filter.asin);
  return sql`
    SELECT f.account_id, f.marketplace_id, f.currency, f.day, p.asin, p.title, p.views, p.units, p.sales
      FROM (${promotionsOf(ctx, filter).selectAll('f')}) AS f
     CROSS JOIN LATERAL jsonb_to_recordset(f.products) AS p (asin text, title text, views int, units int, sales numeric)
     ${asin ? sql`WHERE p.asin = ${asin}` : sql``}`;
}

/** Products in promotions by the day on which these begin, over two periods, with what each has sold in them. */
export const promotionSumList = (ctx: Ctx, { dates: _, view: __, compare: ___, ...filter }: PromotionSumFilter) =>
  begunSums(ctx, {
    title: '促销汇总对比',
    table: 'report.promotion',
    row: PromotionSumRow,
    facts: productsOf(ctx, filter),
    by: ['asin'],
    shown: ['title'],
    measures: {
      promotions: { of: '1', kind: 'integer' },
      views: { of: 'f.views', kind: 'integer' },
      units: { of: 'f.units', kind: 'integer' },
      promotionSales: { of: 'f.sales', kind: 'money' },
    },
    ratios: { conversion: ['units', 'views'] },
    charted: ['promotions', 'units', 'conversion', 'promotionSales'],
    first: 'promotionSales',
    product: 'f.asin',
    // Of several offers of a product the first by SKU.
    around: (rows) =>
      relation(
        ctx,
        sql<ComparedDbRow>`
          SELECT f.*, l.seller_sku, l.name, l.image FROM (${rows}) AS f
            LEFT JOIN LATERAL (
              SELECT seller_sku, name, image FROM listing.product AS p
               WHERE p.company_id = ${ctx.companyId} AND p.account_id = f.account_id
                 AND p.marketplace_id = f.marketplace_id AND p.asin = f.asin ORDER BY seller_sku LIMIT 1) AS l ON true`,
      ),
    show: (row) => ({
      product: {
        name: String(row.name ?? row.title ?? row.asin),
        code: String(row.seller_sku ?? row.asin),
        image: row.image ?? null,
        extra: row.asin,
      },
      asin: row.asin,
    }),
  });
