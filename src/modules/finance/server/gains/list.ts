import { sql } from 'kysely';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, listQuery, page, type Query, streamed } from '#kit/server/list/page.ts';
import { type GainFilter, GainRow } from '../../contract/gains.ts';

type Fields = keyof Omit<GainRow, 'id'>;
type DbRow = Pick<GainRow, Fields>;

/**
 * Gains and losses by month, currency and party, from the entries of 汇兑损益. A posting settles with one party in one
 * currency; what it settles are its debts, or the claim where it has none. A reversal takes back what it was, in the month
 * in which it happened.
 */
function selected(ctx: Ctx, filter: GainFilter): Query<DbRow> {
  const months = sql`
    ${filter.from ? sql`AND e.business_date >= (${`${filter.from}-01`})::date` : sql``}
    ${filter.to ? sql`AND e.business_date < (${`${filter.to}-01`})::date + interval '1 month'` : sql``}`;
  const gains = sql<DbRow>`(
    SELECT to_char(e.business_date, 'YYYY-MM') AS month, x.currency, x.party_kind AS "partyKind", x.party_id AS "partyId",
           count(*)::int AS count, sum(x.way * x.settled) AS settled, sum(x.way * x.booked) AS booked,
           coalesce(-sum(e.amount) FILTER (WHERE x.way * e.amount < 0), 0) AS gain,
           coalesce(sum(e.amount) FILTER (WHERE x.way * e.amount > 0), 0) AS loss, -sum(e.amount) AS net
      FROM finance.entry AS e
      JOIN LATERAL (
        SELECT i.currency, i.party_kind, i.party_id, CASE WHEN p.reversal_of IS NULL THEN 1 ELSE -1 END AS way,
               abs(coalesce(sum(s.amount) FILTER (WHERE s.book = 'PAYABLE'), sum(s.amount))) AS settled,
               abs(coalesce(sum(s.base) FILTER (WHERE s.book = 'PAYABLE'), sum(s.base))) AS booked
          FROM finance.posting AS p
          JOIN finance.entry AS s ON s.company_id = p.company_id AND s.posting_id = p.id
          JOIN finance.open_item AS i ON i.company_id = s.company_id AND i.id = s.item_id
         WHERE p.company_id = e.company_id AND p.id = e.posting_id
         GROUP BY 1, 2, 3, 4 LIMIT 1) AS x ON true
     WHERE e.company_id = ${ctx.companyId} AND e.book = 'GAIN' ${months}
     GROUP BY 1, 2, 3, 4)`;
  let query = ctx.db
    .selectFrom(gains.as('g'))
    .leftJoin('supplier.supplier as s', (join) =>
      join.on('s.company_id', '=', ctx.companyId).onRef('s.id', '=', 'g.partyId').on('g.partyKind', '=', 'SUPPLIER'),
    )
    .leftJoin('finance.partner as n', (join) =>
      join.on('n.company_id', '=', ctx.companyId).onRef('n.id', '=', 'g.partyId').on('g.partyKind', '=', 'PARTNER'),
    )
    .selectAll('g')
    .select(sql<string>`coalesce(s.short_name, n.name, '')`.as('party'));
  if (filter.currency) query = query.where('g.currency', '=', filter.currency.toUpperCase());
  if (filter.party?.length) query = query.where('g.partyId', 'in', filter.party);
  return listQuery(query);
}

function listDef(ctx: Ctx, filter: GainFilter): ListDef<DbRow, GainRow> {
  return {
    row: GainRow,
    query: selected(ctx, filter),
    sort: { month: 'g.month', gain: 'g.gain', loss: 'g.loss', net: 'g.net' },
    order: [
      ['g.month', 'desc'],
      ['g.currency', 'asc'],
    ],
    key: `(g.month || g.currency || g."partyId"::text)`,
    map: (row) => ({ ...row, id: `${row.month}-${row.currency}-${row.partyId}` }),
  };
}

async function totals(ctx: Ctx, filter: GainFilter): Promise<Record<string, string | null>> {
  const { rows } = await sql<Record<'booked' | 'gain' | 'loss' | 'net', string>>`
    SELECT coalesce(sum(booked), 0)::text AS booked, coalesce(sum(gain), 0)::text AS gain, coalesce(sum(loss), 0)::text AS loss,
           coalesce(sum(net), 0)::text AS net
      FROM (${selected(ctx, filter)}) AS all_of_it`.execute(ctx.db);
  return { ...rows[0] };
}

/** One page of gains and losses, the newest month first. */
export function gainPage(ctx: Ctx, request: PageRequest<GainFilter>): Promise<PageOf<GainRow>> {
  return page(ctx, request, { ...listDef(ctx, request.filter), totals: () => totals(ctx, request.filter) });
}

/** All of a filter as a file. */
export function exportGainFile(open: OpenCtx, body: ExportRequest<GainFilter>): Promise<FileReply> {
  return download(open, async (ctx) => ({
    name: `汇兑损益-${ctx.clock.today()}`,
    sheet: '汇兑损益',
    format: body.format,
    columns: exportColumns(ctx, GainRow, body.columns),
    rows: streamed(ctx, body, listDef(ctx, body.filter)),
    audit: { action: '导出汇兑损益', resource: 'finance.openItem', filter: body.filter },
  }));
}
