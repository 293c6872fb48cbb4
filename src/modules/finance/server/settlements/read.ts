import { sql } from 'kysely';
import { actionsOf } from '#kit/contract/document.ts';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { timelineOf } from '#kit/server/document.ts';
import { notFound } from '#kit/server/errors.ts';
import { countsBy } from '#kit/server/list/counts.ts';
import { type ListDef, listQuery, page } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import {
  SETTLE,
  type SettlementFilter,
  SettlementRow,
  type SettlementState,
  supplierSettlement,
} from '../../contract/settlements.ts';
import { statementOf } from '../payables/dealings.ts';

function matching(ctx: Ctx, filter: SettlementFilter) {
  let query = ctx.db
    .selectFrom('finance.supplier_settlement as t')
    .leftJoin('supplier.supplier as s', (join) =>
      join.onRef('s.company_id', '=', 't.company_id').onRef('s.id', '=', 't.supplier_id'),
    )
    .where('t.company_id', '=', ctx.companyId);
  if (filter.state) query = query.where('t.state', '=', filter.state);
  if (filter.keyword) {
    const like = containing(filter.keyword);
    query = query.where((eb) => eb.or([eb('t.number', 'ilike', like), eb('s.short_name', 'ilike', like)]));
  }
  return query;
}

function selected(ctx: Ctx, filter: SettlementFilter) {
  return matching(ctx, filter)
    .leftJoin('finance.payment_request as r', (join) =>
      join.onRef('r.company_id', '=', 't.company_id').onRef('r.id', '=', 't.request_id'),
    )
    .select([
      't.id',
      't.number',
      't.state',
      't.version',
      't.supplier_id',
      't.currency',
      't.from_day',
      't.to_day',
      't.opening',
    ])
    .select([
      't.raised',
      't.paid',
      't.closing',
      't.stated',
      't.reason',
      't.request_id',
      't.created_by_name',
      't.created_at',
    ])
    .select(['s.short_name as supplier', 'r.number as request_number'])
    .select(sql<string | null>`t.stated + t.closing`.as('difference'));
}
type DbRow = Awaited<ReturnType<ReturnType<typeof selected>['execute']>>[number];

function toRow(row: DbRow): SettlementRow {
  return {
    id: row.id,
    number: row.number,
    state: row.state as SettlementState,
    supplier: row.supplier ?? '',
    supplierId: row.supplier_id,
    currency: row.currency,
    from: row.from_day,
    to: row.to_day,
    opening: row.opening,
    raised: row.raised,
    paid: row.paid,
    closing: row.closing,
    stated: row.stated,
    difference: row.difference,
    reason: row.reason,
    requestId: row.request_id,
    requestNumber: row.request_number,
    createdByName: row.created_by_name,
    createdAt: row.created_at,
    version: row.version,
  };
}

function listDef(ctx: Ctx, filter: SettlementFilter): ListDef<DbRow, SettlementRow> {
  return {
    row: SettlementRow,
    query: listQuery<DbRow>(selected(ctx, filter)),
    sort: { number: 't.number', to: 't.to_day', createdAt: 't.created_at' },
    order: [['t.id', 'desc']],
    key: 't.id',
    map: toRow,
  };
}

/** One page of settlements, the newest first. */
export function settlementPage(ctx: Ctx, request: PageRequest<SettlementFilter>): Promise<PageOf<SettlementRow>> {
  return page(ctx, request, listDef(ctx, request.filter));
}

/** How many there are in each state, whatever state the filter names. */
export async function settlementCounts(ctx: Ctx, filter: SettlementFilter): Promise<Record<string, number>> {
  return countsBy(matching(ctx, { ...filter, state: undefined }), 't.state');
}

/** A settlement as lists show it. @throws notFound */
export async function settlementHead(ctx: Ctx, id: string): Promise<SettlementRow> {
  const found = await selected(ctx, {}).where('t.id', '=', id).executeTakeFirst();
  if (!found) throw notFound();
  return toRow(found);
}

/** A settlement as its page shows it; while nobody has confirmed it, with the figures of now. @throws notFound */
export async function settlementDetail(ctx: Ctx, id: string) {
  const row = await settlementHead(ctx, id);
  const { lines, opening, credit, debit, closing } = await statementOf(ctx, {
    partyId: row.supplierId,
    currency: row.currency,
    from: row.from,
    to: row.to,
  });
  const now = row.closing === null ? { opening, raised: credit, paid: debit, closing } : {};
  return {
    document: { ...row, ...now },
    lines,
    actions: actionsOf(supplierSettlement, row.state, new Set(can(ctx, SETTLE) ? [SETTLE] : [])),
    timeline: await timelineOf(ctx, supplierSettlement.name, id),
  };
}
