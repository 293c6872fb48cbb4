import { sql } from 'kysely';
import { plainDecimal } from '#kit/contract/decimal.ts';
import type { Reply } from '#kit/contract/endpoint.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import { hiddenFields, stripped } from '#kit/server/list/page.ts';
import { FeeCharged, type FeeClaim, FeeMeasured, type feeAuditDetail } from '../../contract/fee-charged.ts';
import { factPage } from '../lists/base.ts';
import { chargedDays } from './charged.ts';
import { PER_CM, PER_KG } from './facts.ts';
import { feeAuditList } from './list.ts';

interface Listing {
  account_id: string;
  marketplace_id: string;
  seller_sku: string;
}

const CHANGES = 20;
const MONTHS = 12;

/** The measurements of a listing by Amazon, each from the first report that told it. */
async function measured(ctx: Ctx, of: Listing): Promise<FeeMeasured[]> {
  const { rows } = await sql<FeeMeasured>`
    SELECT n.day, nullif(concat_ws(' × ', trim_scale(round(n.longest * ${PER_CM}, 2)), trim_scale(round(n.median * ${PER_CM}, 2)),
             trim_scale(round(n.shortest * ${PER_CM}, 2))), '') AS sides,
           trim_scale(round(n.weight * ${PER_KG}, 4))::text AS weight, n.size_tier AS tier, n.fulfilment::text AS fee, n.currency
      FROM (SELECT p.*, (p.longest, p.median, p.shortest, p.weight, p.size_tier, p.fulfilment) IS DISTINCT FROM
                   lag((p.longest, p.median, p.shortest, p.weight, p.size_tier, p.fulfilment)) OVER (ORDER BY p.day) AS changed
              FROM inventory.fee_preview AS p
             WHERE p.company_id = ${ctx.companyId} AND p.account_id = ${of.account_id}
               AND p.marketplace_id = ${of.marketplace_id} AND p.seller_sku = ${of.seller_sku}) AS n
     WHERE n.changed ORDER BY n.day DESC LIMIT ${CHANGES}`.execute(ctx.db);
  return rows;
}

/** What was charged for sending it by month, of the last year. */
async function charged(ctx: Ctx, of: Listing): Promise<FeeCharged[]> {
  const lines = chargedDays(ctx, [
    sql`l.account_id = ${of.account_id}`,
    sql`l.marketplace_id = ${of.marketplace_id}`,
    sql`l.sku = ${of.seller_sku}`,
    sql`l.posted_date >= date_trunc('month', kit.today())::date - interval '11 months'`,
  ]);
  const { rows } = await sql<FeeCharged>`
    SELECT date_trunc('month', f.day)::date AS month, sum(f.units)::int AS units, sum(f.fee)::text AS fee,
           trim_scale(round(sum(f.fee) / sum(f.units), 4))::text AS "perPiece", f.currency
      FROM (${lines}) AS f GROUP BY 1, f.currency ORDER BY 1 DESC, f.currency LIMIT ${MONTHS}`.execute(ctx.db);
  return rows.map((row) => ({ ...row, perPiece: plainDecimal(row.perPiece) }));
}

/** Claims for another measurement, the newest first. */
async function claims(ctx: Ctx, of: Listing): Promise<FeeClaim[]> {
  const { rows } = await sql<FeeClaim>`
    SELECT id, number, state, event_day AS "eventDay", case_no AS "caseNo", updated_at AS "updatedAt" FROM inventory.claim
     WHERE company_id = ${ctx.companyId} AND account_id = ${of.account_id} AND marketplace_id = ${of.marketplace_id}
       AND seller_sku = ${of.seller_sku} AND type = 'FEE_OVERCHARGE' ORDER BY created_at DESC`.execute(ctx.db);
  return rows;
}

/**
 * A listing of the newest comparison with what was measured, charged and claimed of it; amounts only for those who may see them.
 * @throws notFound for a row that is not there, or that the caller does not see
 */
export async function feeAuditOf(ctx: Ctx, { id }: { id: string }): Promise<Reply<typeof feeAuditDetail>> {
  const { rows } = await sql<Listing>`
    SELECT account_id, marketplace_id, seller_sku FROM inventory.fee_audit_seen
     WHERE company_id = ${ctx.companyId} AND row_id::text = ${id}`.execute(ctx.db);
  const [of] = rows;
  if (!of) throw notFound('商品不在最新的费用核对中，请刷新');
  const list = feeAuditList(ctx, { sites: [`${of.marketplace_id}-${of.account_id}`], skus: [of.seller_sku] });
  const { records } = await factPage(ctx, { currentpage: 1, pagesize: 1, filter: {} }, list);
  const [row] = records;
  if (!row) throw notFound('商品不在最新的费用核对中，请刷新');
  const [hiddenMeasured, hiddenCharged] = [hiddenFields(ctx, FeeMeasured), hiddenFields(ctx, FeeCharged)];
  return {
    row,
    measured: (await measured(ctx, of)).map((one) => stripped(one, hiddenMeasured)),
    charged: (await charged(ctx, of)).map((one) => stripped(one, hiddenCharged)),
    claims: await claims(ctx, of),
  };
}
