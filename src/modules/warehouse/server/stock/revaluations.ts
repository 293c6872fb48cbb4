import { sql } from 'kysely';
import type { z } from 'zod';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import { listQuery, page } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { nextNumber } from '#kit/server/sequence.ts';
import { type addLayerCost, type RevaluationFilter, RevaluationRow } from '../../contract/costs.ts';
import { requireMove } from '../documents/core/places.ts';
import { addCost } from '../ledger/revalue.ts';
import { productHas } from './filter.ts';
import { postingWords } from './sources.ts';

/** Source of the postings that bring a cost by hand. */
export const REVALUED = 'warehouse.revaluation';

/** Adds a cost to the pieces that a layer brought. @throws notFound, and whatever `addCost` refuses */
export async function addToLayer(ctx: Ctx, input: z.output<typeof addLayerCost.body>) {
  const layer = await ctx.db
    .selectFrom('warehouse.cost_layer as y')
    .innerJoin('product.local_product as p', (join) =>
      join.onRef('p.company_id', '=', 'y.company_id').onRef('p.id', '=', 'y.product_id'),
    )
    .select(['y.source_posting_id as posting', 'y.source_move as move', 'y.warehouse_id as warehouse', 'p.sku'])
    .where('y.company_id', '=', ctx.companyId)
    .where('y.id', '=', input.layerId)
    .executeTakeFirst();
  if (!layer) throw notFound('成本层不存在或已删除');
  requireMove(ctx, layer.warehouse);
  const number = await nextNumber(ctx, 'CB{yyMMdd}{seq:4}', ctx.clock.today());
  const { id, repeated, moves } = await addCost(ctx, {
    source: { type: REVALUED, id: input.clientId, event: 'add', number },
    posting: layer.posting,
    component: input.component,
    values: [{ move: layer.move - 1, amount: input.amount, layer: input.layerId }],
    final: input.final,
    note: input.reason,
  });
  const [placed] = moves;
  const booked = await ctx.db
    .selectFrom('warehouse.stock_posting')
    .select('source_number as number')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const after = { number: booked.number, sku: layer.sku, amount: input.amount, reason: input.reason };
  if (repeated) ctx.audited = true;
  else await audit(ctx, { action: '补录成本', resource: REVALUED, resourceId: input.clientId, after });
  return { number: booked.number, toLayers: placed?.toLayers ?? '0', variance: placed?.variance ?? '0', repeated };
}

interface DbRow {
  posting_id: string;
  origin_move: number;
  posted_at: string;
  business_date: string;
  source_type: string;
  source_id: string;
  source_event: string;
  number: string;
  operator_name: string;
  note: string;
  sku: string;
  name: string;
  image: string | null;
  product_id: string;
  warehouse: string;
  origin: string;
  component: string;
  amount: string;
  to_layers: string;
  variance: string;
}

function rowsOf(ctx: Ctx, filter: RevaluationFilter) {
  let query = ctx.db
    .selectFrom('warehouse.revaluation as r')
    .innerJoin('warehouse.stock_posting as o', (join) =>
      join.onRef('o.company_id', '=', 'r.company_id').onRef('o.id', '=', 'r.posting_id'),
    )
    .innerJoin('product.local_product as p', (join) =>
      join.onRef('p.company_id', '=', 'r.company_id').onRef('p.id', '=', 'r.product_id'),
    )
    .where('r.company_id', '=', ctx.companyId);
  if (filter.period?.from) query = query.where('r.business_date', '>=', filter.period.from);
  if (filter.period?.to) query = query.where('r.business_date', '<=', filter.period.to);
  if (filter.component) query = query.where('r.component', '=', filter.component);
  if (filter.number) query = query.where('o.source_number', 'ilike', containing(filter.number));
  if (filter.keyword) query = query.where(productHas(filter.keyword));
  return query;
}

function rowOf(ctx: Ctx, row: DbRow): RevaluationRow {
  return {
    id: `${row.posting_id}.${row.origin_move}`,
    at: row.posted_at,
    businessDate: row.business_date,
    number: row.number,
    product: { name: row.name || row.sku, code: row.sku, image: row.image },
    warehouse: row.warehouse,
    origin: row.origin,
    component: row.component as RevaluationRow['component'],
    amount: row.amount,
    toLayers: row.to_layers,
    variance: row.variance,
    operator: row.operator_name,
    note: row.note,
    path: postingWords(ctx, row).path,
    productId: row.product_id,
  };
}

/** One page of values that came late, the newest first. */
export function revaluationPage(ctx: Ctx, request: PageRequest<RevaluationFilter>): Promise<PageOf<RevaluationRow>> {
  const query = rowsOf(ctx, request.filter)
    .innerJoin('warehouse.warehouse as w', (join) =>
      join.onRef('w.company_id', '=', 'r.company_id').onRef('w.id', '=', 'r.warehouse_id'),
    )
    .innerJoin('warehouse.stock_posting as f', (join) =>
      join.onRef('f.company_id', '=', 'r.company_id').onRef('f.id', '=', 'r.origin_posting_id'),
    )
    .select([
      'r.posting_id',
      'r.origin_move',
      'r.business_date',
      'r.component',
      'r.amount',
      'r.to_layers',
      'r.variance',
    ])
    .select(['o.posted_at', 'o.source_type', 'o.source_id', 'o.source_event', 'o.source_number as number', 'o.note'])
    .select(['o.operator_name', 'p.sku', 'p.name', 'p.image', 'r.product_id', 'w.name as warehouse'])
    .select('f.source_number as origin');
  const sums = () =>
    rowsOf(ctx, request.filter)
      .select(sql<string>`coalesce(sum(r.amount), 0)`.as('amount'))
      .select(sql<string>`coalesce(sum(r.to_layers), 0)`.as('toLayers'))
      .select(sql<string>`coalesce(sum(r.variance), 0)`.as('variance'))
      .executeTakeFirstOrThrow();
  return page<DbRow, RevaluationRow>(ctx, request, {
    row: RevaluationRow,
    query: listQuery<DbRow>(query),
    sort: { at: 'o.posted_at', amount: 'r.amount', product: 'p.sku' },
    order: [['o.posted_at', 'desc']],
    key: 'r.posting_id',
    totals: sums,
    map: (row) => rowOf(ctx, row),
  });
}
