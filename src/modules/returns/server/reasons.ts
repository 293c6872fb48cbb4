import { sql } from 'kysely';
import { Decimal, ratio } from '#kit/contract/decimal.ts';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, page, streamed } from '#kit/server/list/page.ts';
import { relation } from '#kit/server/list/relation.ts';
import { classOf } from '../contract/fields.ts';
import { ReasonRow, type ReturnShares } from '../contract/reasons.ts';
import type { ReturnFilter } from '../contract/returns.ts';
import { rowsSelect } from './rows.ts';

interface ReasonSum {
  reason: string;
  quantity: number;
  before: number;
  total: number;
  sellable: number;
  skus: number;
}

function listOf(ctx: Ctx, filter: ReturnFilter): ListDef<ReasonSum, ReasonRow> {
  return {
    row: ReasonRow,
    query: relation(
      ctx,
      sql<ReasonSum>`
      SELECT g.*, sum(g.quantity) OVER (ORDER BY g.quantity DESC, g.reason)::int AS before, sum(g.quantity) OVER ()::int AS total
        FROM (SELECT f.reason, sum(f.quantity)::int AS quantity,
                     coalesce(sum(f.quantity) FILTER (WHERE f.disposition = 'SELLABLE'), 0)::int AS sellable,
                     count(DISTINCT (f.account_id, f.seller_sku))::int AS skus
                FROM (${rowsSelect(ctx, filter)}) AS f GROUP BY f.reason) AS g`,
    ),
    sort: { quantity: 'f.quantity', sellable: 'f.sellable', skus: 'f.skus' },
    order: [['f.quantity', 'desc']],
    key: 'f.reason',
    map: (row) => ({
      id: row.reason,
      reason: row.reason,
      reasonClass: classOf(row.reason),
      quantity: row.quantity,
      share: ratio(row.quantity, row.total),
      cumulative: ratio(row.before, row.total),
      sellable: row.sellable,
      skus: row.skus,
    }),
  };
}

/** Pieces by reason, most first. */
export function reasonPage(ctx: Ctx, request: PageRequest<ReturnFilter>): Promise<PageOf<ReasonRow>> {
  return page(ctx, request, listOf(ctx, request.filter));
}

/** The same as a file. */
export function exportReasons(open: OpenCtx, request: ExportRequest<ReturnFilter>): Promise<FileReply> {
  return download(open, async (ctx) => ({
    name: '退货原因',
    sheet: '退货原因',
    format: request.format,
    columns: exportColumns(ctx, ReasonRow, request.columns),
    rows: streamed(ctx, request, listOf(ctx, request.filter)),
    audit: { action: '导出退货原因', resource: 'returns.order', filter: request.filter },
  }));
}

/** SKUs of the Pareto chart; the rest is read in 按SKU. */
const MOST_SKUS = 15;

type Kind = 'reason' | 'day' | 'sku' | 'party';

/** Pieces of a filter by reason, day, SKU and who answers, from one reading of the rows. */
export async function returnShares(ctx: Ctx, filter: ReturnFilter): Promise<ReturnShares> {
  const { rows } = await sql<{ kind: Kind; key: string; quantity: number }>`
    SELECT CASE WHEN grouping(f.reason) = 0 THEN 'reason' WHEN grouping(f.day) = 0 THEN 'day'
                WHEN grouping(f.seller_sku) = 0 THEN 'sku' ELSE 'party' END AS kind,
           coalesce(f.reason, f.day::text, f.seller_sku, f.party, '') AS key, sum(f.quantity)::int AS quantity
      FROM (SELECT r.reason, r.day, r.seller_sku, r.quantity, a.party FROM (${rowsSelect(ctx, filter)}) AS r
              LEFT JOIN returns.attribution AS a ON a.company_id = ${ctx.companyId} AND a.account_id = r.account_id
               AND a.channel = r.channel AND a.day = r.day AND a.row_id = r.row_id) AS f
     GROUP BY GROUPING SETS ((f.reason), (f.day), (f.seller_sku), (f.party))`.execute(ctx.db);
  const of = (kind: Kind) => rows.filter((row) => row.kind === kind).map(({ key, quantity }) => ({ key, quantity }));
  const most = (kind: Kind) => of(kind).sort((a, b) => b.quantity - a.quantity || a.key.localeCompare(b.key));
  const reasons = most('reason');
  const total = reasons.reduce((sum, { quantity }) => sum + quantity, 0);
  let sum = new Decimal(0);
  const skus = most('sku')
    .slice(0, MOST_SKUS)
    .map((part) => {
      sum = sum.plus(part.quantity);
      return { ...part, cumulative: ratio(sum.toFixed(), total) };
    });
  const days = of('day').sort((a, b) => a.key.localeCompare(b.key));
  return { total, reasons, days, skus, parties: most('party') };
}
