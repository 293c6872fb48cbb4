import { sql } from 'kysely';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { type DownloadSpec, download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, listQuery, page, streamed } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { type JournalFilter, JournalRow } from '../../contract/accounts.ts';
import { minus } from '../../contract/fields.ts';
import { purposeTitle } from '../words.ts';
import { BY_HAND } from './journal.ts';

function matching(ctx: Ctx, filter: JournalFilter) {
  let query = ctx.db
    .selectFrom('finance.entry as e')
    .innerJoin('finance.posting as p', (join) =>
      join.onRef('p.company_id', '=', 'e.company_id').onRef('p.id', '=', 'e.posting_id'),
    )
    .where('e.company_id', '=', ctx.companyId)
    .where('e.book', '=', 'ACCOUNT');
  if (filter.cashAccount?.length) query = query.where('e.item_id', 'in', filter.cashAccount);
  if (filter.day?.from) query = query.where('e.business_date', '>=', filter.day.from);
  if (filter.day?.to) query = query.where('e.business_date', '<=', filter.day.to);
  if (filter.direction) query = query.where('e.amount', filter.direction === 'IN' ? '>' : '<', '0');
  if (filter.keyword) {
    const like = containing(filter.keyword);
    query = query.where((eb) =>
      eb.or([eb('p.source_number', 'ilike', like), eb('p.title', 'ilike', like), eb('e.memo', 'ilike', like)]),
    );
  }
  return query;
}

function selected(ctx: Ctx, filter: JournalFilter) {
  return matching(ctx, filter)
    .innerJoin('finance.cash_account as a', (join) =>
      join.onRef('a.company_id', '=', 'e.company_id').onRef('a.id', '=', 'e.item_id'),
    )
    .leftJoin('finance.category as c', (join) =>
      join.onRef('c.company_id', '=', 'e.company_id').onRef('c.id', '=', 'e.category_id'),
    )
    .leftJoin('finance.posting as r', (join) =>
      join.onRef('r.company_id', '=', 'p.company_id').onRef('r.reversal_of', '=', 'p.id'),
    )
    .select(['e.seq', 'e.business_date', 'e.amount', 'e.balance_after', 'e.purpose', 'e.memo', 'e.currency'])
    .select(['a.id as account_id', 'a.name as account', 'c.name as category', 'r.id as reversed_by'])
    .select(['p.id as posting_id', 'p.title', 'p.source_type', 'p.source_number', 'p.reversal_of', 'p.posted_at'])
    .select(['p.operator_name', 'p.note'])
    .select((eb) =>
      eb
        .selectFrom('finance.entry as g')
        .select(sql<string>`-sum(g.amount)`.as('gain'))
        .whereRef('g.company_id', '=', 'e.company_id')
        .whereRef('g.posting_id', '=', 'e.posting_id')
        .where('g.book', '=', 'GAIN')
        .as('gain'),
    );
}
type DbRow = Awaited<ReturnType<ReturnType<typeof selected>['execute']>>[number];

function toRow(row: DbRow): JournalRow {
  const out = row.amount.startsWith('-');
  return {
    id: String(row.seq),
    day: row.business_date,
    account: row.account,
    project: row.category ?? purposeTitle(row.purpose),
    income: out ? null : row.amount,
    outgo: out ? minus(row.amount) : null,
    after: row.balance_after ?? '0',
    gain: row.gain,
    title: row.title,
    number: row.source_number,
    state: row.reversal_of ? 'REVERSAL' : row.reversed_by ? 'REVERSED' : 'POSTED',
    memo: row.memo || row.note,
    by: row.operator_name,
    at: row.posted_at,
    currency: row.currency,
    cashAccountId: row.account_id,
    postingId: row.posting_id,
    byHand: BY_HAND.includes(row.source_type),
  };
}

function listDef(ctx: Ctx, filter: JournalFilter): ListDef<DbRow, JournalRow> {
  return {
    row: JournalRow,
    query: listQuery<DbRow>(selected(ctx, filter)),
    sort: { day: 'e.business_date', income: 'e.amount', outgo: 'e.amount', account: 'a.name' },
    order: [
      ['e.business_date', 'desc'],
      ['e.seq', 'desc'],
    ],
    key: 'e.seq',
    map: toRow,
  };
}

/** Sums over the whole filter, where all of it is of one currency; of several there is no sum. */
async function totals(ctx: Ctx, filter: JournalFilter): Promise<Record<string, string | null>> {
  const rows = await matching(ctx, filter)
    .select([
      'e.currency',
      sql<string>`(coalesce(sum(e.amount) FILTER (WHERE e.amount > 0), 0))::text`.as('income'),
      sql<string>`(coalesce(-sum(e.amount) FILTER (WHERE e.amount < 0), 0))::text`.as('outgo'),
    ])
    .groupBy('e.currency')
    .limit(2)
    .execute();
  const [only, another] = rows;
  if (!only || another) return { income: null, outgo: null };
  return { income: only.income, incomeCurrency: only.currency, outgo: only.outgo, outgoCurrency: only.currency };
}

/** One page of the entries of accounts, newest first. */
export function journalPage(ctx: Ctx, request: PageRequest<JournalFilter>): Promise<PageOf<JournalRow>> {
  return page(ctx, request, { ...listDef(ctx, request.filter), totals: () => totals(ctx, request.filter) });
}

/** All entries of a filter as a file. */
export function exportAll(open: OpenCtx, body: ExportRequest<JournalFilter>): Promise<FileReply> {
  return download(
    open,
    async (ctx): Promise<DownloadSpec> => ({
      name: `收支流水-${ctx.clock.today()}`,
      sheet: '收支流水',
      format: body.format,
      columns: exportColumns(ctx, JournalRow, body.columns),
      rows: streamed(ctx, body, listDef(ctx, body.filter)),
      audit: { action: '导出收支流水', resource: 'finance.journal', filter: body.filter },
    }),
  );
}
