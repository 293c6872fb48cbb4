import { type RawBuilder, sql } from 'kysely';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import { listQuery, page } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { ALWAYS } from '#modules/product/contract.ts';
import { type BindingFilter, BindingRow } from '../../contract/bindings.ts';
import { platformOf } from '../filter.ts';

interface DbRow {
  id: string;
  shop_id: string;
  platform_sku: string;
  platform: string;
  shop: string;
  open_lines: number;
  open_units: number;
  lines: number;
  first_day: string;
  last_day: string;
  product_id: string | null;
  sku: string | null;
  name: string | null;
  image: string | null;
  units: number | null;
  valid_from: string | null;
  way: 'manual' | 'same' | null;
  updated_by_name: string | null;
  updated_at: string | null;
}

/** SKUs `s` of shops `h` under a filter. */
function skusOf(ctx: Ctx, { state, keyword, platforms, shops }: BindingFilter): RawBuilder<unknown> {
  const all = [sql`s.company_id = ${ctx.companyId}`];
  if (state) all.push(state === 'open' ? sql`s.open_lines > 0` : sql`s.open_lines = 0`);
  if (keyword?.trim()) all.push(sql`s.platform_sku ILIKE ${containing(keyword.trim())}`);
  if (platforms?.length) all.push(sql`h.platform = ANY (${platforms}::text[])`);
  if (shops?.length) all.push(sql`s.shop_id = ANY (${shops}::uuid[])`);
  return sql`channel.platform_sku AS s
    JOIN channel.shop AS h ON h.company_id = ${ctx.companyId} AND h.id = s.shop_id WHERE ${sql.join(all, sql` AND `)}`;
}

function rowOf(row: DbRow): BindingRow {
  return {
    id: row.id,
    shopId: row.shop_id,
    platformSku: row.platform_sku,
    platform: platformOf(row.platform),
    store: row.shop,
    state: row.open_lines > 0 ? 'open' : 'bound',
    product: row.sku === null ? null : { name: row.name || row.sku, code: row.sku, image: row.image },
    productId: row.product_id,
    units: row.units,
    validFrom: row.valid_from === ALWAYS ? null : row.valid_from,
    way: row.way,
    openLines: row.open_lines,
    openUnits: row.open_units,
    lines: row.lines,
    firstDay: row.first_day,
    lastDay: row.last_day,
    updatedBy: row.updated_by_name,
    updatedAt: row.updated_at,
  };
}

/** One page of the SKUs of shops, those first whose sales count for nothing yet. */
export function bindingPage(ctx: Ctx, request: PageRequest<BindingFilter>): Promise<PageOf<BindingRow>> {
  const rows = sql<DbRow>`(
    SELECT s.shop_id || ' ' || s.platform_sku AS id, s.shop_id, s.platform_sku, h.platform, h.name AS shop, s.open_lines, s.open_units,
           s.lines, s.first_day, s.last_day, b.product_id, p.sku, p.name, p.image, b.units, b.valid_from, b.way, b.updated_by_name, b.updated_at
      FROM (SELECT s.*, h.platform, h.name FROM ${skusOf(ctx, request.filter)}) AS s
     CROSS JOIN LATERAL (SELECT s.platform, s.name) AS h
      LEFT JOIN LATERAL (
        SELECT b.* FROM channel.sku_binding AS b
         WHERE b.company_id = ${ctx.companyId} AND b.shop_id = s.shop_id AND b.platform_sku = s.platform_sku
           AND b.valid_from <= ${ctx.clock.today()}::date
         ORDER BY b.valid_from DESC LIMIT 1) AS b ON true
      LEFT JOIN product.local_product AS p ON p.company_id = ${ctx.companyId} AND p.id = b.product_id)`;
  return page<DbRow, BindingRow>(ctx, request, {
    row: BindingRow,
    query: listQuery<DbRow>(ctx.db.selectFrom(rows.as('r')).selectAll('r')),
    sort: {
      platformSku: 'r.platform_sku',
      openLines: 'r.open_lines',
      openUnits: 'r.open_units',
      lines: 'r.lines',
      firstDay: 'r.first_day',
      lastDay: 'r.last_day',
    },
    order: [['r.open_lines', 'desc']],
    key: 'r.id',
    map: rowOf,
  });
}

/** Numbers of SKUs that are bound and that are not, under the other filters. */
export async function bindingCounts(ctx: Ctx, { state: _, ...filter }: BindingFilter): Promise<Record<string, number>> {
  const { rows } = await sql<Record<string, number>>`
    SELECT count(*)::int AS all, (count(*) FILTER (WHERE s.open_lines > 0))::int AS open,
           (count(*) FILTER (WHERE s.open_lines = 0))::int AS bound
      FROM ${skusOf(ctx, filter)}`.execute(ctx.db);
  return rows[0] ?? {};
}
