import { sql } from 'kysely';
import type { PageOf } from '#kit/contract/page.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, notFound, refused } from '#kit/server/errors.ts';
import type { DictItemRow } from '../../contract/dictionaries.ts';
import { PLATFORM } from '../../contract/shared.ts';
import { alike, changed } from '../changes.ts';
import { dictByCode } from './dicts.ts';

const RESOURCE = 'system.dict_item';

interface DbItem {
  company_id: string;
  id: string;
  dict_code: string;
  name: string;
  value: string;
  item_type: string;
  list_class: string;
  css_class: string;
  sort: number;
  status: string;
  remark: string;
  version: number;
  overlays: boolean;
}

function rowOf(ctx: Ctx, row: DbItem): DictItemRow {
  return {
    id: row.id,
    dictCode: row.dict_code,
    name: row.name,
    value: row.value,
    itemType: row.item_type as DictItemRow['itemType'],
    listClass: row.list_class as DictItemRow['listClass'],
    cssClass: row.css_class,
    sort: row.sort,
    status: row.status as DictItemRow['status'],
    origin: row.company_id === PLATFORM ? 'platform' : 'own',
    overlays: row.overlays,
    editable: row.company_id === ctx.companyId,
    remark: row.remark,
    version: row.version,
  };
}

/** Items that count: the company's own, and the platform's of other values. */
function visible(ctx: Ctx) {
  const twin = sql`SELECT FROM system.dict_item t WHERE t.dict_code = i.dict_code AND t.value = i.value AND t.company_id`;
  const isOwn = sql<boolean>`i.company_id = ${ctx.companyId}`;
  return ctx.db
    .selectFrom('system.dict_item as i')
    .selectAll('i')
    .select(sql<boolean>`${isOwn} AND i.company_id <> ${PLATFORM} AND EXISTS (${twin} = ${PLATFORM})`.as('overlays'))
    .where('i.company_id', 'in', [ctx.companyId, PLATFORM])
    .where(sql<boolean>`(${isOwn} OR NOT EXISTS (${twin} = ${ctx.companyId}))`);
}

export interface ItemFilter {
  dictCode: string;
  name?: string | undefined;
  status?: string | undefined;
}

function filtered(ctx: Ctx, filter: ItemFilter) {
  let query = visible(ctx).where('i.dict_code', '=', filter.dictCode);
  if (filter.status) query = query.where('i.status', '=', filter.status);
  if (filter.name) {
    const like = alike(filter.name);
    query = query.where((eb) => eb.or([eb('i.name', 'ilike', like), eb('i.value', 'ilike', like)]));
  }
  return query;
}

/** Items of a dictionary in their order. */
export async function itemList(ctx: Ctx, filter: ItemFilter): Promise<DictItemRow[]> {
  const rows = await filtered(ctx, filter).orderBy('i.sort').orderBy('i.value').limit(5000).execute();
  return rows.map((row) => rowOf(ctx, row));
}

export async function itemPage(
  ctx: Ctx,
  filter: ItemFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<PageOf<DictItemRow>> {
  const query = filtered(ctx, filter);
  const { total } = await ctx.db
    .selectFrom(query.as('i'))
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await query.orderBy('i.sort').orderBy('i.value').limit(limit).offset(offset).execute();
  return { records: rows.map((row) => rowOf(ctx, row)), total };
}

/** Choices of a dictionary in use; none where the dictionary itself is out of use. */
export async function choicesOf(ctx: Ctx, code: string) {
  const dict = await dictByCode(ctx, code);
  if (dict.status !== 'active') return [];
  const rows = await itemList(ctx, { dictCode: code, status: 'active' });
  return rows.map(({ value, name, listClass }) => ({ value, label: name, listClass }));
}

/** @throws AppError 404 */
export async function itemById(ctx: Ctx, id: string): Promise<DictItemRow> {
  const row = await visible(ctx).where('i.id', '=', id).executeTakeFirst();
  if (!row) throw notFound();
  return rowOf(ctx, row);
}

interface ItemInput {
  name: string;
  value: string;
  itemType: string;
  listClass: string;
  cssClass: string;
  sort: number;
  status: string;
  remark: string;
}

function columnsOf({ itemType, listClass, cssClass, ...rest }: ItemInput) {
  return { ...rest, item_type: itemType, list_class: listClass, css_class: cssClass };
}

/** A value must be what its type says. */
function requireType({ itemType, value }: ItemInput): void {
  if (itemType === 'number' && !/^-?\d+(\.\d+)?$/.test(value)) throw refused('数据项值不是数字', 'B0404');
  if (itemType === 'boolean' && !/^(true|false|0|1)$/.test(value)) throw refused('数据项值应为 true 或 false', 'B0404');
}

async function requireFree(ctx: Ctx, dictCode: string, value: string, except?: string): Promise<void> {
  let query = ctx.db
    .selectFrom('system.dict_item')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('dict_code', '=', dictCode)
    .where('value', '=', value);
  if (except) query = query.where('id', '!=', except);
  if (await query.executeTakeFirst()) throw refused(`数据项值「${value}」已存在`, 'B0403');
}

/** @throws AppError 404 for an unknown dictionary, B0403 for a value that is there, B0404 for one of another type */
export async function insertItem(ctx: Ctx, { dictCode, ...input }: ItemInput & { dictCode: string }): Promise<string> {
  await dictByCode(ctx, dictCode);
  requireType(input);
  await requireFree(ctx, dictCode, input.value);
  const row = await ctx.db
    .insertInto('system.dict_item')
    .values({ company_id: ctx.companyId, dict_code: dictCode, ...columnsOf(input) })
    .returning('id')
    .executeTakeFirstOrThrow();
  const after = { dictCode, ...input };
  await audit(ctx, { action: '新增数据项', resource: RESOURCE, resourceId: row.id, after });
  return row.id;
}

async function ownItem(ctx: Ctx, id: string): Promise<DictItemRow> {
  const item = await itemById(ctx, id);
  if (!item.editable) throw refused('平台数据项只读，可以新增同值的数据项覆盖它', 'B0402');
  return item;
}

export async function updateItem(
  ctx: Ctx,
  id: string,
  { version, ...input }: ItemInput & { version?: number | undefined },
): Promise<void> {
  const before = await ownItem(ctx, id);
  requireType(input);
  await requireFree(ctx, before.dictCode, input.value, id);
  const done = await ctx.db
    .updateTable('system.dict_item')
    .set({ ...columnsOf(input), version: sql<number>`version + 1`, updated_at: sql<string>`now()` })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .where('version', '=', version ?? before.version)
    .returning('id')
    .executeTakeFirst();
  if (!done) throw conflict();
  await audit(ctx, { action: '修改数据项', resource: RESOURCE, resourceId: id, ...changed(before, input) });
}

/** An item that stood in the place of the platform's lets that one be seen again. */
export async function deleteItem(ctx: Ctx, id: string): Promise<void> {
  const { dictCode, name, value } = await ownItem(ctx, id);
  await ctx.db.deleteFrom('system.dict_item').where('company_id', '=', ctx.companyId).where('id', '=', id).execute();
  await audit(ctx, { action: '删除数据项', resource: RESOURCE, resourceId: id, before: { dictCode, name, value } });
}
