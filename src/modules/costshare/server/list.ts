import { sql } from 'kysely';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import { countsBy } from '#kit/server/list/counts.ts';
import { type ListDef, listQuery, page } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { atSites } from '#modules/listing/server/index.ts';
import { type CostFilter, CostRow, type CostState } from '../contract/document.ts';

/** Documents `d` of a filter. */
export function matching(ctx: Ctx, filter: CostFilter) {
  let query = ctx.db.selectFrom('costshare.document as d').where('d.company_id', '=', ctx.companyId);
  if (filter.state) query = query.where('d.state', '=', filter.state);
  if (filter.feeType?.length) query = query.where('d.fee_type', 'in', filter.feeType);
  if (filter.date?.from) query = query.where('d.date_to', '>=', filter.date.from);
  if (filter.date?.to) query = query.where('d.date_from', '<=', filter.date.to);
  const row = (condition: ReturnType<typeof sql<boolean>>) =>
    sql<boolean>`EXISTS (SELECT FROM costshare.document_row AS r
                          WHERE r.company_id = d.company_id AND r.document_id = d.id AND ${condition})`;
  if (filter.stores?.length) query = query.where(row(sql<boolean>`${atSites('r', filter.stores)}`));
  if (filter.keyword) {
    const like = containing(filter.keyword);
    query = query.where((eb) =>
      eb.or([eb('d.number', 'ilike', like), eb('d.remark', 'ilike', like), row(sql<boolean>`r.sku ILIKE ${like}`)]),
    );
  }
  return query;
}

/** Documents that people see as such: a cost of one SKU has a list of its own. */
const SHARED = ['d.kind', '=', 'SHARE'] as const;

function selected(ctx: Ctx, filter: CostFilter) {
  return matching(ctx, filter)
    .select(['d.id', 'd.number', 'd.state', 'd.version', 'd.fee_type', 'd.currency', 'd.amount', 'd.amount_cny'])
    .select(['d.date_from', 'd.date_to', 'd.remark', 'd.created_by_name', 'd.created_at', 'd.posted_by_name'])
    .select(['d.source_id', 'd.source_number', 'd.source_path', 'd.kind'])
    .select([
      'd.posted_at',
      sql<number>`(SELECT count(*) FROM costshare.document_row AS r
                    WHERE r.company_id = d.company_id AND r.document_id = d.id)::int`.as('rows'),
    ]);
}
type DbRow = Awaited<ReturnType<ReturnType<typeof selected>['execute']>>[number];

function toRow(row: DbRow): CostRow {
  return {
    id: row.id,
    number: row.number,
    state: row.state as CostState,
    version: row.version,
    feeType: row.fee_type,
    from: row.date_from,
    to: row.date_to,
    amount: row.amount,
    // A draft that was taken back keeps no figure of a posting that does not hold any more.
    amountCny: row.state === 'posted' ? row.amount_cny : null,
    currency: row.currency,
    rows: row.rows,
    remark: row.remark,
    createdByName: row.created_by_name,
    createdAt: row.created_at,
    postedByName: row.posted_by_name,
    postedAt: row.posted_at,
    kind: row.kind as CostRow['kind'],
    source: row.source_number,
    sourceId: row.source_id,
    sourcePath: row.source_path,
  };
}

function listDef(ctx: Ctx, filter: CostFilter): ListDef<DbRow, CostRow> {
  return {
    row: CostRow,
    query: listQuery<DbRow>(selected(ctx, filter).where(...SHARED)),
    sort: {
      number: 'd.number',
      amount: 'd.amount',
      amountCny: 'd.amount_cny',
      from: 'd.date_from',
      createdAt: 'd.created_at',
    },
    order: [['d.id', 'desc']],
    key: 'd.id',
    map: toRow,
  };
}

/** One page of documents, the newest first. */
export function costPage(ctx: Ctx, request: PageRequest<CostFilter>): Promise<PageOf<CostRow>> {
  return page(ctx, request, listDef(ctx, request.filter));
}

/** One document as its list shows it. */
export async function rowOf(ctx: Ctx, id: string): Promise<CostRow | undefined> {
  const found = await selected(ctx, {}).where('d.id', '=', id).executeTakeFirst();
  return found && toRow(found);
}

/** How many documents are in each state, whatever state the filter names. */
export function costCounts(ctx: Ctx, filter: CostFilter): Promise<Record<string, number>> {
  return countsBy(matching(ctx, { ...filter, state: undefined }).where(...SHARED), 'd.state');
}
