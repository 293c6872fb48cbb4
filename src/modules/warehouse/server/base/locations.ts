import { sql } from 'kysely';
import type { z } from 'zod';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { listQuery, page } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { type LocationBatch, type LocationFilter, LocationRow, type TreeNode } from '../../contract/base.ts';
import type { StockStatus } from '../../contract/stock.ts';
import { post } from '../ledger/post.ts';
import { withUse } from './location-edit.ts';
import { locationsOf } from './location-names.ts';

interface DbRow {
  id: string;
  code: string;
  path: string;
  warehouse: string;
  warehouse_id: string;
  type: string;
  length_mm: number | null;
  width_mm: number | null;
  height_mm: number | null;
  pick_sequence: number;
  frozen: boolean;
  qty: number | null;
  products: number | null;
}

function rowsOf(ctx: Ctx, filter: LocationFilter) {
  let query = ctx.db
    .selectFrom('warehouse.location as l')
    .innerJoin('warehouse.warehouse as w', (join) =>
      join.onRef('w.company_id', '=', 'l.company_id').onRef('w.id', '=', 'l.warehouse_id'),
    )
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('warehouse.stock_balance as b')
          .select([
            sql<number>`coalesce(sum(b.qty), 0)`.as('qty'),
            sql<number>`count(DISTINCT b.product_id) FILTER (WHERE b.qty > 0)`.as('products'),
          ])
          .where('b.company_id', '=', ctx.companyId)
          .whereRef('b.warehouse_id', '=', 'l.warehouse_id')
          .whereRef('b.location_id', '=', 'l.id')
          .where('b.status', 'not in', ['EXPECTED', 'IN_TRANSIT'])
          .as('s'),
      (join) => join.onTrue(),
    )
    .select(['l.id', 'l.code', 'l.path', 'l.warehouse_id', 'l.type', 'l.length_mm', 'l.width_mm', 'l.height_mm'])
    .select(['l.pick_sequence', 'l.frozen', 'w.name as warehouse', 's.qty', 's.products'])
    .where('l.company_id', '=', ctx.companyId)
    .where('w.kind', '<>', 'VIRTUAL');
  if (filter.type) query = query.where('l.type', '=', filter.type);
  else query = query.where('l.type', '<>', 'AREA');
  if (filter.warehouses?.length) query = query.where('l.warehouse_id', 'in', filter.warehouses);
  if (filter.frozen !== undefined) query = query.where('l.frozen', '=', filter.frozen);
  if (filter.keyword) query = query.where('l.code', 'ilike', containing(filter.keyword));
  return query;
}

function rowOf(row: DbRow): LocationRow {
  const { length_mm: l, width_mm: w, height_mm: h } = row;
  const sized = l !== null && w !== null && h !== null;
  return {
    id: row.id,
    code: row.code,
    path: row.path,
    warehouse: row.warehouse,
    warehouseId: row.warehouse_id,
    type: row.type as LocationRow['type'],
    size: sized ? `${l / 10}×${w / 10}×${h / 10}` : null,
    volume: sized ? ((l * w * h) / 1e9).toFixed(3) : null,
    used: null,
    products: row.products ?? 0,
    qty: row.qty ?? 0,
    pickSequence: row.pick_sequence,
    frozen: row.frozen,
  };
}

/** One page of locations with what lies in them, in the order in which a picker walks. */
export async function locationPage(ctx: Ctx, request: PageRequest<LocationFilter>): Promise<PageOf<LocationRow>> {
  const found = await page<DbRow, LocationRow>(ctx, request, {
    row: LocationRow,
    query: listQuery<DbRow>(rowsOf(ctx, request.filter)),
    sort: { code: 'l.code', pickSequence: 'l.pick_sequence', qty: 's.qty', products: 's.products' },
    order: [
      ['w.name', 'asc'],
      ['l.pick_sequence', 'asc'],
      ['l.path', 'asc'],
    ],
    key: 'l.id',
    map: rowOf,
  });
  return { ...found, records: await withUse(ctx, found.records) };
}

/** Every node of a warehouse, parents first, with the pieces that lie in it and below. */
export async function tree(ctx: Ctx, warehouseId: string): Promise<TreeNode[]> {
  const { rows } = await sql<TreeNode>`
    SELECT l.id, l.parent_id AS "parentId", l.code, l.type, l.frozen,
           coalesce((SELECT sum(b.qty) FROM warehouse.stock_balance AS b
              JOIN warehouse.location AS below ON below.company_id = b.company_id AND below.id = b.location_id
             WHERE b.company_id = l.company_id AND b.warehouse_id = l.warehouse_id
               AND b.status NOT IN ('EXPECTED', 'IN_TRANSIT')
               AND (below.path = l.path OR starts_with(below.path, l.path || '/'))), 0) AS qty
      FROM warehouse.location AS l
     WHERE l.company_id = ${ctx.companyId} AND l.warehouse_id = ${warehouseId}
     ORDER BY l.path LIMIT 10000`.execute(ctx.db);
  return rows;
}

/** Makes every combination of the ranges; what exists stays as it is. Answers how many were made and how many known. */
export async function add(ctx: Ctx, input: z.output<typeof LocationBatch>): Promise<{ made: number; known: number }> {
  const house = await ctx.db
    .selectFrom('warehouse.warehouse')
    .select('name')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', input.warehouseId)
    .where('kind', '<>', 'VIRTUAL')
    .executeTakeFirst();
  if (!house) throw notFound('仓库不存在或已删除');
  const nodes = locationsOf([input.area, input.rack, input.shelf, input.bin]);
  const { rows } = await sql<{ leaf: boolean }>`
    INSERT INTO warehouse.location (company_id, warehouse_id, code, path, type, length_mm, width_mm, height_mm)
    SELECT ${ctx.companyId}, ${input.warehouseId}::uuid, n.code, n.path, CASE WHEN n.leaf THEN ${input.type}::text ELSE 'AREA' END,
           CASE WHEN n.leaf THEN ${input.lengthCm ?? null}::int * 10 END, CASE WHEN n.leaf THEN ${input.widthCm ?? null}::int * 10 END,
           CASE WHEN n.leaf THEN ${input.heightCm ?? null}::int * 10 END
      FROM jsonb_to_recordset(${JSON.stringify(nodes)}::jsonb) AS n(code text, path text, leaf boolean)
     ORDER BY n.path
    ON CONFLICT (company_id, warehouse_id, code) DO NOTHING
    RETURNING type <> 'AREA' AS leaf`.execute(ctx.db);
  await sql`
    UPDATE warehouse.location AS l SET parent_id = p.id, pick_sequence = n.place
      FROM (SELECT x.*, row_number() OVER (ORDER BY x.path) AS place
              FROM jsonb_to_recordset(${JSON.stringify(nodes)}::jsonb) AS x(code text, parent text, path text)) AS n
      LEFT JOIN warehouse.location AS p
        ON p.company_id = ${ctx.companyId} AND p.warehouse_id = ${input.warehouseId} AND p.code = n.parent
     WHERE l.company_id = ${ctx.companyId} AND l.warehouse_id = ${input.warehouseId} AND l.code = n.code
       AND l.parent_id IS NULL AND l.type <> 'STAGING'`.execute(ctx.db);
  const made = rows.filter((row) => row.leaf).length;
  const known = nodes.filter((node) => node.leaf).length - made;
  await audit(ctx, {
    action: '批量生成库位',
    resource: 'warehouse.location',
    resourceId: input.warehouseId,
    after: { warehouse: house.name, area: input.area, rack: input.rack, shelf: input.shelf, bin: input.bin, made },
  });
  return { made, known };
}

/**
 * Freezes locations, or thaws them: nothing is posted to or from a frozen one, and nothing is drawn from it.
 * @throws notFound where one of them does not exist
 */
export async function freezeAll(ctx: Ctx, ids: readonly string[], frozen: boolean): Promise<{ changed: number }> {
  const known = await ctx.db
    .selectFrom('warehouse.location')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('id', 'in', ids)
    .execute();
  if (known.length < new Set(ids).size) throw notFound('部分库位不存在或已删除，请刷新后重试');
  const rows = await ctx.db
    .updateTable('warehouse.location')
    .set({ frozen })
    .where('company_id', '=', ctx.companyId)
    .where('id', 'in', ids)
    .where('frozen', '<>', frozen)
    .returning('code')
    .execute();
  if (rows.length > 0) {
    const after = { codes: rows.map((row) => row.code), frozen };
    await audit(ctx, { action: frozen ? '冻结库位' : '解冻库位', resource: 'warehouse.location', after });
  }
  return { changed: rows.length };
}

interface Lying {
  product_id: string;
  lot_id: string;
  status: string;
  qty: number;
}

async function leaf(ctx: Ctx, id: string) {
  const row = await ctx.db
    .selectFrom('warehouse.location')
    .select(['id', 'code', 'warehouse_id', 'type'])
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw notFound('库位不存在或已删除');
  if (row.type === 'AREA') throw refused(`【${row.code}】是区域，不能存放库存`, 'B0832');
  return row;
}

/**
 * Moves everything that lies in one location into another of the same warehouse and removes the first. What is reserved
 * there must be shipped or released before. @throws refused B0833 for another warehouse, B0834 while something is reserved
 */
export async function merge(ctx: Ctx, from: string, into: string): Promise<{ moved: number }> {
  if (from === into) throw refused('不能合并到自身', 'B0833');
  const [first, second] = from < into ? [from, into] : [into, from];
  const locked = [await leaf(ctx, first), await leaf(ctx, second)];
  const source = locked.find((one) => one.id === from);
  const target = locked.find((one) => one.id === into);
  if (!source || !target || source.warehouse_id !== target.warehouse_id)
    throw refused('只能合并到同一仓库的库位', 'B0833');
  if (source.type === 'STAGING') throw refused('暂存位不能被合并', 'B0833');
  const { rows } = await sql<Lying>`
    SELECT product_id, lot_id, status, qty FROM warehouse.stock_balance
     WHERE company_id = ${ctx.companyId} AND warehouse_id = ${source.warehouse_id} AND location_id = ${from} AND qty > 0`.execute(
    ctx.db,
  );
  if (rows.some((row) => row.status === 'RESERVED'))
    throw refused(`库位【${source.code}】有待出库的库存，请先出库或释放`, 'B0834');
  const warehouse = source.warehouse_id;
  if (rows.length > 0) {
    await post(ctx, {
      source: { type: 'warehouse.location', id: from, event: 'merge', number: source.code },
      moves: rows.map((row) => {
        const place = { warehouse, lot: row.lot_id, status: row.status as StockStatus };
        return {
          product: row.product_id,
          qty: row.qty,
          from: { ...place, location: from },
          to: { ...place, location: into },
        };
      }),
    });
  }
  await retire(ctx, [from]);
  const moved = rows.reduce((sum, row) => sum + row.qty, 0);
  await audit(ctx, {
    action: '合并库位',
    resource: 'warehouse.location',
    resourceId: from,
    after: { from: source.code, into: target.code, moved },
  });
  return { moved };
}

/** Locations that the ledger knows stay for its sake, frozen and out of the tree's way; others go. */
async function retire(ctx: Ctx, ids: readonly string[]): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM warehouse.location AS l WHERE company_id = ${ctx.companyId} AND id = ANY(${ids}::uuid[])
       AND NOT EXISTS (SELECT FROM warehouse.stock_balance AS b WHERE b.company_id = l.company_id
         AND b.warehouse_id = l.warehouse_id AND b.location_id = l.id)`.execute(ctx.db);
  const free = new Set(rows.map((row) => row.id));
  const kept = ids.filter((id) => !free.has(id));
  if (free.size > 0) {
    await ctx.db
      .deleteFrom('warehouse.location')
      .where('company_id', '=', ctx.companyId)
      .where('id', 'in', [...free])
      .execute();
  }
  if (kept.length > 0) {
    await ctx.db
      .updateTable('warehouse.location')
      .set({ frozen: true, type: 'AREA', code: sql<string>`left(code, 45) || ' #' || left(id::text, 8)` })
      .where('company_id', '=', ctx.companyId)
      .where('id', 'in', kept)
      .execute();
  }
  return ids.length;
}

/** Deletes empty locations. @throws refused B0835 where something lies there or below, or for STAGING */
export async function removeAll(ctx: Ctx, ids: readonly string[]): Promise<{ deleted: number }> {
  const rows = await ctx.db
    .selectFrom('warehouse.location as l')
    .select(['l.id', 'l.code', 'l.type'])
    .select((eb) => [
      eb
        .exists(
          eb
            .selectFrom('warehouse.stock_balance as b')
            .select('b.qty')
            .where('b.company_id', '=', ctx.companyId)
            .whereRef('b.location_id', '=', 'l.id')
            .where('b.qty', '<>', 0),
        )
        .as('full'),
      eb
        .exists(
          eb
            .selectFrom('warehouse.location as c')
            .select('c.id')
            .where('c.company_id', '=', ctx.companyId)
            .whereRef('c.parent_id', '=', 'l.id')
            .where('c.id', 'not in', ids),
        )
        .as('parent'),
    ])
    .where('l.company_id', '=', ctx.companyId)
    .where('l.id', 'in', ids)
    .forUpdate('l')
    .execute();
  if (rows.length < new Set(ids).size) throw notFound('库位不存在或已删除');
  for (const row of rows) {
    if (row.type === 'STAGING') throw refused('暂存位不能删除', 'B0835');
    if (row.full) throw refused(`库位【${row.code}】仍有库存，不能删除`, 'B0835');
    if (row.parent) throw refused(`库位【${row.code}】下还有库位，不能删除`, 'B0835');
  }
  const deleted = await retire(ctx, ids);
  await audit(ctx, {
    action: '删除库位',
    resource: 'warehouse.location',
    after: { codes: rows.map((row) => row.code) },
  });
  return { deleted };
}
