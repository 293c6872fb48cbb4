import { sql } from 'kysely';
import type { z } from 'zod';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, listQuery, page, streamed } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import type { PartyKind } from '../../contract/fields.ts';
import { type Book, type ItemFilter, type ItemKind, ItemRow } from '../../contract/payables.ts';
import { freeDebts } from './free.ts';

/** Days since an item came to be, of the company. */
const AGE = sql<number>`finance.today() - i.business_date`;
const OPEN = sql<string>`abs(b.amount)`;
const PARTY = sql<string>`coalesce(s.short_name, n.name, '')`;
const AGES: Record<string, readonly [number, number]> = {
  D30: [0, 30],
  D60: [31, 60],
  D90: [61, 90],
  OVER: [91, 1_000_000],
};

function matching(ctx: Ctx, filter: ItemFilter) {
  let query = ctx.db
    .selectFrom('finance.open_item as i')
    .innerJoin('finance.balance as b', (join) =>
      join.onRef('b.company_id', '=', 'i.company_id').onRef('b.book', '=', 'i.book').onRef('b.item_id', '=', 'i.id'),
    )
    .leftJoin('supplier.supplier as s', (join) =>
      join
        .onRef('s.company_id', '=', 'i.company_id')
        .onRef('s.id', '=', 'i.party_id')
        .on('i.party_kind', '=', 'SUPPLIER'),
    )
    .leftJoin('finance.partner as n', (join) =>
      join
        .onRef('n.company_id', '=', 'i.company_id')
        .onRef('n.id', '=', 'i.party_id')
        .on('i.party_kind', '=', 'PARTNER'),
    )
    .where('i.company_id', '=', ctx.companyId);
  if (filter.book) query = query.where('i.book', '=', filter.book);
  if (filter.open) query = query.where('b.amount', filter.open === 'OPEN' ? '<>' : '=', '0');
  if (filter.kind?.length) query = query.where('i.kind', 'in', filter.kind);
  if (filter.party?.length) query = query.where('i.party_id', 'in', filter.party);
  if (filter.due?.from) query = query.where('i.due_on', '>=', filter.due.from);
  if (filter.due?.to) query = query.where('i.due_on', '<=', filter.due.to);
  const [least, most] = AGES[filter.age ?? ''] ?? [];
  if (least !== undefined && most !== undefined) query = query.where(AGE, '>=', least).where(AGE, '<=', most);
  if (filter.keyword) {
    const like = containing(filter.keyword);
    query = query.where((eb) =>
      eb.or([eb('i.title', 'ilike', like), eb('i.subject_number', 'ilike', like), eb(PARTY, 'ilike', like)]),
    );
  }
  return query;
}

function selected(ctx: Ctx, filter: ItemFilter) {
  return matching(ctx, filter)
    .select(['i.id', 'i.book', 'i.kind', 'i.title', 'i.subject_number', 'i.business_date', 'i.due_on', 'i.amount'])
    .select(['i.subject_type', 'i.subject_id'])
    .select(['i.currency', 'i.party_kind', 'i.party_id', PARTY.as('party'), AGE.as('age'), OPEN.as('open')])
    .select(sql<string>`i.amount - abs(b.amount)`.as('settled'))
    .select(sql<string | null>`CASE i.currency WHEN 'CNY' THEN abs(b.amount) ELSE abs(b.base) END`.as('base'));
}
type DbRow = Awaited<ReturnType<ReturnType<typeof selected>['execute']>>[number];

function toRow(row: DbRow): ItemRow {
  return {
    id: row.id,
    party: row.party,
    partyKind: row.party_kind as z.output<typeof PartyKind>,
    partyId: row.party_id,
    book: row.book as z.output<typeof Book>,
    kind: row.kind as z.output<typeof ItemKind>,
    title: row.title,
    subject: row.subject_number,
    day: row.business_date,
    dueOn: row.due_on,
    age: row.age,
    amount: row.amount,
    settled: row.settled,
    open: row.open,
    base: row.base,
    currency: row.currency,
    subjectType: row.subject_type,
    subjectId: row.subject_id,
  };
}

/** Everything that came of a document, settled or not, the oldest first. */
export async function itemsOf(ctx: Ctx, type: string, id: string): Promise<ItemRow[]> {
  const rows = await selected(ctx, {})
    .where('i.subject_type', '=', type)
    .where('i.subject_id', '=', id)
    .orderBy('i.id')
    .execute();
  return rows.map(toRow);
}

function listDef(ctx: Ctx, filter: ItemFilter): ListDef<DbRow, ItemRow> {
  return {
    row: ItemRow,
    query: listQuery<DbRow>(selected(ctx, filter)),
    sort: {
      day: 'i.business_date',
      dueOn: 'i.due_on',
      age: 'i.business_date',
      amount: 'i.amount',
      open: 'abs(b.amount)',
    },
    order: [
      ['i.business_date', 'desc'],
      ['i.id', 'desc'],
    ],
    key: 'i.id',
    map: toRow,
  };
}

/** One page of debts, prepayments and receivables, the newest first. */
export function itemPage(ctx: Ctx, request: PageRequest<ItemFilter>): Promise<PageOf<ItemRow>> {
  return page(ctx, request, listDef(ctx, request.filter));
}

/** All of a filter as a file. */
export function exportItemsFile(open: OpenCtx, body: ExportRequest<ItemFilter>): Promise<FileReply> {
  return download(open, async (ctx) => ({
    name: `应付与预付-${ctx.clock.today()}`,
    sheet: '应付与预付',
    format: body.format,
    columns: exportColumns(ctx, ItemRow, body.columns),
    rows: streamed(ctx, body, listDef(ctx, body.filter)),
    audit: { action: '导出应付与预付', resource: 'finance.openItem', filter: body.filter },
  }));
}

/** Debts that a form offers. */
const MOST_DEBTS = 500;

/** Debts of a party in a currency that are open, the oldest first, and what a request may ask for of each. */
export async function debtsOf(ctx: Ctx, partyId: string, currency: string) {
  const debts = await freeDebts(ctx, partyId, currency);
  return debts
    .slice(0, MOST_DEBTS)
    .map(({ id, title, subject, open, free, dueOn }) => ({ id, title, subject, open, free, dueOn }));
}
