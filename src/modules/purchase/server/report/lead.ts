import { type RawBuilder, sql } from 'kysely';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { type DownloadSpec, download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, listQuery, page, streamed } from '#kit/server/list/page.ts';
import { productIdsBySku } from '#modules/product/server/index.ts';
import { warehouses } from '#modules/warehouse/server/index.ts';
import { LEGS, type LeadDimension, type LeadFilter, LeadRow, type Leg } from '../../contract/lead.ts';
import { placedBetween } from './placed.ts';

/** Upper ends of the classes of days from placing to receipt. */
const CLASSES = [3, 7, 15, 30, 45, 60] as const;

type Filter = Omit<LeadFilter, 'dimension'>;

async function conditions(ctx: Ctx, { placed, supplier, warehouse, sku }: Filter): Promise<RawBuilder<unknown>> {
  const parts = [sql`o.company_id = ${ctx.companyId}`, ...placedBetween(placed)];
  if (supplier?.length) parts.push(sql`o.supplier_id = ANY (${supplier}::uuid[])`);
  if (warehouse?.length) parts.push(sql`o.warehouse_id = ANY (${warehouse}::uuid[])`);
  if (sku?.length) parts.push(sql`c.product_id = ANY (${[...(await productIdsBySku(ctx, sku)).values()]}::uuid[])`);
  return sql.join(parts, sql` AND `);
}

/**
 * Pieces that came, by line of a receipt, with the days of each leg. The first shipment that is known before the receipt
 * parts production from transport; receipts that were taken back are not there.
 */
async function came(ctx: Ctx, filter: Filter): Promise<RawBuilder<unknown>> {
  return sql`
    SELECT q.*, q.supply + (q.placed_on - q.made_on) + q.inspect AS total FROM (
      SELECT o.id AS "order", o.supplier_id, o.warehouse_id, o.created_by_name AS buyer, c.product_id, c.qty,
             kit.day(o.created_at) AS made_on, d.placed_on, to_char(d.placed_on, 'YYYY-MM') AS month,
             extract(epoch FROM o.approved_at - o.created_at) / 86400 AS approve,
             extract(epoch FROM o.placed_at - o.approved_at) / 86400 AS "order_days",
             s.shipped_on - d.placed_on AS produce, t.received_on - s.shipped_on AS transport,
             t.received_on - d.placed_on AS supply,
             CASE WHEN t.inspected_at IS NULL THEN 0
                  ELSE kit.day(i.at) - t.received_on END AS inspect,
             CASE WHEN l.promised_on IS NOT NULL THEN t.received_on <= l.promised_on + 1 END AS kept
        FROM purchase.purchase_order AS o
        JOIN purchase.receipt AS t ON t.company_id = o.company_id AND t.order_id = o.id AND t.state <> 'reversed'
        JOIN purchase.receipt_line AS c ON c.company_id = t.company_id AND c.receipt_id = t.id
        JOIN purchase.order_line AS l ON l.company_id = c.company_id AND l.id = c.order_line_id
       CROSS JOIN LATERAL (SELECT kit.day(o.placed_at) AS placed_on) AS d
        LEFT JOIN LATERAL (SELECT min(h.shipped_on) AS shipped_on FROM purchase.shipment AS h
          WHERE h.company_id = o.company_id AND h.order_id = o.id AND h.shipped_on <= t.received_on) AS s ON true
        LEFT JOIN LATERAL (SELECT max(n.at) AS at FROM purchase.inspection AS n
          WHERE n.company_id = c.company_id AND n.receipt_line_id = c.id) AS i ON true
       WHERE ${await conditions(ctx, filter)}) AS q`;
}

const COLUMN: Record<Leg, string> = {
  approve: 'approve',
  order: 'order_days',
  produce: 'produce',
  transport: 'transport',
  supply: 'supply',
  inspect: 'inspect',
  total: 'total',
};

/** Σ qty · days ÷ Σ qty over the pieces of which the leg is known, to a tenth of a day. */
const mean = (leg: Leg) => {
  const days = sql.ref(`c.${COLUMN[leg]}`);
  return sql`round(sum(c.qty * ${days})::numeric / nullif(sum(c.qty) FILTER (WHERE ${days} IS NOT NULL), 0), 1) AS ${sql.ref(leg)}`;
};
const MEANS = sql.join(LEGS.map(mean));

const SUMS = sql`
  count(DISTINCT c."order")::int AS orders, sum(c.qty)::int AS qty, ${MEANS},
  percentile_disc(0.9) WITHIN GROUP (ORDER BY c.supply)::numeric AS slowest,
  round(sum(c.qty) FILTER (WHERE c.kept)::numeric / nullif(sum(c.qty) FILTER (WHERE c.kept IS NOT NULL), 0), 4) AS "inTime"`;

interface Key {
  id: RawBuilder<unknown>;
  name: RawBuilder<unknown>;
  /** Where the names are; `c` are the pieces, `k` the company. */
  join: RawBuilder<unknown>;
}

const NOTHING = sql``;
const KEYS: Record<Exclude<LeadDimension, 'WAREHOUSE'>, Key> = {
  SUPPLIER: {
    id: sql`c.supplier_id::text`,
    name: sql`min(n.short_name)`,
    join: sql`JOIN supplier.supplier AS n ON n.company_id = k.company AND n.id = c.supplier_id`,
  },
  PRODUCT: {
    id: sql`c.product_id::text`,
    name: sql`min(n.sku) || ' ' || min(n.name)`,
    join: sql`JOIN product.local_product AS n ON n.company_id = k.company AND n.id = c.product_id`,
  },
  BUYER: { id: sql`c.buyer`, name: sql`c.buyer`, join: NOTHING },
  MONTH: { id: sql`c.month`, name: sql`c.month`, join: NOTHING },
};

/** What rows are grouped by, and where their names are. */
async function keyOf(ctx: Ctx, dimension: LeadDimension): Promise<Key> {
  if (dimension !== 'WAREHOUSE') return KEYS[dimension];
  const places = [...(await warehouses(ctx)).values()];
  const [ids, names] = [places.map((one) => one.id), places.map((one) => one.name)];
  return {
    id: sql`c.warehouse_id::text`,
    name: sql`min(n.name)`,
    join: sql`JOIN unnest(${ids}::uuid[], ${names}::text[]) AS n(id, name) ON n.id = c.warehouse_id`,
  };
}

async function listDef(
  ctx: Ctx,
  { dimension = 'SUPPLIER', ...filter }: LeadFilter,
): Promise<ListDef<LeadRow, LeadRow>> {
  const { id, name, join } = await keyOf(ctx, dimension);
  const rows = await came(ctx, filter);
  const grouped = sql<LeadRow>`
    (SELECT ${id} AS id, ${name} AS name, ${SUMS}
       FROM (${rows}) AS c CROSS JOIN (SELECT ${ctx.companyId}::uuid AS company) AS k ${join} GROUP BY 1)`;
  const sorted = ['name', 'orders', 'qty', 'supply', 'total', 'slowest', 'inTime'];
  return {
    row: LeadRow,
    query: listQuery(ctx.db.selectFrom(grouped.as('g')).selectAll('g')),
    sort: Object.fromEntries(sorted.map((key) => [key, `g."${key}"`])),
    order: [[dimension === 'MONTH' ? 'g.name' : 'g.qty', 'desc']],
    key: 'g.id',
    totals: async () => {
      const { rows: sums } = await sql<Record<string, string | number | null>>`
        SELECT ${SUMS} FROM (${rows}) AS c`.execute(ctx.db);
      return { ...sums[0], qty: sums[0]?.qty ?? 0 };
    },
  };
}

/** Days of purchases by supplier, product, warehouse, buyer or month, those with the most pieces first. */
export async function leadPage(ctx: Ctx, request: PageRequest<LeadFilter>): Promise<PageOf<LeadRow>> {
  return page(ctx, request, await listDef(ctx, request.filter));
}

export function exportLead(open: OpenCtx, body: ExportRequest<LeadFilter>): Promise<FileReply> {
  return download(
    open,
    async (ctx): Promise<DownloadSpec> => ({
      name: `采购时效-${ctx.clock.today()}`,
      sheet: '采购时效',
      format: body.format,
      columns: exportColumns(ctx, LeadRow, body.columns),
      rows: streamed(ctx, body, await listDef(ctx, body.filter)),
      audit: { action: '导出采购时效', resource: 'purchase.order', filter: body.filter },
    }),
  );
}

const classNames = (): string[] => [
  ...CLASSES.map((end, n) => `${(CLASSES[n - 1] ?? -1) + 1}-${end}天`),
  `${(CLASSES.at(-1) ?? 0) + 1}天以上`,
];

type MonthRow = { month: string } & Record<Leg, string | null>;

/** Legs by month of placing, and pieces by class of days from placing to receipt. */
export async function leadChartsOf(ctx: Ctx, { dimension: _, ...filter }: LeadFilter) {
  const rows = await came(ctx, filter);
  const months = await sql<MonthRow>`
    SELECT c.month, ${MEANS} FROM (${rows}) AS c GROUP BY 1 ORDER BY 1`.execute(ctx.db);
  const spread = await sql<{ class: number; qty: number }>`
    SELECT (SELECT count(*) FROM unnest(${[...CLASSES]}::int[]) AS e WHERE c.supply > e)::int AS class, sum(c.qty)::int AS qty
      FROM (${rows}) AS c GROUP BY 1`.execute(ctx.db);
  const qty = new Map(spread.rows.map((row) => [row.class, row.qty]));
  return {
    months: months.rows,
    spread: spread.rows.length === 0 ? [] : classNames().map((name, n) => ({ name, qty: qty.get(n) ?? 0 })),
  };
}
