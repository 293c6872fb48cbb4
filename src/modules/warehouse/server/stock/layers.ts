import { sql } from 'kysely';
import type { z } from 'zod';
import { metaOf } from '#kit/contract/columns.ts';
import { Decimal } from '#kit/contract/decimal.ts';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, listQuery, page, streamed } from '#kit/server/list/page.ts';
import { CostComponent } from '../../contract/costs.ts';
import { AgeBucket, type exportLayers, type LayerFilter, LayerRow } from '../../contract/inventory.ts';
import { productHas, skuIs } from './filter.ts';
import { postingWords } from './sources.ts';

// As a query of its own the day is asked for once; otherwise it would be for each layer, several times.
const AGE = '(SELECT warehouse.today()) - y.original_date';
/** Orders layers as their ages do, whatever the day: an index has it. */
const AGE_ORDER = "DATE '2000-01-01' - y.original_date";
const BUCKET = `CASE WHEN ${AGE} <= 30 THEN 'D30' WHEN ${AGE} <= 60 THEN 'D60' WHEN ${AGE} <= 90 THEN 'D90'
  WHEN ${AGE} <= 180 THEN 'D180' WHEN ${AGE} <= 365 THEN 'D365' ELSE 'OVER' END`;

interface DbRow {
  id: string;
  sku: string;
  name: string;
  image: string | null;
  warehouse: string;
  lot_no: string;
  source_number: string;
  source_type: string;
  source_id: string;
  source_event: string;
  original_date: string;
  age: number;
  bucket: z.infer<typeof AgeBucket>;
  qty_in: number;
  qty_remaining: number;
  in_transit: boolean;
  amount_remaining: string;
  unit_cost: string;
  cost_state: string;
  received_at: string;
  amount_in: string;
  components: Record<string, string> | null;
}

/** 「采购成本 90.00 · 头程运费 13.80」: what the value of a layer came from, CNY, the parts that are 0 left out. */
function composition({ amount_in, components }: Pick<DbRow, 'amount_in' | 'components'>): string {
  const { states } = metaOf(CostComponent);
  const parts = Object.entries(components ?? { purchase: amount_in }).filter(
    ([, amount]) => !new Decimal(amount).isZero(),
  );
  return parts.map(([key, amount]) => `${states?.[key]?.title ?? key} ${new Decimal(amount).toFixed(2)}`).join(' · ');
}

function filtered(ctx: Ctx, filter: LayerFilter) {
  let query = ctx.db
    .selectFrom('warehouse.cost_layer as y')
    .innerJoin('product.local_product as p', (join) =>
      join.onRef('p.company_id', '=', 'y.company_id').onRef('p.id', '=', 'y.product_id'),
    )
    .where('y.company_id', '=', ctx.companyId)
    .where('y.open', '=', true);
  if (filter.warehouses?.length) query = query.where('y.warehouse_id', 'in', filter.warehouses);
  if (filter.sku) query = query.where(skuIs(ctx, 'y.product_id', filter.sku));
  if (filter.keyword) query = query.where(productHas(filter.keyword));
  if (filter.bucket) query = query.where(sql.raw<string>(BUCKET), '=', filter.bucket);
  return query;
}

function listDef(ctx: Ctx, filter: LayerFilter): ListDef<DbRow, LayerRow> {
  const query = filtered(ctx, filter)
    .innerJoin('warehouse.warehouse as w', (join) =>
      join.onRef('w.company_id', '=', 'y.company_id').onRef('w.id', '=', 'y.warehouse_id'),
    )
    .innerJoin('warehouse.lot as t', (join) =>
      join.onRef('t.company_id', '=', 'y.company_id').onRef('t.id', '=', 'y.lot_id'),
    )
    .innerJoin('warehouse.stock_posting as o', (join) =>
      join.onRef('o.company_id', '=', 'y.company_id').onRef('o.id', '=', 'y.source_posting_id'),
    )
    .select(['y.id', 'y.original_date', 'y.qty_in', 'y.qty_remaining', 'y.in_transit', 'y.amount_remaining'])
    .select(['y.amount_in', 'y.components'])
    .select(['y.cost_state', 'y.received_at', 'p.sku', 'p.name', 'p.image', 'w.name as warehouse', 't.lot_no'])
    .select(['o.source_number', 'o.source_type', 'o.source_id', 'o.source_event'])
    .select([sql.raw<number>(AGE).as('age'), sql.raw<string>(BUCKET).as('bucket')])
    .select(sql<string>`round(y.amount_remaining / y.qty_remaining, 4)`.as('unit_cost'));
  return {
    row: LayerRow,
    query: listQuery<DbRow>(query),
    sort: {
      originalDate: 'y.original_date',
      ageDays: AGE_ORDER,
      qtyLeft: 'y.qty_remaining',
      amountLeft: 'y.amount_remaining',
      product: 'p.sku',
      receivedAt: 'y.received_at',
    },
    order: [['y.original_date', 'asc']],
    key: 'y.id',
    map: (row) => ({
      id: row.id,
      product: { name: row.name || row.sku, code: row.sku, image: row.image },
      warehouse: row.warehouse,
      lot: row.lot_no || null,
      number: row.source_number,
      originalDate: row.original_date,
      ageDays: row.age,
      bucket: row.bucket,
      qtyIn: row.qty_in,
      qtyLeft: row.qty_remaining,
      inTransit: row.in_transit,
      unitCost: row.unit_cost,
      amountLeft: row.amount_remaining,
      composition: composition(row),
      costState: row.cost_state as LayerRow['costState'],
      receivedAt: row.received_at,
      path: postingWords(ctx, row).path,
    }),
  };
}

/** One page of layers with pieces left, the oldest first, with the sums over the filter. */
export function layerPage(ctx: Ctx, request: PageRequest<LayerFilter>): Promise<PageOf<LayerRow>> {
  return page(ctx, request, {
    ...listDef(ctx, request.filter),
    totals: async () =>
      filtered(ctx, request.filter)
        .select([
          sql<number>`coalesce(sum(y.qty_remaining), 0)`.as('qtyLeft'),
          sql<string>`coalesce(sum(y.amount_remaining), 0)`.as('amountLeft'),
        ])
        .executeTakeFirstOrThrow(),
  });
}

/**
 * Pieces by age, and their mean age in days to one decimal (null without pieces), of everything under the filter but its
 * bucket. Age counts from the day of the first receipt, which transfers and swaps keep.
 */
export async function ages(ctx: Ctx, filter: LayerFilter) {
  const rows = (await filtered(ctx, { ...filter, bucket: undefined })
    .select([
      sql.raw<string>(BUCKET).as('bucket'),
      sql<number>`sum(y.qty_remaining)`.as('qty'),
      sql.raw<number>(`sum(y.qty_remaining::bigint * (${AGE}))::bigint`).as('days'),
    ])
    .groupBy(sql.raw(BUCKET))
    .execute()) as { bucket: string; qty: number; days: number }[];
  const total = rows.reduce((sum, row) => sum + row.qty, 0);
  const days = rows.reduce((sum, row) => sum + row.days, 0);
  return {
    buckets: AgeBucket.options.map((bucket) => ({ bucket, qty: rows.find((row) => row.bucket === bucket)?.qty ?? 0 })),
    total,
    meanDays: total === 0 ? null : (Math.round((days / total) * 10) / 10).toFixed(1),
  };
}

/** The same as a file. */
export function exportAll(open: OpenCtx, request: z.output<typeof exportLayers.body>): Promise<FileReply> {
  return download(open, async (ctx) => ({
    name: '库龄与成本层',
    sheet: '库龄与成本层',
    format: request.format,
    columns: exportColumns(ctx, LayerRow, request.columns),
    rows: streamed(ctx, request, listDef(ctx, request.filter)) as AsyncIterable<object>,
    audit: { action: '导出库龄与成本层', resource: 'warehouse.stock', filter: request.filter },
  }));
}
