import { type RawBuilder, sql } from 'kysely';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { type DownloadSpec, download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, listQuery, page, streamed } from '#kit/server/list/page.ts';
import { productIdsBySku } from '#modules/product/server/index.ts';
import { PRICE } from '../../contract/fields.ts';
import { type PriceFilter, PriceRow } from '../../contract/price-trend.ts';
import { placedBetween } from './placed.ts';

async function conditions(ctx: Ctx, { placed, supplier, sku }: PriceFilter): Promise<RawBuilder<unknown>> {
  const parts = [sql`o.company_id = ${ctx.companyId} AND NOT l.gift`, ...placedBetween(placed)];
  if (supplier?.length) parts.push(sql`o.supplier_id = ANY (${supplier}::uuid[])`);
  if (sku?.length) parts.push(sql`l.product_id = ANY (${[...(await productIdsBySku(ctx, sku)).values()]}::uuid[])`);
  return sql.join(parts, sql` AND `);
}

const BOUGHT = sql`purchase.purchase_order AS o
    JOIN purchase.order_line AS l ON l.company_id = o.company_id AND l.order_id = o.id`;

/** Share by which `now` is above `before`. */
const rise = (now: RawBuilder<unknown>, before: RawBuilder<unknown>) =>
  sql`round(${now} / nullif(${before}, 0) - 1, 4)`;

/** A row for each product, supplier and currency: each purchase counts once, in the order of placing. */
async function rowsOf(ctx: Ctx, filter: PriceFilter): Promise<RawBuilder<DbRow>> {
  const prices = sql`array_agg(l.unit_price ORDER BY o.placed_at, l.id)`;
  return sql<DbRow>`
    (SELECT g.id, p.sku, p.name, p.image, s.short_name AS supplier, g.currency, g.orders, g.qty, g.prices[1] AS first,
            g.prices[g.n] AS last, g.lowest, g.highest, g.mean, ${rise(sql`g.prices[g.n]`, sql`g.prices[1]`)} AS change,
            ${rise(sql`g.prices[g.n]`, sql`g.prices[g.n - 1]`)} AS "lastChange",
            round((g.highest - g.lowest) / nullif(g.mean, 0), 4) AS spread, g."lastOn"
       FROM (SELECT concat_ws(' ', l.product_id, o.supplier_id, o.currency) AS id, l.product_id, o.supplier_id, o.currency,
                    count(DISTINCT o.id)::int AS orders, sum(l.qty)::int AS qty, ${prices} AS prices, count(*)::int AS n,
                    min(l.unit_price) AS lowest, max(l.unit_price) AS highest,
                    round(sum(l.unit_price * l.qty) / sum(l.qty), 6) AS mean,
                    kit.day(max(o.placed_at)) AS "lastOn"
               FROM ${BOUGHT} WHERE ${await conditions(ctx, filter)}
              GROUP BY l.product_id, o.supplier_id, o.currency) AS g
       JOIN product.local_product AS p ON p.company_id = ${ctx.companyId} AND p.id = g.product_id
       JOIN supplier.supplier AS s ON s.company_id = ${ctx.companyId} AND s.id = g.supplier_id)`;
}

interface DbRow extends Omit<PriceRow, 'product'> {
  name: string;
  image: string | null;
}

async function listDef(ctx: Ctx, filter: PriceFilter): Promise<ListDef<DbRow, PriceRow>> {
  const sorted = ['sku', 'supplier', 'orders', 'qty', 'change', 'lastChange', 'spread', 'lastOn'];
  let query = ctx.db.selectFrom((await rowsOf(ctx, filter)).as('g')).selectAll('g');
  // Whether a price rose is itself a price.
  if (filter.rose !== undefined && can(ctx, PRICE)) {
    query = query.where(sql<boolean>`coalesce(g."lastChange" > 0, false)`, '=', filter.rose);
  }
  return {
    row: PriceRow,
    query: listQuery(query),
    sort: Object.fromEntries(sorted.map((key) => [key, `g."${key}"`])),
    order: [
      ['g."lastOn"', 'desc'],
      ['g.sku', 'asc'],
    ],
    key: 'g.id',
    map: ({ name, image, ...row }) => ({ ...row, product: { name: name || row.sku, code: row.sku, image } }),
  };
}

/** Prices of products by supplier, those bought last first. */
export async function pricePage(ctx: Ctx, request: PageRequest<PriceFilter>): Promise<PageOf<PriceRow>> {
  return page(ctx, request, await listDef(ctx, request.filter));
}

export function exportPrices(open: OpenCtx, body: ExportRequest<PriceFilter>): Promise<FileReply> {
  return download(
    open,
    async (ctx): Promise<DownloadSpec> => ({
      name: `采购价格走势-${ctx.clock.today()}`,
      sheet: '采购价格走势',
      format: body.format,
      columns: exportColumns(ctx, PriceRow, body.columns).filter((column) => column.key !== 'product'),
      rows: streamed(ctx, body, await listDef(ctx, body.filter)),
      audit: { action: '导出采购价格走势', resource: 'purchase.order', filter: body.filter },
    }),
  );
}

/** Mean prices by month and supplier, CNY to four decimals; null unless the filter names one product that is there. */
export async function priceChartOf(ctx: Ctx, filter: PriceFilter) {
  const [sku, second] = filter.sku ?? [];
  if (sku === undefined || second !== undefined) return null;
  const { rows } = await sql<{ month: string; supplier: string; price: string }>`
    SELECT to_char(o.placed_at AT TIME ZONE kit.zone(), 'YYYY-MM') AS month, s.short_name AS supplier,
           round(sum(l.unit_price * l.qty * o.rate) / sum(l.qty), 4) AS price
      FROM ${BOUGHT} JOIN supplier.supplier AS s ON s.company_id = o.company_id AND s.id = o.supplier_id
     WHERE ${await conditions(ctx, filter)} GROUP BY 1, 2 ORDER BY 1, 2`.execute(ctx.db);
  if (rows.length === 0) return null;
  const months = [...new Set(rows.map((row) => row.month))];
  const suppliers = [...new Set(rows.map((row) => row.supplier))].map((name) => {
    const mine = new Map(rows.filter((row) => row.supplier === name).map((row) => [row.month, row.price]));
    return { name, prices: months.map((month) => mine.get(month) ?? null) };
  });
  return { sku, months, suppliers };
}
