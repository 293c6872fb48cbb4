import { type RawBuilder, sql } from 'kysely';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { countsBy } from '#kit/server/list/counts.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { hiddenFields, type ListDef, listQuery, page, streamed, stripped } from '#kit/server/list/page.ts';
import { chartOf } from '#modules/identity/server/index.ts';
import { BatchRow } from '../contract/batches.ts';
import type { BatchFilter } from '../contract/fields.ts';
import { asksLedger, type Sent, sentSelect, type Told, toldSelect } from './relation.ts';
import { toRows } from './rows.ts';

/** What a page holds before its rows are made: their documents are looked up once it is read. */
interface Found {
  told: Told;
}

function listDef(ctx: Ctx, filter: BatchFilter): ListDef<Told, Found> {
  const table = (rows: RawBuilder<Told>) =>
    listQuery<Told>(ctx.db.selectFrom(sql<Told>`(${rows})`.as('s')).selectAll());
  const sent = sentSelect(ctx, filter);
  return {
    row: BatchRow,
    ...(asksLedger(filter)
      ? { query: table(toldSelect(sent, filter)) }
      : {
          // Where the ledger decides on no row it is asked of those of the page alone.
          query: listQuery<Told>(ctx.db.selectFrom(sql<Sent>`(${sent})`.as('s')).selectAll()),
          around: (rows) => table(toldSelect(rows)),
        }),
    sort: { shippedOn: 's.shipped_at', number: 's.number', shipped: 's.shipped' },
    order: [['s.shipped_at', 'desc']],
    key: 's.id',
    map: (told) => ({ told }),
  };
}

type Sums = Record<string, string | number | null>;

/** Sums over a filter, and the number of its `batches`: both come of one reading. */
async function sumsOf(ctx: Ctx, filter: BatchFilter): Promise<Sums> {
  const { rows } = await sql<Sums>`
    SELECT count(*)::int AS batches, coalesce(sum(t.shipped), 0)::int AS shipped, coalesce(sum(t.received), 0)::int AS received,
           coalesce(sum(t.gone - t.lost), 0)::int AS issued, coalesce(sum(t.here), 0)::int AS "left",
           coalesce(sum(t.shipped - t.received), 0)::int AS gap,
           coalesce(sum(t.rest + t.issued + t.variance - t.first_leg - t.other), 0)::text AS purchase,
           coalesce(sum(t.first_leg), 0)::text AS "firstLeg", coalesce(sum(t.other), 0)::text AS other,
           coalesce(sum(t.rest + t.issued + t.variance), 0)::text AS cost, coalesce(sum(t.issued), 0)::text AS "issuedCost",
           coalesce(sum(t.rest), 0)::text AS "leftCost", coalesce(sum(t.variance), 0)::text AS variance
      FROM (${toldSelect(sentSelect(ctx, filter), filter)}) AS t`.execute(ctx.db);
  return rows[0] ?? {};
}

/** One page of batches, those that left last first, with the sums of the filter. Costs are CNY. */
export async function batchPage(ctx: Ctx, request: PageRequest<BatchFilter>): Promise<PageOf<BatchRow>> {
  const { batches = 0, ...totals } = await sumsOf(ctx, request.filter);
  const found = await page<Told, Found>(ctx, request, {
    ...listDef(ctx, request.filter),
    count: async () => Number(batches),
    totals: async () => totals,
  });
  const hidden = hiddenFields(ctx, BatchRow);
  const records = await toRows(
    ctx,
    found.records.map(({ told }) => told),
  );
  return { ...found, records: records.map((row) => stripped(row, hidden)) };
}

/** How many batches of a filter are in each state, whatever state it asks for. */
export function batchCounts(ctx: Ctx, filter: BatchFilter): Promise<Record<string, number>> {
  const all = { ...filter, state: undefined };
  return countsBy(ctx.db.selectFrom(sql<Told>`(${toldSelect(sentSelect(ctx, all), all)})`.as('s')), 's.state');
}

/** All batches of a filter as a file. */
export function batchFile(open: OpenCtx, body: ExportRequest<BatchFilter>): Promise<FileReply> {
  return download(open, async (ctx) => {
    // The cursor holds the connection: documents are looked up once all rows are read.
    const told: Told[] = [];
    for await (const row of streamed<Told, Found>(ctx, body, listDef(ctx, body.filter))) told.push(row.told);
    const rows = await toRows(ctx, told);
    return {
      name: `批次成本-${ctx.clock.today()}`,
      sheet: '批次成本',
      format: body.format,
      columns: exportColumns(ctx, BatchRow, body.columns),
      rows: (async function* () {
        yield* rows;
      })(),
      audit: { action: '导出批次成本', resource: 'jobcost.batch', filter: body.filter },
    };
  });
}

/** Members who may work now, to choose from. */
export async function choices(ctx: Ctx): Promise<{ owners: { value: string; label: string }[] }> {
  const { members } = await chartOf(ctx);
  const owners = [...members].flatMap(([value, { name, active }]) => (active ? [{ value, label: name }] : []));
  return { owners: owners.sort((a, b) => a.label.localeCompare(b.label, 'zh')) };
}
