import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, notFound, refused } from '#kit/server/errors.ts';
import type { AddressForm } from '../../contract/addresses.ts';
import { marketplaceOf } from '../../contract/marketplaces.ts';

/** Columns of what a form brings; texts that were left out are empty. */
export function columnsOf(form: AddressForm) {
  return {
    store_id: form.storeId,
    marketplace_id: form.marketplaceId ?? '',
    name: form.name,
    company_name: form.company ?? '',
    address_line1: form.line1,
    address_line2: form.line2 ?? '',
    district: form.district ?? '',
    city: form.city,
    state: form.state ?? '',
    country_code: form.country,
    postal_code: form.postalCode,
    phone: form.phone,
    email: form.email ?? '',
  };
}

async function refuseUnknown(ctx: Ctx, form: AddressForm): Promise<void> {
  if (form.marketplaceId && !marketplaceOf(form.marketplaceId)) throw refused('站点不存在，请重新选择', 'B0323');
  const store = await ctx.db
    .selectFrom('marketplace.store')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', form.storeId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!store) throw notFound('店铺不存在或已删除');
}

type Named = Pick<AddressForm, 'storeId' | 'marketplaceId' | 'name'>;

async function refuseTaken(ctx: Ctx, form: Named, id?: string): Promise<void> {
  let query = ctx.db
    .selectFrom('marketplace.ship_from_address')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('store_id', '=', form.storeId)
    .where('marketplace_id', '=', form.marketplaceId ?? '')
    .where(sql<string>`lower(name)`, '=', sql<string>`lower(${form.name})`)
    .where('disabled', '=', false);
  if (id) query = query.where('id', '!=', id);
  if (await query.executeTakeFirst()) throw refused(`同一店铺和站点下已有地址「${form.name}」`, 'B0360');
}

/** Takes the mark from whichever address of the store and site has it. */
export async function clearDefault(ctx: Ctx, storeId: string, marketplaceId: string): Promise<void> {
  await ctx.db
    .updateTable('marketplace.ship_from_address')
    .set({ is_default: false })
    .where('company_id', '=', ctx.companyId)
    .where('store_id', '=', storeId)
    .where('marketplace_id', '=', marketplaceId)
    .where('is_default', '=', true)
    .execute();
}

/** Adds an address; one that is to be the default takes the mark from the one before. */
export async function insertAddress(ctx: Ctx, form: AddressForm): Promise<string> {
  await refuseUnknown(ctx, form);
  await refuseTaken(ctx, form);
  const columns = columnsOf(form);
  if (form.isDefault) await clearDefault(ctx, form.storeId, columns.marketplace_id);
  const row = await ctx.db
    .insertInto('marketplace.ship_from_address')
    .values({
      ...columns,
      company_id: ctx.companyId,
      is_default: form.isDefault ?? false,
      updated_by_name: ctx.userName,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await audit(ctx, { action: '新增发货地址', resource: 'marketplace.address', resourceId: row.id, after: form });
  return row.id;
}

async function find(ctx: Ctx, id: string) {
  const row = await ctx.db
    .selectFrom('marketplace.ship_from_address')
    .selectAll()
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw notFound('发货地址不存在');
  return row;
}

/** Changes an address that nobody else has changed meanwhile. */
export async function updateAddress(ctx: Ctx, id: string, version: number, form: AddressForm): Promise<void> {
  const before = await find(ctx, id);
  if (before.version !== version) throw conflict();
  if (before.disabled) throw refused('地址已删除，请先恢复', 'B0361');
  await refuseUnknown(ctx, form);
  await refuseTaken(ctx, form, id);
  const columns = columnsOf(form);
  if (form.isDefault) await clearDefault(ctx, form.storeId, columns.marketplace_id);
  await ctx.db
    .updateTable('marketplace.ship_from_address')
    .set({
      ...columns,
      is_default: form.isDefault ?? false,
      updated_by_name: ctx.userName,
      updated_at: sql`kit.now()`,
      version: sql`version + 1`,
    })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .execute();
  const { company_id: _, ...old } = before;
  await audit(ctx, {
    action: '修改发货地址',
    resource: 'marketplace.address',
    resourceId: id,
    before: old,
    after: form,
  });
}

/** Deletes or restores; what is deleted is no default, and keeps its place in documents. */
export async function setDisabled(ctx: Ctx, id: string, disabled: boolean): Promise<void> {
  const row = await find(ctx, id);
  if (row.disabled === disabled) throw conflict(disabled ? '地址已删除' : '地址未被删除');
  if (!disabled) {
    const form = { storeId: row.store_id, marketplaceId: row.marketplace_id, name: row.name };
    await refuseTaken(ctx, form, id);
  }
  await ctx.db
    .updateTable('marketplace.ship_from_address')
    .set({
      disabled,
      is_default: false,
      updated_by_name: ctx.userName,
      updated_at: sql`kit.now()`,
      version: sql`version + 1`,
    })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .execute();
  await audit(ctx, {
    action: disabled ? '删除发货地址' : '恢复发货地址',
    resource: 'marketplace.address',
    resourceId: id,
    before: { disabled: row.disabled },
    after: { disabled },
  });
}

/** Makes an address the default of its store and site. */
export async function makeDefault(ctx: Ctx, id: string): Promise<void> {
  const row = await find(ctx, id);
  if (row.disabled) throw refused('地址已删除，请先恢复', 'B0361');
  await clearDefault(ctx, row.store_id, row.marketplace_id);
  await ctx.db
    .updateTable('marketplace.ship_from_address')
    .set({ is_default: true, updated_by_name: ctx.userName, updated_at: sql`kit.now()`, version: sql`version + 1` })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .execute();
  await audit(ctx, {
    action: '设为默认发货地址',
    resource: 'marketplace.address',
    resourceId: id,
    after: { isDefault: true },
  });
}
