import { sql } from 'kysely';
import type { z } from 'zod';
import { sum } from '#kit/contract/decimal.ts';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Totals } from '#kit/contract/totals.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { moneyTotals } from '#kit/server/list/mixed.ts';
import { type ListDef, listQuery, page, streamed } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import type { Method } from '../../contract/accounts.ts';
import { type PaidFilter, PaidRow } from '../../contract/payments.ts';
import { paymentRequest, type RequestKind } from '../../contract/requests.ts';
import { SUBJECT } from '../requests/subject.ts';

const PAYEE = sql<string>`coalesce(s.short_name, n.name, '')`;
const REVERSED = sql<boolean>`EXISTS (SELECT FROM finance.posting AS v
  WHERE v.company_id = p.company_id AND v.reversal_of = p.posting_id)`;

function matching(ctx: Ctx, filter: PaidFilter) {
  let query = ctx.db
    .selectFrom('finance.payment as p')
    .innerJoin('finance.payment_request as r', (join) =>
      join.onRef('r.company_id', '=', 'p.company_id').onRef('r.id', '=', 'p.request_id'),
    )
    .leftJoin('supplier.supplier as s', (join) =>
      join
        .onRef('s.company_id', '=', 'r.company_id')
        .onRef('s.id', '=', 'r.party_id')
        .on('r.party_kind', '=', 'SUPPLIER'),
    )
    .leftJoin('finance.partner as n', (join) =>
      join
        .onRef('n.company_id', '=', 'r.company_id')
        .onRef('n.id', '=', 'r.party_id')
        .on('r.party_kind', '=', 'PARTNER'),
    )
    .where('p.company_id', '=', ctx.companyId);
  if (filter.day?.from) query = query.where('p.paid_on', '>=', filter.day.from);
  if (filter.day?.to) query = query.where('p.paid_on', '<=', filter.day.to);
  if (filter.state) query = query.where(REVERSED, '=', filter.state === 'REVERSED');
  if (filter.kind?.length) query = query.where('r.kind', 'in', filter.kind);
  if (filter.party?.length) query = query.where('r.party_id', 'in', filter.party);
  if (filter.cashAccount?.length) query = query.where('p.cash_account_id', 'in', filter.cashAccount);
  if (filter.method?.length) query = query.where('r.method', 'in', filter.method);
  if (filter.currency) query = query.where('r.currency', '=', filter.currency.toUpperCase());
  if (filter.keyword) {
    const like = containing(filter.keyword);
    query = query.where((eb) =>
      eb.or([eb('r.number', 'ilike', like), eb(SUBJECT, 'ilike', like), eb(PAYEE, 'ilike', like)]),
    );
  }
  return query;
}

const ITEMS = sql<string>`coalesce((SELECT string_agg(l.title, '、' ORDER BY l.line_no)
  FROM finance.payment_request_line AS l WHERE l.company_id = r.company_id AND l.request_id = r.id), '')`;

function selected(ctx: Ctx, filter: PaidFilter) {
  return matching(ctx, filter)
    .innerJoin('finance.cash_account as a', (join) =>
      join.onRef('a.company_id', '=', 'p.company_id').onRef('a.id', '=', 'p.cash_account_id'),
    )
    .select(['p.id', 'p.paid_on', 'p.amount', 'p.paid', 'p.fee', 'p.base', 'p.gain', 'p.note', 'p.created_by_name'])
    .select(['r.id as request_id', 'r.number', 'r.kind', 'r.method', 'r.currency', 'a.name as account'])
    .select(['a.currency as account_currency', PAYEE.as('payee'), SUBJECT.as('subject'), ITEMS.as('items')])
    .select([REVERSED.as('reversed'), sql<string | null>`trim_scale(p.rate)`.as('rate')]);
}
type DbRow = Awaited<ReturnType<ReturnType<typeof selected>['execute']>>[number];

function toRow(row: DbRow): PaidRow {
  return {
    id: row.id,
    day: row.paid_on,
    request: row.number,
    state: row.reversed ? 'REVERSED' : 'PAID',
    kind: row.kind as RequestKind,
    subject: row.subject,
    items: row.items,
    payee: row.payee,
    account: row.account,
    method: row.method as z.output<typeof Method>,
    amount: row.amount,
    currency: row.currency,
    rate: row.rate,
    base: row.base,
    gain: /[1-9]/.test(row.gain) ? row.gain : null,
    paid: row.paid,
    fee: row.fee,
    by: row.created_by_name,
    note: row.note,
    accountCurrency: row.account_currency,
    requestId: row.request_id,
  };
}

function listDef(ctx: Ctx, filter: PaidFilter): ListDef<DbRow, PaidRow> {
  return {
    row: PaidRow,
    query: listQuery<DbRow>(selected(ctx, filter)),
    sort: { day: 'p.paid_on', amount: 'p.amount', base: 'p.base', gain: 'p.gain' },
    order: [['p.paid_on', 'desc']],
    key: 'p.id',
    map: toRow,
  };
}

/**
 * Sums over the whole filter, without what was taken back: the amounts by currency, and all of it in CNY as it was paid.
 * Where a payment has no rate the sum in CNY is not complete, and there is none.
 */
async function totals(ctx: Ctx, filter: PaidFilter): Promise<Totals> {
  const rows = await matching(ctx, filter)
    .where(REVERSED, '=', false)
    .select([
      'r.currency',
      sql<string>`sum(p.amount)::text`.as('amount'),
      sql<string | null>`CASE WHEN count(p.base) = count(*) THEN sum(p.base)::text END`.as('base'),
      sql<string>`sum(p.gain)::text`.as('gain'),
    ])
    .groupBy('r.currency')
    .orderBy('r.currency')
    .execute();
  const whole = rows.every((row) => row.base !== null);
  const found = await moneyTotals(ctx, rows, ['amount']);
  return {
    ...found,
    base: whole ? sum(rows.map((row) => row.base ?? '0')) : null,
    gain: sum(rows.map((row) => row.gain)),
  };
}

/** One page of payments, the newest first. */
export function paymentPage(ctx: Ctx, request: PageRequest<PaidFilter>): Promise<PageOf<PaidRow>> {
  return page(ctx, request, { ...listDef(ctx, request.filter), totals: () => totals(ctx, request.filter) });
}

/** All payments of a filter as a file. */
export function exportPaymentFile(open: OpenCtx, body: ExportRequest<PaidFilter>): Promise<FileReply> {
  return download(open, async (ctx) => ({
    name: `付款明细-${ctx.clock.today()}`,
    sheet: '付款明细',
    format: body.format,
    columns: exportColumns(ctx, PaidRow, body.columns),
    rows: streamed(ctx, body, listDef(ctx, body.filter)),
    audit: { action: '导出付款明细', resource: paymentRequest.name, filter: body.filter },
  }));
}
