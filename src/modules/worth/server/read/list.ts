import { sql } from 'kysely';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { cutAs, type ListDef, listQuery, page, type Query, streamed } from '#kit/server/list/page.ts';
import { COST, type WorthFilter } from '../../contract/fields.ts';
import { WorthRow } from '../../contract/worth.ts';
import { amountsOf, dayOf, KEYS, linesAt, roomy, SUMS, type Sums, sourceOf } from './at.ts';
import { type Namer, namer } from './names.ts';

type Group = Sums & {
  g1: string;
  g2: string | null;
  product_id: string | null;
  unit_cost: string | null;
  source: string;
  /** How many the filter has: they are counted on the way, not by a second reading. */
  groups: number;
};
type DbRow = Group & { sku: string | null; name: string | null; image: string | null };

const byOf = ({ by = 'STAGE', within }: WorthFilter) => ({ by, within: within === by ? undefined : within });

function query(ctx: Ctx, day: string, filter: WorthFilter) {
  const { by, within } = byOf(filter);
  const products = by === 'PRODUCT' || within === 'PRODUCT';
  return ctx.db
    .selectFrom(
      sql<Group>`(
        SELECT ${sql.raw(KEYS[by])} AS g1, ${within ? sql.raw(KEYS[within]) : sql`NULL::text`} AS g2,
               ${products ? sql`min(k.product_id::text)::uuid` : sql`NULL::uuid`} AS product_id, ${SUMS},
               round(sum(k.total) / nullif(sum(k.qty - k.uncosted), 0), 4) AS unit_cost,
               CASE WHEN min(k.source) = max(k.source) THEN min(k.source) ELSE 'MANY' END AS source,
               count(*) OVER ()::int AS groups
          FROM ${linesAt(ctx, day, filter)} GROUP BY 1, 2)`.as('g'),
    )
    .selectAll('g');
}

async function listDef(ctx: Ctx, day: string, filter: WorthFilter, names: Namer): Promise<ListDef<DbRow, WorthRow>> {
  const { by, within } = byOf(filter);
  const costs = can(ctx, COST);
  const text = (group: typeof by, row: DbRow, key: string) =>
    group === 'PRODUCT' ? (row.sku ?? names(group, key)) : names(group, key);
  const groups = query(ctx, day, filter);
  return {
    row: WorthRow,
    query: listQuery(groups),
    // Products are named for the rows of the page only.
    around: (rows) =>
      listQuery(
        cutAs(ctx, rows as Query<unknown> as Query<Group>, 'g')
          .leftJoin('product.local_product as p', (join) =>
            join.on('p.company_id', '=', ctx.companyId).onRef('p.id', '=', 'g.product_id'),
          )
          .selectAll('g')
          .select(['p.sku', 'p.name', 'p.image']),
      ),
    sort: {
      first: 'g.g1',
      qty: 'g.qty',
      uncosted: 'g.uncosted',
      purchase: 'g.purchase',
      firstLeg: 'g.first_leg',
      duty: 'g.duty',
      other: 'g.other',
      gross: 'g.total',
      reserve: 'g.reserve',
      net: 'g.net',
      unitCost: 'g.unit_cost',
    },
    // The order of values would tell what they are.
    order: [[costs ? 'g.net' : 'g.qty', 'desc']],
    key: "(g.g1, coalesce(g.g2, ''))",
    count: async ([first]) => first?.groups ?? (await groups.limit(1).executeTakeFirst())?.groups ?? 0,
    totals: async () => {
      const { rows } = await sql<Sums>`SELECT ${SUMS} FROM ${linesAt(ctx, day, filter)}`.execute(ctx.db);
      const [sums] = rows;
      return sums ? amountsOf(sums, costs) : {};
    },
    asOf: async () => madeAt(ctx, day),
    map: (row) => ({
      id: `${row.g1}|${row.g2 ?? ''}`,
      first: text(by, row, row.g1),
      second: within === undefined || row.g2 === null ? null : text(within, row, row.g2),
      product: row.sku === null ? null : { name: row.name || row.sku, code: row.sku, image: row.image },
      ...amountsOf(row, true),
      unitCost: row.unit_cost,
      source: sourceOf(row.source),
      firstKey: row.g1,
      secondKey: row.g2,
    }),
  };
}

/** When the figures of a day were made. */
export async function madeAt(ctx: Ctx, day: string): Promise<string | null> {
  const { rows } = await sql<{ at: string }>`
    SELECT made_at AS at FROM worth.day WHERE company_id = ${ctx.companyId} AND day = ${day}::date`.execute(ctx.db);
  return rows[0]?.at ?? null;
}

/** One page of the worth of a day by two groups, with the sums of the whole filter; CNY. @throws refused B1605 */
export async function worthPage(ctx: Ctx, request: PageRequest<WorthFilter>): Promise<PageOf<WorthRow>> {
  const day = await dayOf(ctx, request.filter);
  await roomy(ctx);
  return page(ctx, request, await listDef(ctx, day, request.filter, await namer(ctx)));
}

/** The same as a file. */
export function exportAll(open: OpenCtx, request: ExportRequest<WorthFilter>): Promise<FileReply> {
  return download(open, async (ctx) => {
    const day = await dayOf(ctx, request.filter);
    await roomy(ctx);
    return {
      name: `库存货值-${day}`,
      sheet: '库存货值',
      format: request.format,
      columns: exportColumns(ctx, WorthRow, request.columns),
      rows: streamed(ctx, request, await listDef(ctx, day, request.filter, await namer(ctx))),
      audit: { action: '导出库存货值', resource: 'worth.line', filter: request.filter },
    };
  });
}
