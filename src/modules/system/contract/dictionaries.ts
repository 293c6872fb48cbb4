import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Id, Instant, Text } from '#kit/contract/field.ts';
import { Page } from '#kit/contract/page.ts';
import { base, PageParams, Sort, Status } from './shared.ts';

const DictCode = z
  .string()
  .trim()
  .regex(/^[A-Za-z][A-Za-z0-9_]{1,49}$/, '字典编码须以字母开头，由字母、数字和下划线组成，2-50个字符')
  .meta({ title: '字典编码', kind: 'code', width: 170 });

const Remark = z.string().trim().max(200, '备注不能超过200个字符').default('').meta({ title: '备注' });
const DictName = Text(50, '字典名称');
const Version = z.int().optional().meta({ title: '版本', hidden: true });

/** Where a row comes from: the platform's rows are read-only to companies. */
const Origin = Choice({ platform: '平台', own: '本公司' }, '来源');

export const DictRow = z.object({
  id: Id,
  name: z.string().meta({ title: '字典名称', width: 140 }),
  code: DictCode,
  status: Status,
  sort: Sort,
  remark: z.string().meta({ title: '备注', width: 180 }),
  origin: Origin,
  /** Whether the caller's company may change it. */
  editable: z.boolean(),
  version: z.int(),
  updatedAt: Instant.meta({ title: '更新时间' }),
});
export type DictRow = z.infer<typeof DictRow>;

export const ItemType = Choice({ text: '文本', number: '数字', boolean: '布尔' }, '类型');
export const ListClass = Choice(
  { '': '无', info: '灰', blue: '蓝', success: '绿', warning: '黄', danger: '红' },
  '样式类',
);

export const DictItemRow = z.object({
  id: Id,
  dictCode: DictCode.meta({ hidden: true }),
  name: z.string().meta({ title: '数据项名称', width: 180 }),
  value: z.string().meta({ title: '数据项值', kind: 'code', width: 160 }),
  itemType: ItemType.meta({ width: 80 }),
  listClass: ListClass.meta({ width: 80 }),
  cssClass: z.string().meta({ title: '附加样式', width: 90, optional: true }),
  sort: Sort.meta({ kind: 'integer', width: 70 }),
  status: Status.meta({ width: 80 }),
  origin: Origin.meta({ width: 80 }),
  /** The company's row stands in the place of one of the platform. */
  overlays: z.boolean(),
  editable: z.boolean(),
  remark: z.string().meta({ title: '备注', width: 180 }),
  version: z.int(),
});
export type DictItemRow = z.infer<typeof DictItemRow>;

const dicts = `${base}/dicts`;
const items = `${base}/dict-items`;
const ById = z.object({ id: Id });

export const pageDicts = endpoint({
  title: '数据字典列表',
  method: 'GET',
  path: `${dicts}/page`,
  permission: 'sys:dict:view',
  query: z.object({
    ...PageParams,
    name: z.string().trim().max(50).optional().meta({ title: '名称或编码' }),
    status: Status.optional(),
  }),
  reply: Page(DictRow),
});

export const getDict = endpoint({
  title: '数据字典详情',
  method: 'GET',
  path: `${dicts}/:id`,
  permission: 'sys:dict:view',
  params: ById,
  reply: DictRow,
});

const NewDict = z.object({
  name: DictName,
  code: DictCode,
  status: Status.default('active'),
  sort: Sort.default(0),
  remark: Remark,
});

export const addDict = endpoint({
  title: '新增数据字典',
  method: 'POST',
  path: dicts,
  permission: 'sys:dict:add',
  body: NewDict,
  reply: Id,
});

export const saveDict = endpoint({
  title: '修改数据字典',
  method: 'PUT',
  path: `${dicts}/:id`,
  permission: 'sys:dict:edit',
  params: ById,
  body: NewDict.omit({ code: true }).extend({ version: Version }),
  reply: z.literal('success'),
});

export const removeDict = endpoint({
  title: '删除数据字典',
  method: 'DELETE',
  path: `${dicts}/:id`,
  permission: 'sys:dict:delete',
  params: ById,
  reply: z.literal('success'),
});

/** Every item that counts for the caller's company, by dictionary and part of the name. */
export const listItems = endpoint({
  title: '数据项',
  method: 'GET',
  path: items,
  permission: 'login',
  concurrent: true,
  query: z.object({
    dictCode: DictCode,
    name: z.string().trim().max(50).optional().meta({ title: '数据项名称' }),
  }),
  reply: z.array(DictItemRow),
});

export const pageItems = endpoint({
  title: '数据项列表',
  method: 'GET',
  path: `${items}/page`,
  permission: 'sys:dict:view',
  concurrent: true,
  query: z.object({
    ...PageParams,
    dictCode: DictCode,
    name: z.string().trim().max(50).optional().meta({ title: '名称或值' }),
    status: Status.optional(),
  }),
  reply: Page(DictItemRow),
});

/** Choices of a drop-down: items in use, in their order. */
export const selectItems = endpoint({
  title: '数据项选项',
  method: 'GET',
  path: `${items}/select_list/:code`,
  permission: 'login',
  concurrent: true,
  params: z.object({ code: DictCode }),
  reply: z.array(z.object({ value: z.string(), label: z.string(), listClass: z.string() })),
});

export const getItem = endpoint({
  title: '数据项详情',
  method: 'GET',
  path: `${items}/:id`,
  permission: 'sys:dict:view',
  params: ById,
  reply: DictItemRow,
});

const NewItem = z.object({
  dictCode: DictCode.meta({ hidden: true }),
  name: Text(50, '数据项名称'),
  value: Text(50, '数据项值'),
  itemType: ItemType.default('text'),
  listClass: ListClass.default(''),
  cssClass: z
    .string()
    .trim()
    .regex(/^[\w -]*$/, '附加样式只能由字母、数字、空格和横线组成')
    .max(50)
    .default('')
    .meta({ title: '附加样式' }),
  sort: Sort.default(0),
  status: Status.default('active'),
  remark: Remark,
});

/** In a dictionary of the platform: the company's own item, which stands in the place of the platform's of that value. */
export const addItem = endpoint({
  title: '新增数据项',
  method: 'POST',
  path: items,
  permission: 'sys:dict:add',
  body: NewItem,
  reply: Id,
});

export const saveItem = endpoint({
  title: '修改数据项',
  method: 'PUT',
  path: `${items}/:id`,
  permission: 'sys:dict:edit',
  params: ById,
  body: NewItem.omit({ dictCode: true }).extend({ version: Version }),
  reply: z.literal('success'),
});

export const removeItem = endpoint({
  title: '删除数据项',
  method: 'DELETE',
  path: `${items}/:id`,
  permission: 'sys:dict:delete',
  params: ById,
  reply: z.literal('success'),
});
