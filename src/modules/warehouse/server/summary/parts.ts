import { sql } from 'kysely';
import { PageQuery } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import { listingsOfProduct, localProducts } from '#modules/product/server/index.ts';
import { StockFilter, type StockRow } from '../../contract/inventory.ts';
import type { FbaPartRow, PendingRow, SummaryPart } from '../../contract/summary.ts';
import { stockPage } from '../stock/report.ts';
import { postingWords } from '../stock/sources.ts';

/** What one company has warehouses for; more are cut. */
const MOST = 500;

async function stockRows(ctx: Ctx, sku: string): Promise<StockRow[]> {
  const request = PageQuery(StockFilter).parse({ filter: { skus: [sku], hasStock: true } });
  return (await stockPage(ctx, { ...request, pagesize: MOST })).records;
}

interface Place {
  id: string;
  kind: string;
  country: string;
}

async function placesOf(ctx: Ctx): Promise<Map<string, Place>> {
  const rows = await ctx.db
    .selectFrom('warehouse.warehouse')
    .select(['id', 'kind', 'country'])
    .where('company_id', '=', ctx.companyId)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Documents that brought pieces of a product into a status which they have not left. */
async function pendingRows(ctx: Ctx, product: string, status: 'EXPECTED' | 'IN_TRANSIT'): Promise<PendingRow[]> {
  const { rows } = await sql<Omit<PendingRow, 'kind' | 'path'> & { type: string; source: string }>`
    SELECT o.source_type || ' ' || o.source_id || ' ' || e.warehouse_id AS id, o.source_type AS type, o.source_id AS source,
           max(o.source_number) AS number, w.name AS warehouse, sum(e.qty)::int AS qty, min(o.posted_at) AS since, d.planned_on AS eta
      FROM warehouse.stock_entry AS e
      JOIN warehouse.stock_posting AS o ON o.company_id = e.company_id AND o.id = e.posting_id
      JOIN warehouse.warehouse AS w ON w.company_id = e.company_id AND w.id = e.warehouse_id
      LEFT JOIN warehouse.document AS d ON d.company_id = e.company_id AND d.id::text = o.source_id
     WHERE e.company_id = ${ctx.companyId} AND e.product_id = ${product} AND e.status = ${status}
     GROUP BY o.source_type, o.source_id, e.warehouse_id, w.name, d.planned_on HAVING sum(e.qty) > 0
     ORDER BY d.planned_on NULLS LAST, min(o.posted_at) LIMIT ${MOST}`.execute(ctx.db);
  return rows.map(({ type, source, ...row }) => {
    const words = postingWords(ctx, { source_type: type, source_id: source, source_event: '' });
    return { ...row, kind: words.action.split('·')[0] ?? '', path: words.path };
  });
}

async function fbaRows(ctx: Ctx, product: string, sku: string): Promise<FbaPartRow[]> {
  const listings = await listingsOfProduct(ctx, product, sku);
  const { rows } = await sql<{ id: string; n: number; onHand: number; inbound: number; total: number }>`
    SELECT f.id, l.n, f.on_hand AS "onHand", f.inbound, f.total
      FROM jsonb_to_recordset(${JSON.stringify(listings.map((one, n) => ({ ...one, n })))}::jsonb)
        AS l(n int, "accountId" uuid, "marketplaceId" text, msku text)
      JOIN inventory.fba_stock AS f ON f.company_id = ${ctx.companyId} AND f.account_id = l."accountId"
       AND f.marketplace_id = l."marketplaceId" AND f.seller_sku = l.msku
     WHERE f.total > 0 ORDER BY l.n`.execute(ctx.db);
  return rows.flatMap(({ id, n, onHand, inbound, total }) => {
    const listing = listings[n];
    if (!listing) return [];
    const { store, country, msku, qty: units } = listing;
    return [
      { id, store, country, msku, units, onHand: onHand * units, inbound: inbound * units, total: total * units },
    ];
  });
}

const sumOf = <T>(rows: readonly T[], qty: (row: T) => number) => rows.reduce((sum, row) => sum + qty(row), 0);

/** All parts of a product's stock as figures, and what one of them is made of. @throws notFound */
export async function summary(ctx: Ctx, part: SummaryPart, id: string) {
  const product = (await localProducts(ctx, [id])).get(id);
  if (!product) throw notFound('产品不存在或已删除');
  const places = await placesOf(ctx);
  const all = await stockRows(ctx, product.sku);
  const local = all.filter((row) => places.get(row.warehouseId)?.kind === 'LOCAL');
  const japan = all.filter((row) => places.get(row.warehouseId)?.country === 'JP');
  const produced = await pendingRows(ctx, id, 'EXPECTED');
  const transit = await pendingRows(ctx, id, 'IN_TRANSIT');
  const fba = await fbaRows(ctx, id, product.sku);
  const stock: Partial<Record<SummaryPart, StockRow[]>> = { inventory: all, warehouse: local, jpstock: japan };
  const pending: Partial<Record<SummaryPart, PendingRow[]>> = { produced, transit };
  return {
    product: product.cell,
    figures: {
      inventory: sumOf(all, (row) => row.total),
      warehouse: sumOf(local, (row) => row.total - row.inTransit),
      produced: sumOf(produced, (row) => row.qty),
      transit: sumOf(transit, (row) => row.qty),
      jpstock: sumOf(japan, (row) => row.total - row.inTransit),
      fbastock: sumOf(fba, (row) => row.total),
    },
    stock: stock[part] ?? [],
    pending: pending[part] ?? [],
    fba: part === 'fbastock' ? fba : [],
  };
}
