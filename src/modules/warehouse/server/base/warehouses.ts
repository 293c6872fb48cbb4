import { sql } from 'kysely';
import type { z } from 'zod';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, notFound, refused } from '#kit/server/errors.ts';
import { listQuery, page } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { type saveWarehouse, type WarehouseFilter, WarehouseRow } from '../../contract/base.ts';
import type { Quality, WarehouseKind } from '../../contract/stock.ts';

interface DbRow {
  id: string;
  name: string;
  code: string;
  group_name: string | null;
  group_id: string | null;
  kind: string;
  quality: string;
  is_default: boolean;
  disabled: boolean;
  country: string;
  address: string | null;
  address_id: string | null;
  remark: string;
  updated_by_name: string;
  updated_at: string;
  version: number;
  on_hand: number | null;
  in_transit: number | null;
  products: number | null;
}

function filtered(ctx: Ctx, filter: WarehouseFilter) {
  let query = ctx.db
    .selectFrom('warehouse.warehouse as w')
    .leftJoin('warehouse.warehouse_group as g', (join) =>
      join.onRef('g.company_id', '=', 'w.company_id').onRef('g.id', '=', 'w.group_id'),
    )
    .leftJoin('warehouse.address as a', (join) =>
      join.onRef('a.company_id', '=', 'w.company_id').onRef('a.id', '=', 'w.address_id'),
    )
    .where('w.company_id', '=', ctx.companyId)
    .where('w.kind', '<>', 'VIRTUAL');
  if (filter.kind) query = query.where('w.kind', '=', filter.kind);
  if (filter.quality) query = query.where('w.quality', '=', filter.quality);
  if (filter.state) query = query.where('w.disabled', '=', filter.state === 'DISABLED');
  if (filter.keyword) {
    const like = containing(filter.keyword);
    query = query.where((eb) => eb.or([eb('w.name', 'ilike', like), eb('w.code', 'ilike', like)]));
  }
  return query
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('warehouse.stock_balance as b')
          .select([
            sql<number>`coalesce(sum(b.qty) FILTER (WHERE b.status NOT IN ('IN_TRANSIT', 'EXPECTED')), 0)`.as(
              'on_hand',
            ),
            sql<number>`coalesce(sum(b.qty) FILTER (WHERE b.status = 'IN_TRANSIT'), 0)`.as('in_transit'),
            sql<number>`count(DISTINCT b.product_id) FILTER (WHERE b.qty > 0)`.as('products'),
          ])
          .where('b.company_id', '=', ctx.companyId)
          .whereRef('b.warehouse_id', '=', 'w.id')
          .as('s'),
      (join) => join.onTrue(),
    )
    .select(['w.id', 'w.name', 'w.code', 'w.kind', 'w.quality', 'w.is_default', 'w.disabled', 'w.country', 'w.remark'])
    .select(['w.updated_by_name', 'w.updated_at', 'w.version', 'w.group_id', 'w.address_id'])
    .select(['g.name as group_name', 'a.name as address', 's.on_hand', 's.in_transit', 's.products']);
}

function rowOf(row: DbRow): WarehouseRow {
  return {
    id: row.id,
    name: row.name,
    code: row.code,
    group: row.group_name,
    groupId: row.group_id,
    kind: row.kind as WarehouseKind,
    quality: row.quality as Quality,
    isDefault: row.is_default,
    state: row.disabled ? 'DISABLED' : 'USED',
    onHand: row.on_hand ?? 0,
    inTransit: row.in_transit ?? 0,
    products: row.products ?? 0,
    country: row.country,
    address: row.address,
    addressId: row.address_id,
    remark: row.remark,
    updatedBy: row.updated_by_name,
    updatedAt: row.updated_at,
    version: row.version,
  };
}

/** One page of warehouses with what lies in them, by group. */
export function warehousePage(ctx: Ctx, request: PageRequest<WarehouseFilter>): Promise<PageOf<WarehouseRow>> {
  return page<DbRow, WarehouseRow>(ctx, request, {
    row: WarehouseRow,
    query: listQuery<DbRow>(filtered(ctx, request.filter)),
    sort: {
      name: 'w.name',
      code: 'w.code',
      kind: 'w.kind',
      group: 'g.name',
      updatedAt: 'w.updated_at',
      onHand: 's.on_hand',
    },
    order: [
      ['w.sort', 'asc'],
      ['g.name', 'asc'],
      ['w.code', 'asc'],
    ],
    key: 'w.id',
    map: rowOf,
  });
}

/** Warehouses in use, for filters and forms. */
export async function choices(ctx: Ctx) {
  const rows = await ctx.db
    .selectFrom('warehouse.warehouse')
    .select(['id', 'name', 'quality', 'kind'])
    .where('company_id', '=', ctx.companyId)
    .where('kind', '<>', 'VIRTUAL')
    .where('disabled', '=', false)
    .orderBy('sort')
    .orderBy('name')
    .execute();
  return rows.map((row) => ({ ...row, quality: row.quality as Quality, kind: row.kind as WarehouseKind }));
}

async function groupOf(ctx: Ctx, name: string | undefined, country: string): Promise<string | null> {
  if (!name) return null;
  const { rows } = await sql<{ id: string }>`
    INSERT INTO warehouse.warehouse_group AS g (company_id, name, country) VALUES (${ctx.companyId}, ${name}, ${country})
    ON CONFLICT (company_id, name) DO UPDATE SET name = excluded.name RETURNING id`.execute(ctx.db);
  return rows[0]?.id ?? null;
}

async function refuseTaken(ctx: Ctx, code: string, id: string | undefined): Promise<void> {
  const other = await ctx.db
    .selectFrom('warehouse.warehouse')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('code', '=', code)
    .executeTakeFirst();
  if (other && other.id !== id) throw refused(`仓位编码【${code}】已存在`, 'B0820');
}

type Form = z.output<typeof saveWarehouse.body>;

/** What stock forbids to change: its statuses hang on the quality, its documents on the kind. */
async function refuseWithStock(ctx: Ctx, id: string): Promise<void> {
  const { rows } = await sql`
    SELECT FROM warehouse.stock_balance WHERE company_id = ${ctx.companyId} AND warehouse_id = ${id} AND qty <> 0 LIMIT 1`.execute(
    ctx.db,
  );
  if (rows.length > 0) throw refused('仓库仍有库存，不能修改类型或停用', 'B0821');
}

async function update(ctx: Ctx, id: string, form: Form, fields: object): Promise<void> {
  const before = await ctx.db
    .selectFrom('warehouse.warehouse')
    .select(['name', 'code', 'kind', 'quality', 'version'])
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .where('kind', '<>', 'VIRTUAL')
    .forUpdate()
    .executeTakeFirst();
  if (!before) throw notFound('仓库不存在或已删除');
  if (form.version !== undefined && form.version !== before.version) throw conflict();
  if (before.kind !== form.kind || before.quality !== form.quality) await refuseWithStock(ctx, id);
  await ctx.db
    .updateTable('warehouse.warehouse')
    .set({ ...fields, version: before.version + 1 })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .execute();
  await audit(ctx, { action: '修改仓库', resource: 'warehouse.warehouse', resourceId: id, before, after: fields });
}

/** Makes a warehouse with its STAGING location. */
export async function insertWarehouse(ctx: Ctx, form: Form): Promise<string> {
  const group = await groupOf(ctx, form.group, form.country);
  const { id } = await ctx.db
    .insertInto('warehouse.warehouse')
    .values({
      company_id: ctx.companyId,
      name: form.name,
      code: form.code,
      kind: form.kind,
      quality: form.quality,
      group_id: group,
      country: form.country,
      address_id: form.addressId ?? null,
      remark: form.remark ?? '',
      updated_by_name: ctx.userName,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await ctx.db
    .insertInto('warehouse.location')
    .values({ company_id: ctx.companyId, id, warehouse_id: id, code: '暂存', path: '暂存', type: 'STAGING' })
    .execute();
  return id;
}

/** Adds or changes a warehouse. @throws refused for a code that is taken, conflict for a stale version */
export async function save(ctx: Ctx, form: Form): Promise<{ id: string }> {
  await refuseTaken(ctx, form.code, form.id);
  if (!form.id) {
    const id = await insertWarehouse(ctx, form);
    await audit(ctx, { action: '新增仓库', resource: 'warehouse.warehouse', resourceId: id, after: form });
    return { id };
  }
  await update(ctx, form.id, form, {
    name: form.name,
    code: form.code,
    kind: form.kind,
    quality: form.quality,
    group_id: await groupOf(ctx, form.group, form.country),
    country: form.country,
    address_id: form.addressId ?? null,
    remark: form.remark ?? '',
    updated_by_name: ctx.userName,
    updated_at: sql`kit.now()`,
  });
  return { id: form.id };
}

/** Takes a warehouse out of use, or back into it. @throws refused while stock lies there */
export async function disable(ctx: Ctx, id: string, disabled: boolean): Promise<{ id: string }> {
  if (disabled) await refuseWithStock(ctx, id);
  const row = await ctx.db
    .updateTable('warehouse.warehouse')
    .set({
      disabled,
      version: sql<number>`version + 1`,
      updated_by_name: ctx.userName,
      updated_at: sql<string>`kit.now()`,
    })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .where('kind', '<>', 'VIRTUAL')
    .returning('name')
    .executeTakeFirst();
  if (!row) throw notFound('仓库不存在或已删除');
  const action = disabled ? '停用仓库' : '恢复仓库';
  await audit(ctx, { action, resource: 'warehouse.warehouse', resourceId: id, after: { name: row.name, disabled } });
  return { id };
}

/**
 * Deletes a warehouse that was made by mistake: one that the ledger and the documents do not know.
 * @throws refused B0837 where stock lies there, or did
 */
export async function remove(ctx: Ctx, id: string): Promise<{ id: string }> {
  const row = await ctx.db
    .selectFrom('warehouse.warehouse')
    .select('name')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .where('kind', '<>', 'VIRTUAL')
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw notFound('仓库不存在或已删除');
  const { rows } = await sql<{ full: boolean; known: boolean }>`
    SELECT coalesce(bool_or(b.qty <> 0), false) AS full,
           count(*) > 0 OR EXISTS (SELECT FROM warehouse.document AS d
             WHERE d.company_id = ${ctx.companyId} AND ${id}::uuid IN (d.warehouse_id, d.to_warehouse_id)) AS known
      FROM warehouse.stock_balance AS b WHERE b.company_id = ${ctx.companyId} AND b.warehouse_id = ${id}`.execute(
    ctx.db,
  );
  if (rows[0]?.full) throw refused(`仓库【${row.name}】仍有库存，不能删除`, 'B0837');
  if (rows[0]?.known) throw refused(`仓库【${row.name}】有过出入库或单据，只能停用`, 'B0837');
  // A location may hang on another one of the same statement.
  await sql`UPDATE warehouse.location SET parent_id = NULL WHERE company_id = ${ctx.companyId} AND warehouse_id = ${id}`.execute(
    ctx.db,
  );
  await ctx.db
    .deleteFrom('warehouse.location')
    .where('company_id', '=', ctx.companyId)
    .where('warehouse_id', '=', id)
    .execute();
  await ctx.db.deleteFrom('warehouse.warehouse').where('company_id', '=', ctx.companyId).where('id', '=', id).execute();
  await audit(ctx, { action: '删除仓库', resource: 'warehouse.warehouse', resourceId: id, before: { name: row.name } });
  return { id };
}

/** Makes a warehouse the default of its group and quality; the one that was is so no longer. */
export async function setDefault(ctx: Ctx, id: string): Promise<{ id: string }> {
  const row = await ctx.db
    .selectFrom('warehouse.warehouse')
    .select(['name', 'group_id', 'quality'])
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .where('kind', '<>', 'VIRTUAL')
    .executeTakeFirst();
  if (!row) throw notFound('仓库不存在或已删除');
  if (!row.group_id) throw refused('请先为仓位选择所属仓库', 'B0822');
  await sql`
    UPDATE warehouse.warehouse SET is_default = false
     WHERE company_id = ${ctx.companyId} AND group_id = ${row.group_id} AND quality = ${row.quality} AND is_default
       AND id <> ${id}`.execute(ctx.db);
  await sql`
    UPDATE warehouse.warehouse SET is_default = true, version = version + 1
     WHERE company_id = ${ctx.companyId} AND id = ${id}`.execute(ctx.db);
  await audit(ctx, {
    action: '设为默认仓库',
    resource: 'warehouse.warehouse',
    resourceId: id,
    after: { name: row.name },
  });
  return { id };
}
