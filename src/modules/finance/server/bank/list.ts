import { sql } from 'kysely';
import type { z } from 'zod';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { countsBy } from '#kit/server/list/counts.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, listQuery, page, streamed } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { type BankFilter, BankRow, type BankState } from '../../contract/bank.ts';
import { minus } from '../../contract/fields.ts';
import { RESOURCE } from './account.ts';

const STATE = sql<string>`CASE WHEN l.ignored THEN 'IGNORED' WHEN l.match_id IS NULL THEN 'OPEN' ELSE 'MATCHED' END`;

function matching(ctx: Ctx, filter: BankFilter) {
  let query = ctx.db.selectFrom('finance.bank_line as l').where('l.company_id', '=', ctx.companyId);
  if (filter.state === 'IGNORED') query = query.where('l.ignored', '=', true);
  if (filter.state === 'MATCHED') query = query.where('l.match_id', 'is not', null);
  if (filter.state === 'OPEN') query = query.where('l.match_id', 'is', null).where('l.ignored', '=', false);
  if (filter.cashAccount?.length) query = query.where('l.cash_account_id', 'in', filter.cashAccount);
  if (filter.day?.from) query = query.where('l.day', '>=', filter.day.from);
  if (filter.day?.to) query = query.where('l.day', '<=', filter.day.to);
  if (filter.direction) query = query.where('l.amount', filter.direction === 'IN' ? '>' : '<', '0');
  if (filter.keyword) {
    const like = containing(filter.keyword);
    query = query.where((eb) =>
      eb.or([
        eb('l.counterparty', 'ilike', like),
        eb('l.counterparty_account', 'like', like),
        eb('l.summary', 'ilike', like),
        eb('l.serial', 'like', like),
      ]),
    );
  }
  return query;
}

function selected(ctx: Ctx, filter: BankFilter) {
  return matching(ctx, filter)
    .innerJoin('finance.cash_account as a', (join) =>
      join.onRef('a.company_id', '=', 'l.company_id').onRef('a.id', '=', 'l.cash_account_id'),
    )
    .select(['l.id', 'l.day', 'l.amount', 'l.balance', 'l.counterparty', 'l.counterparty_account', 'l.summary'])
    .select(['l.serial', 'l.reason', 'l.cash_account_id', 'a.name as account', 'a.currency', STATE.as('state')])
    .select(
      sql<string>`coalesce((SELECT string_agg(DISTINCT p.source_number, '、')
        FROM finance.bank_match_entry AS m
        JOIN finance.entry AS e ON e.company_id = m.company_id AND e.seq = m.entry_seq
        JOIN finance.posting AS p ON p.company_id = e.company_id AND p.id = e.posting_id
       WHERE m.company_id = l.company_id AND m.match_id = l.match_id), '')`.as('matched'),
    );
}
type DbRow = Awaited<ReturnType<ReturnType<typeof selected>['execute']>>[number];

function toRow(row: DbRow): BankRow {
  const out = row.amount.startsWith('-');
  return {
    id: row.id,
    day: row.day,
    account: row.account,
    state: row.state as z.output<typeof BankState>,
    income: out ? null : row.amount,
    outgo: out ? minus(row.amount) : null,
    balance: row.balance,
    counterparty: row.counterparty,
    counterpartyAccount: row.counterparty_account,
    summary: row.summary,
    serial: row.serial,
    matched: row.matched,
    reason: row.reason,
    currency: row.currency,
    cashAccountId: row.cash_account_id,
    amount: row.amount,
  };
}

function listDef(ctx: Ctx, filter: BankFilter): ListDef<DbRow, BankRow> {
  return {
    row: BankRow,
    query: listQuery<DbRow>(selected(ctx, filter)),
    sort: { day: 'l.day', income: 'l.amount', outgo: 'l.amount' },
    order: [
      ['l.day', 'desc'],
      ['l.seq', 'desc'],
    ],
    key: 'l.seq',
    map: toRow,
  };
}

/** Sums over the whole filter, where all of it is of one currency; of several there is no sum. */
async function totals(ctx: Ctx, filter: BankFilter): Promise<Record<string, string | null>> {
  const rows = await matching(ctx, filter)
    .innerJoin('finance.cash_account as a', (join) =>
      join.onRef('a.company_id', '=', 'l.company_id').onRef('a.id', '=', 'l.cash_account_id'),
    )
    .select([
      'a.currency',
      sql<string>`coalesce(sum(l.amount) FILTER (WHERE l.amount > 0), 0)::text`.as('income'),
      sql<string>`coalesce(-sum(l.amount) FILTER (WHERE l.amount < 0), 0)::text`.as('outgo'),
    ])
    .groupBy('a.currency')
    .limit(2)
    .execute();
  const [only, another] = rows;
  if (!only || another) return { income: null, outgo: null };
  return { income: only.income, incomeCurrency: only.currency, outgo: only.outgo, outgoCurrency: only.currency };
}

/** One page of the lines of banks, the newest first. */
export function bankPage(ctx: Ctx, request: PageRequest<BankFilter>): Promise<PageOf<BankRow>> {
  return page(ctx, request, { ...listDef(ctx, request.filter), totals: () => totals(ctx, request.filter) });
}

/** How many lines are in each state, whatever state the filter names. */
export async function bankCounts(ctx: Ctx, filter: BankFilter): Promise<Record<string, number>> {
  const lines = matching(ctx, { ...filter, state: undefined }).select([STATE.as('state')]);
  return countsBy(ctx.db.selectFrom(lines.as('l')), 'l.state');
}

/** All lines of a filter as a file. */
export function exportBankFile(open: OpenCtx, body: ExportRequest<BankFilter>): Promise<FileReply> {
  return download(open, async (ctx) => ({
    name: `银行流水-${ctx.clock.today()}`,
    sheet: '银行流水',
    format: body.format,
    columns: exportColumns(ctx, BankRow, body.columns),
    rows: streamed(ctx, body, listDef(ctx, body.filter)),
    audit: { action: '导出银行流水', resource: RESOURCE, filter: body.filter },
  }));
}
