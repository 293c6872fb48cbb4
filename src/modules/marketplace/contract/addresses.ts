import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Id, Instant, OptionalText, States, Text } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';

export const AddressState = States(
  {
    active: { title: '使用中', tone: 'done' },
    disabled: { title: '已删除', tone: 'off' },
  },
  '状态',
);

/** A place that goods leave from. Titles are the headings of export and import. */
export const AddressRow = z.object({
  id: Id,
  storeId: Id,
  marketplaceId: z.string().meta({ hidden: true }),
  name: z.string().meta({ title: '名称', width: 150, pinned: 'left' }),
  isDefault: z.boolean().meta({ title: '默认', kind: 'boolean', width: 70 }),
  store: z.string().meta({ title: '店铺', width: 130 }),
  site: z.string().meta({ title: '站点', width: 80 }),
  country: z.string().meta({ title: '国家', width: 70 }),
  state: z.string().meta({ title: '省/州', width: 110 }),
  city: z.string().meta({ title: '城市', width: 110 }),
  district: z.string().meta({ title: '区县', width: 100, optional: true }),
  line1: z.string().meta({ title: '详细地址', width: 240 }),
  line2: z.string().meta({ title: '地址2', width: 160, optional: true }),
  postalCode: z.string().meta({ title: '邮政编码', kind: 'code', width: 100 }),
  phone: z.string().meta({ title: '电话', kind: 'code', width: 165 }),
  company: z.string().meta({ title: '公司', width: 160, optional: true }),
  email: z.string().meta({ title: '邮箱', width: 180, optional: true }),
  status: AddressState.meta({ width: 90 }),
  updatedBy: z.string().meta({ title: '操作人', kind: 'person', width: 110 }),
  updatedAt: Instant.meta({ title: '修改时间', width: 130, optional: true }),
  version: z.int().meta({ hidden: true }),
});
export type AddressRow = z.infer<typeof AddressRow>;

export const AddressFilter = z.object({
  status: AddressState,
  storeId: z.array(Id).max(200).meta({ title: '店铺', hidden: false }),
  search: z.string().trim().max(100).meta({ title: '名称、城市、地址' }),
});
const AnyAddressFilter = AddressFilter.partial();
export type AddressFilter = z.infer<typeof AnyAddressFilter>;

/** Limits are those of the marketplace's own address. */
export const AddressForm = z.object({
  storeId: z.uuid('请选择店铺').meta({ title: '店铺' }),
  marketplaceId: z.string().max(20).optional().meta({ title: '站点' }),
  name: Text(50, '名称'),
  company: OptionalText(50, '公司'),
  country: z
    .string('国家不能为空')
    .trim()
    .toUpperCase()
    .regex(/^[A-Z]{2}$/, '国家应为两位字母代码，如 CN')
    .meta({ title: '国家' }),
  state: OptionalText(64, '省/州'),
  city: Text(30, '城市'),
  district: OptionalText(50, '区县'),
  line1: Text(180, '详细地址'),
  line2: OptionalText(60, '地址2'),
  postalCode: Text(32, '邮政编码').regex(/^[A-Za-z0-9 -]+$/, '邮政编码只能包含字母、数字、空格和连字符'),
  phone: Text(20, '电话').regex(/^[0-9+() -]+$/, '电话只能包含数字、空格和 + - ( )'),
  email: z
    .union([z.literal(''), z.email('邮箱格式不正确').max(100, '邮箱不能超过100个字符')])
    .optional()
    .meta({ title: '邮箱' }),
  isDefault: z.boolean().optional().meta({ title: '设为默认' }),
});
export type AddressForm = z.infer<typeof AddressForm>;

const base = '/amazon/api/v1/shipaddress';

export const listAddresses = endpoint({
  title: '发货地址列表',
  method: 'POST',
  path: `${base}/list`,
  permission: 'amz:address:view',
  access: 'read',
  body: PageQuery(AddressFilter),
  sortable: ['name', 'store', 'country', 'city', 'updatedAt'],
  reply: Page(AddressRow),
});

export const countAddresses = endpoint({
  title: '发货地址数量',
  method: 'POST',
  path: `${base}/statusCounts`,
  permission: 'amz:address:view',
  access: 'read',
  body: z.object({ filter: AnyAddressFilter.default({}) }),
  reply: z.record(z.string(), z.int()),
});

export const exportAddresses = endpoint({
  title: '导出发货地址',
  method: 'POST',
  path: `${base}/export`,
  permission: 'amz:address:export',
  access: 'read',
  body: ExportQuery(AddressFilter),
  file: true,
  reply: z.unknown(),
});

export const addAddress = endpoint({
  title: '新增发货地址',
  method: 'POST',
  path: `${base}/saveData`,
  permission: 'amz:address:edit',
  body: AddressForm,
  reply: z.object({ id: Id }),
});

export const changeAddress = endpoint({
  title: '修改发货地址',
  method: 'POST',
  path: `${base}/updateData`,
  permission: 'amz:address:edit',
  body: AddressForm.extend({ id: Id, version: z.int().min(0) }),
  reply: z.object({ id: Id }),
});

const OneAddress = z.object({ id: Id.meta({ title: '发货地址' }) });

export const disableAddress = endpoint({
  title: '删除发货地址',
  method: 'GET',
  path: `${base}/disable`,
  permission: 'amz:address:delete',
  access: 'write',
  query: OneAddress,
  reply: z.literal('success'),
});

export const restoreAddress = endpoint({
  title: '恢复发货地址',
  method: 'POST',
  path: `${base}/restore`,
  permission: 'amz:address:delete',
  body: OneAddress,
  reply: z.literal('success'),
});

export const defaultAddress = endpoint({
  title: '设为默认发货地址',
  method: 'POST',
  path: `${base}/setDefault`,
  permission: 'amz:address:edit',
  body: OneAddress,
  reply: z.literal('success'),
});

const Problem = z.object({ line: z.int(), key: z.string(), column: z.string(), value: z.string(), reason: z.string() });

const AddressImport = z.object({
  rows: z.int(),
  added: z.int(),
  changed: z.int(),
  problems: z.array(Problem),
  preview: z.array(z.array(z.string())),
  /** Whether the rows were written: all of them, or none. */
  written: z.boolean(),
});
export type AddressImport = z.infer<typeof AddressImport>;

/** Checks a table, and writes it whole where `commit` says so and no row is bad. */
export const importAddresses = endpoint({
  title: '导入发货地址',
  method: 'POST',
  path: `${base}/import`,
  permission: 'amz:address:import',
  upload: true,
  body: z.object({ commit: z.enum(['true', 'false']).default('false').meta({ title: '写入' }) }),
  reply: AddressImport,
});

export const addressTemplate = endpoint({
  title: '发货地址导入模板',
  method: 'GET',
  path: `${base}/template`,
  permission: 'amz:address:import',
  file: true,
  reply: z.unknown(),
});
