import { sql } from 'kysely';
import type { z } from 'zod';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import { countsBy } from '#kit/server/list/counts.ts';
import { type ListDef, listQuery, page, streamed } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { localProducts, productIdsBySku } from '#modules/product/server/index.ts';
import type { AnyFilter } from '../../../contract/documents/calls.ts';
import type { StockKind } from '../core/load.ts';
import { type Warehouse, warehouses } from '../core/places.ts';

async function matching(ctx: Ctx, kind: StockKind, filter: AnyFilter) {
  let query = ctx.db
    .selectFrom('warehouse.document as d')
    .where('d.company_id', '=', ctx.companyId)
    .where('d.kind', '=', kind.name);
  if (filter.state?.length) query = query.where('d.state', 'in', filter.state);
  if (filter.type?.length) query = query.where('d.type', 'in', filter.type);
  const places = filter.warehouse;
  if (places?.length) {
    query = query.where((eb) => eb.or([eb('d.warehouse_id', 'in', places), eb('d.to_warehouse_id', 'in', places)]));
  }
  if (filter.creator) query = query.where('d.created_by_name', 'ilike', containing(filter.creator));
  const day = sql<string>`kit.day(d.created_at)`;
  if (filter.created?.from) query = query.where(day, '>=', filter.created.from);
  if (filter.created?.to) query = query.where(day, '<=', filter.created.to);
  const words = filter.keyword;
  if (words) {
    const products = [...(await productIdsBySku(ctx, [words])).values()];
    query = query.where((eb) =>
      eb.or([
        eb('d.number', 'ilike', containing(words)),
        eb('d.partner', 'ilike', containing(words)),
        ...(products.length === 0
          ? []
          : [
              eb.exists(
                eb
                  .selectFrom('warehouse.document_line as l')
                  .select('l.id')
                  .whereRef('l.company_id', '=', 'd.company_id')
                  .whereRef('l.document_id', '=', 'd.id')
                  .where('l.product_id', 'in', products),
              ),
            ]),
      ]),
    );
  }
  return query;
}

async function selected(ctx: Ctx, kind: StockKind, filter: AnyFilter) {
  return (await matching(ctx, kind, filter)).select([
    'd.id',
    'd.number',
    'd.type',
    'd.state',
    'd.version',
    'd.warehouse_id',
    'd.to_warehouse_id',
    'd.partner',
    'd.carrier',
    'd.tracking_no',
    'd.planned_on',
    'd.channel',
    'd.departed_on',
    'd.landed_on',
    sql<number>`(SELECT count(*)::int FROM warehouse.document_box AS b
      WHERE b.company_id = d.company_id AND b.document_id = d.id)`.as('boxes'),
    'd.remark',
    'd.freight',
    'd.other_fee',
    'd.fee_split',
    'd.product_id',
    'd.qty as main_qty',
    'd.mode',
    'd.blind',
    'd.created_by_name',
    'd.created_at',
    'd.updated_by_name',
    'd.updated_at',
    sql<Sums>`(SELECT jsonb_build_object('skus', count(DISTINCT l.product_id), 'qty', coalesce(sum(l.qty), 0),
        'done', coalesce(sum(l.done_qty), 0), 'amount', sum(coalesce(l.qty * l.unit_cost, l.amount))::text,
        'gain', (sum(l.amount) FILTER (WHERE l.amount > 0))::text, 'loss', (-sum(l.amount) FILTER (WHERE l.amount < 0))::text)
       FROM warehouse.document_line AS l WHERE l.company_id = d.company_id AND l.document_id = d.id)`.as('sums'),
  ]);
}

interface Sums {
  skus: number;
  qty: number;
  done: number;
  amount: string | null;
  gain: string | null;
  loss: string | null;
}

type Row = Awaited<ReturnType<Awaited<ReturnType<typeof selected>>['execute']>>[number];
type Names = ReadonlyMap<string, Pick<Warehouse, 'name' | 'country'>>;

function toRow(row: Row, names: Names) {
  return {
    id: row.id,
    number: row.number,
    type: row.type,
    state: row.state,
    version: row.version,
    warehouse: names.get(row.warehouse_id)?.name ?? '',
    warehouseId: row.warehouse_id,
    toWarehouse: row.to_warehouse_id === null ? null : (names.get(row.to_warehouse_id)?.name ?? ''),
    toWarehouseId: row.to_warehouse_id,
    partner: row.partner,
    carrier: row.carrier,
    trackingNo: row.tracking_no,
    plannedOn: row.planned_on,
    country: (row.to_warehouse_id && names.get(row.to_warehouse_id)?.country) || '',
    boxes: row.boxes,
    channel: row.channel,
    departedOn: row.departed_on,
    landedOn: row.landed_on,
    remark: row.remark,
    freight: row.freight,
    otherFee: row.other_fee,
    feeSplit: row.fee_split,
    productId: row.product_id,
    product: null as unknown,
    mode: row.mode,
    blind: row.blind,
    skuCount: row.sums.skus,
    qty: row.main_qty ?? row.sums.qty,
    doneQty: row.sums.done,
    amount: row.sums.amount,
    gainAmount: row.sums.gain,
    lossAmount: row.sums.loss,
    createdByName: row.created_by_name,
    createdAt: row.created_at,
    updatedByName: row.updated_by_name,
    updatedAt: row.updated_at,
  };
}
export type ListRow = ReturnType<typeof toRow>;

async function listDef(ctx: Ctx, kind: StockKind, row: z.ZodObject, filter: AnyFilter): Promise<ListDef<Row, ListRow>> {
  const names = await warehouses(ctx);
  return {
    row,
    query: listQuery(await selected(ctx, kind, filter)),
    sort: {
      number: 'd.number',
      type: 'd.type',
      state: 'd.state',
      plannedOn: 'd.planned_on',
      departedOn: 'd.departed_on',
      landedOn: 'd.landed_on',
      createdAt: 'd.created_at',
      updatedAt: 'd.updated_at',
    },
    order: [['d.id', 'desc']],
    key: 'd.id',
    map: (one) => toRow(one, names),
  };
}

async function withProducts(ctx: Ctx, rows: readonly ListRow[]): Promise<ListRow[]> {
  const products = await localProducts(
    ctx,
    rows.flatMap((row) => row.productId ?? []),
  );
  return rows.map((row) => ({ ...row, product: row.productId ? (products.get(row.productId)?.cell ?? null) : null }));
}

/** One page of the documents of a kind that the caller may see. */
export async function listDocuments(
  ctx: Ctx,
  kind: StockKind,
  row: z.ZodObject,
  request: PageRequest<AnyFilter>,
): Promise<PageOf<ListRow>> {
  const found = await page(ctx, request, await listDef(ctx, kind, row, request.filter));
  return { ...found, records: await withProducts(ctx, found.records) };
}

/** All rows of a filter, one after the other. */
export async function streamDocuments(
  ctx: Ctx,
  kind: StockKind,
  row: z.ZodObject,
  request: Pick<PageRequest<AnyFilter>, 'sort' | 'order' | 'filter'>,
): Promise<AsyncIterable<ListRow>> {
  return streamed(ctx, request, await listDef(ctx, kind, row, request.filter));
}

/** How many documents are in each state, whatever state the filter names. */
export async function countStates(ctx: Ctx, kind: StockKind, filter: AnyFilter): Promise<Record<string, number>> {
  return countsBy(await matching(ctx, kind, { ...filter, state: undefined }), 'd.state');
}

/** One document as its list shows it. */
export async function rowOf(ctx: Ctx, kind: StockKind, id: string): Promise<ListRow | undefined> {
  const names = await warehouses(ctx);
  const found = await (await selected(ctx, kind, {})).where('d.id', '=', id).executeTakeFirst();
  if (!found) return undefined;
  const [row] = await withProducts(ctx, [toRow(found, names)]);
  return row;
}
