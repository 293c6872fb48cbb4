import { sql } from 'kysely';
import { Decimal, sum } from '#kit/contract/decimal.ts';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, listQuery, page, type Query, streamed } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { minus } from '../../contract/fields.ts';
import { type DealingFilter, DealingRow, type Statement } from '../../contract/payables.ts';

interface DbRow extends Omit<DealingRow, 'id'> {}

/** Open amounts by party and currency; ages are counted from the company's day of each debt. */
function selected(ctx: Ctx, filter: DealingFilter): Query<DbRow> {
  const grouped = ctx.db
    .selectFrom('finance.open_item as i')
    .innerJoin('finance.balance as b', (join) =>
      join
        .onRef('b.company_id', '=', 'i.company_id')
        .onRef('b.book', '=', 'i.book')
        .onRef('b.item_id', '=', 'i.id')
        .on('b.amount', '<>', '0'),
    )
    .where('i.company_id', '=', ctx.companyId)
    .groupBy(['i.party_kind', 'i.party_id', 'i.currency'])
    .select(['i.party_kind', 'i.party_id', 'i.currency'])
    .select(
      (['PAYABLE', 'PREPAID', 'RECEIVABLE'] as const).map((book) =>
        sql<string>`coalesce(sum(abs(b.amount)) FILTER (WHERE i.book = ${sql.lit(book)}), 0)`.as(book.toLowerCase()),
      ),
    )
    .select(
      (
        [
          ['d30', 0, 30],
          ['d60', 31, 60],
          ['d90', 61, 90],
          ['over', 91, 1_000_000],
        ] as const
      ).map(([name, least, most]) =>
        sql<string>`coalesce(-sum(b.amount) FILTER (WHERE i.book = 'PAYABLE'
          AND finance.today() - i.business_date BETWEEN ${sql.lit(least)} AND ${sql.lit(most)}), 0)`.as(name),
      ),
    )
    .select([
      sql<string>`sum(b.amount)`.as('net'),
      sql<string>`coalesce(-sum(b.amount) FILTER (WHERE i.book = 'PAYABLE' AND i.due_on < finance.today()), 0)`.as(
        'overdue',
      ),
    ]);
  let query = ctx.db
    .selectFrom(grouped.as('d'))
    .leftJoin('supplier.supplier as s', (join) =>
      join.on('s.company_id', '=', ctx.companyId).onRef('s.id', '=', 'd.party_id').on('d.party_kind', '=', 'SUPPLIER'),
    )
    .leftJoin('finance.partner as n', (join) =>
      join.on('n.company_id', '=', ctx.companyId).onRef('n.id', '=', 'd.party_id').on('d.party_kind', '=', 'PARTNER'),
    )
    .selectAll('d')
    .select([
      'd.party_kind as partyKind',
      'd.party_id as partyId',
      sql<string>`coalesce(s.short_name, n.name, '')`.as('party'),
    ]);
  if (filter.partyKind) query = query.where('d.party_kind', '=', filter.partyKind);
  if (filter.currency) query = query.where('d.currency', '=', filter.currency.toUpperCase());
  if (filter.keyword) {
    query = query.where(sql<string>`coalesce(s.short_name, n.name, '')`, 'ilike', containing(filter.keyword));
  }
  return listQuery(query);
}

function listDef(ctx: Ctx, filter: DealingFilter): ListDef<DbRow, DealingRow> {
  return {
    row: DealingRow,
    query: selected(ctx, filter),
    sort: { payable: 'd.payable', prepaid: 'd.prepaid', net: 'd.net', over: 'd.over', overdue: 'd.overdue' },
    order: [['d.payable', 'desc']],
    key: `(d.party_id::text || d.currency)`,
    map: ({
      party,
      partyKind,
      partyId,
      currency,
      payable,
      prepaid,
      receivable,
      net,
      d30,
      d60,
      d90,
      over,
      overdue,
    }) => ({
      id: `${partyId}-${currency}`,
      party,
      partyKind,
      partyId,
      currency,
      payable,
      prepaid,
      receivable,
      net,
      d30,
      d60,
      d90,
      over,
      overdue,
    }),
  };
}

/** One page of parties with something open, whom the company owes most first. */
export function dealingPage(ctx: Ctx, request: PageRequest<DealingFilter>): Promise<PageOf<DealingRow>> {
  return page(ctx, request, listDef(ctx, request.filter));
}

/** All of a filter as a file. */
export function exportDealingsFile(open: OpenCtx, body: ExportRequest<DealingFilter>): Promise<FileReply> {
  return download(open, async (ctx) => ({
    name: `往来-${ctx.clock.today()}`,
    sheet: '往来',
    format: body.format,
    columns: exportColumns(ctx, DealingRow, body.columns),
    rows: streamed(ctx, body, listDef(ctx, body.filter)),
    audit: { action: '导出往来', resource: 'finance.openItem', filter: body.filter },
  }));
}

interface Asked {
  partyId: string;
  currency: string;
  from: string;
  to: string;
}

interface Change {
  id: string;
  day: string;
  title: string;
  number: string;
  amount: string;
  gain: string | null;
  sourceType: string;
  sourceId: string;
}

async function partyName(ctx: Ctx, id: string): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    SELECT short_name AS name FROM supplier.supplier WHERE company_id = ${ctx.companyId} AND id = ${id}
    UNION ALL SELECT name FROM finance.partner WHERE company_id = ${ctx.companyId} AND id = ${id}`.execute(ctx.db);
  const row = rows[0];
  if (!row) throw notFound('供应商或往来单位不存在');
  return row.name;
}

/**
 * What changed with a party from `from` to `to` (the company's days), one line per posting: opening + Σ lines = closing, which
 * is what is open at the end of `to`. Settling a prepayment changes nothing between the two and makes no line, unless it
 * realised an exchange gain or loss.
 * @throws notFound
 */
export async function statementOf(ctx: Ctx, { partyId, currency, from, to }: Asked): Promise<Statement> {
  const party = await partyName(ctx, partyId);
  const { rows } = await sql<Change & { before: boolean }>`
    SELECT p.id, e.business_date AS day, p.title, p.source_number AS number, sum(e.amount)::text AS amount,
           p.source_type AS "sourceType", p.source_id AS "sourceId",
           e.business_date < ${from}::date AS before,
           (SELECT -sum(g.amount) FROM finance.entry AS g
             WHERE g.company_id = p.company_id AND g.posting_id = p.id AND g.book = 'GAIN')::text AS gain
      FROM finance.open_item AS i
      JOIN finance.entry AS e ON e.company_id = i.company_id AND e.item_id = i.id
      JOIN finance.posting AS p ON p.company_id = e.company_id AND p.id = e.posting_id
     WHERE i.company_id = ${ctx.companyId} AND i.party_id = ${partyId} AND i.currency = ${currency}
       AND e.business_date <= ${to}::date
     GROUP BY p.company_id, p.id, e.business_date
    HAVING sum(e.amount) <> 0 OR EXISTS (SELECT FROM finance.entry AS g
      WHERE g.company_id = p.company_id AND g.posting_id = p.id AND g.book = 'GAIN')
     ORDER BY e.business_date, p.id`.execute(ctx.db);
  const opening = sum(rows.filter((row) => row.before).map((row) => row.amount));
  const changes = rows.filter((row) => !row.before);
  let balance = new Decimal(opening);
  const lines = changes.map(({ id, day, title, number, amount, gain, sourceType, sourceId }) => {
    balance = balance.plus(amount);
    const owed = amount.startsWith('-');
    const none = new Decimal(amount).isZero();
    return {
      id,
      day,
      title,
      number,
      debit: owed || none ? null : amount,
      credit: owed ? minus(amount) : null,
      balance: balance.toFixed(),
      gain,
      currency,
      sourceType,
      sourceId,
    };
  });
  return {
    party,
    currency,
    from,
    to,
    opening,
    debit: sum(lines.flatMap((line) => line.debit ?? [])),
    credit: sum(lines.flatMap((line) => line.credit ?? [])),
    closing: balance.toFixed(),
    gain: sum(lines.flatMap((line) => line.gain ?? [])),
    lines,
  };
}
