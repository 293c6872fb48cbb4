import { sql } from 'kysely';
import type { PageOf } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { containing } from '#kit/server/list/words.ts';
import type { DictItemRow } from '../../contract/dictionaries.ts';
import { PLATFORM } from '../../contract/shared.ts';
import { dictByCode } from './dicts.ts';
import { deleteRow, insertRow, type Kind, pageOf, requireOwn, updateRow, type Window } from './rows.ts';

const ITEM: Kind = {
  table: 'system.dict_item',
  title: '数据项',
  readOnly: '平台数据项只读，可以新增同值的数据项覆盖它',
};

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
    const like = containing(filter.name);
    query = query.where((eb) => eb.or([eb('i.name', 'ilike', like), eb('i.value', 'ilike', like)]));
  }
  return query;
}

/** Items of a dictionary in their order. */
export async function itemList(ctx: Ctx, filter: ItemFilter): Promise<DictItemRow[]> {
  const rows = await filtered(ctx, filter).orderBy('i.sort').orderBy('i.value').limit(5000).execute();
  return rows.map((row) => rowOf(ctx, row));
}

export function itemPage(ctx: Ctx, filter: ItemFilter, window: Window): Promise<PageOf<DictItemRow>> {
  const query = filtered(ctx, filter) as never;
  return pageOf<DbItem, DictItemRow>(ctx, query, [sql`i.sort`, sql`i.value`], window, (row) => rowOf(ctx, row));
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

type ItemInput = Pick<
  DictItemRow,
  'name' | 'value' | 'itemType' | 'listClass' | 'cssClass' | 'sort' | 'status' | 'remark'
>;

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
  return insertRow(ctx, ITEM, { dict_code: dictCode, ...columnsOf(input) }, { dictCode, ...input });
}

/** @throws AppError 404, B0402 for one of the platform, B0403, B0404, 409 */
export async function updateItem(
  ctx: Ctx,
  id: string,
  { version, ...input }: ItemInput & { version?: number | undefined },
): Promise<void> {
  const before = requireOwn(ITEM, await itemById(ctx, id));
  requireType(input);
  await requireFree(ctx, before.dictCode, input.value, id);
  await updateRow(ctx, ITEM, before, version, columnsOf(input), input);
}

/**
 * An item that stood in the place of the platform's lets that one be seen again.
 * @throws AppError 404, B0402 for one of the platform
 */
export async function deleteItem(ctx: Ctx, id: string): Promise<void> {
  const { dictCode, name, value } = requireOwn(ITEM, await itemById(ctx, id));
  await deleteRow(ctx, ITEM, id, { dictCode, name, value });
}
