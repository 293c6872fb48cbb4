import { sql } from 'kysely';
import type { z } from 'zod';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import { listQuery, page } from '#kit/server/list/page.ts';
import { atSites } from '#modules/listing/server/index.ts';
import type { CostLineFilter } from '../contract/calls.ts';
import { CostLineRow } from '../contract/document.ts';
import { bearerCells } from './cells.ts';
import { matching } from './list.ts';

type Filter = Partial<z.output<typeof CostLineFilter>>;

interface DbRow {
  id: string;
  document_id: string;
  day: string;
  number: string;
  fee_type: string;
  account_id: string;
  marketplace_id: string;
  sku: string;
  currency: string;
  amount: string;
  amount_cny: string;
}

/** Lines that count, summed by day or month: what was taken back is not read. */
function linesOf(ctx: Ctx, filter: Filter) {
  const { date, stores, view } = filter;
  const day = view === 'month' ? sql`to_char(l.date, 'YYYY-MM')` : sql`l.date::text`;
  const documents = matching(ctx, { ...filter, state: 'posted' }).select('d.id');
  return sql<DbRow>`(
    SELECT l.document_id || ' ' || ${day} || ' ' || l.row_no AS id, l.document_id, ${day} AS day, h.number, h.fee_type, l.account_id,
           l.marketplace_id, l.sku, h.currency, sum(l.amount) AS amount, sum(l.amount_cny) AS amount_cny
      FROM costshare.document AS h
      JOIN costshare.cost_line AS l
        ON l.company_id = h.company_id AND l.document_id = h.id AND l.posting = h.posting AND NOT l.mirror
     WHERE h.company_id = ${ctx.companyId} AND h.id IN (${documents})
       ${date?.from ? sql`AND l.date >= ${date.from}::date` : sql``}
       ${date?.to ? sql`AND l.date <= ${date.to}::date` : sql``}
       ${stores?.length ? sql`AND ${atSites('l', stores)}` : sql``}
     GROUP BY l.document_id, ${view === 'month' ? sql`to_char(l.date, 'YYYY-MM')` : sql`l.date`}, l.row_no, h.number, h.fee_type, l.account_id,
              l.marketplace_id, l.sku, h.currency)`;
}

/** One page of what documents put on days or months, the latest first. */
export async function linePage(ctx: Ctx, request: PageRequest<Filter>): Promise<PageOf<CostLineRow>> {
  const cut = await page<DbRow, DbRow>(ctx, request, {
    row: CostLineRow,
    query: listQuery<DbRow>(ctx.db.selectFrom(linesOf(ctx, request.filter).as('l')).selectAll()),
    sort: { day: 'l.day', amountCny: 'l.amount_cny' },
    order: [['l.day', 'desc']],
    key: 'l.id',
  });
  const cells = await bearerCells(ctx, cut.records);
  const records = cut.records.map((row) => ({
    id: row.id,
    documentId: row.document_id,
    day: row.day,
    number: row.number,
    feeType: row.fee_type,
    ...cells(row),
    amount: row.amount,
    amountCny: row.amount_cny,
    currency: row.currency,
  }));
  return { ...cut, records };
}
