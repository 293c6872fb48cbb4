import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { ComparedList } from '#kit/server/list/compared/index.ts';
import { containing } from '#kit/server/list/words.ts';
import { type ChargedSumFilter, ChargedSumRow } from '../../contract/fee-charged.ts';
import { goodsCompared } from '../lists/goods-compared.ts';
import { siteOf } from '../query.ts';

/**
 * SELECT of what was charged for sending each SKU by site, sale and day, from the money lines that count: the fee, positive, and
 * the pieces of the sale. Fees that were given back, and sales whose fee is not told yet, are left out.
 */
export function chargedDays(ctx: Ctx, more: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql`
    SELECT s.* FROM (
      SELECT l.account_id, l.marketplace_id, l.currency, l.sku AS seller_sku, '' AS asin, '' AS fnsku, l.posted_date AS day,
             -sum(l.amount) FILTER (WHERE l.fee_code = 'FBA_FULFIL' AND l.amount < 0) AS fee,
             sum(l.quantity) FILTER (WHERE l.fee_code = 'PRINCIPAL' AND l.amount > 0)::int AS units
        FROM settlement.money_line AS l
        JOIN settlement.source_doc AS d ON d.company_id = l.company_id AND d.id = l.source_doc_id AND d.state = 'ACTIVE'
       WHERE ${sql.join([sql`l.company_id = ${ctx.companyId}`, sql`l.order_id IS NOT NULL`, sql`l.sku <> ''`, ...more], sql` AND `)}
         AND l.fee_code IN ('FBA_FULFIL', 'PRINCIPAL')
       GROUP BY l.account_id, l.marketplace_id, l.currency, l.sku, l.posted_date, l.source_doc_id, l.order_id) AS s
     WHERE s.fee > 0 AND s.units > 0`;
}

/** Conditions on money lines `l` by the names of goods; a keyword is looked for in the SKU and the ASIN of its listing. */
function conditions(ctx: Ctx, { sites, keyword, skus }: ChargedSumFilter): RawBuilder<unknown>[] {
  const pairs = (sites ?? []).map(siteOf);
  return [
    ...(pairs.length > 0
      ? [
          sql`(l.account_id, l.marketplace_id) IN (SELECT * FROM unnest(${pairs.map((one) => one.accountId)}::uuid[],
                ${pairs.map((one) => one.marketplaceId)}::text[]))`,
        ]
      : []),
    ...(skus?.length ? [sql`l.sku = ANY (${skus})`] : []),
    ...(keyword?.trim()
      ? [
          sql`(l.sku ILIKE ${containing(keyword)} OR EXISTS (
                SELECT FROM listing.product AS p WHERE p.company_id = ${ctx.companyId} AND p.account_id = l.account_id
                   AND p.marketplace_id = l.marketplace_id AND p.seller_sku = l.sku AND p.asin ILIKE ${containing(keyword)}))`,
        ]
      : []),
  ];
}

/** What was charged for sending each SKU over two periods, by the days of the sites. */
export const chargedSumList = (ctx: Ctx, filter: ChargedSumFilter): Promise<ComparedList> =>
  goodsCompared(ctx, {
    title: '实收配送费对比',
    resource: 'inventory.feeAudit',
    row: ChargedSumRow,
    facts: chargedDays(ctx, conditions(ctx, filter)),
    // Once an account has told of money, a day without a fee had none.
    told: sql`
      SELECT s.account_id, NULL::text AS marketplace_id, g.day::date AS day
        FROM (SELECT a.id AS account_id, least(
                     (SELECT min(d.posted_at) FROM settlement.source_doc AS d
                       WHERE d.company_id = ${ctx.companyId} AND d.account_id = a.id AND d.kind = 'TRANSACTION'),
                     (SELECT min(e.start_at) FROM settlement.settlement AS e
                       WHERE e.company_id = ${ctx.companyId} AND e.account_id = a.id))::date AS since
                FROM marketplace.seller_account AS a WHERE a.company_id = ${ctx.companyId}) AS s
       CROSS JOIN generate_series(s.since, kit.today(), interval '1 day') AS g (day)`,
    by: ['seller_sku'],
    measures: {
      chargedFee: { of: 'f.fee', kind: 'money' },
      chargedUnits: { of: 'f.units', kind: 'integer' },
    },
    ratios: { perPiece: ['chargedFee', 'chargedUnits'] },
    step: 'day',
    charted: ['chargedFee', 'chargedUnits', 'perPiece'],
    first: 'chargedFee',
  });
