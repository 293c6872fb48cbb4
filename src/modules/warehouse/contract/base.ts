import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Day, Decimal, Id, Instant, OptionalText, Quantity, States, Text } from '#kit/contract/field.ts';
import { Page, PageQuery } from '#kit/contract/page.ts';
import { Quality, WarehouseKind } from './stock.ts';

/** A filter as it comes: every part may be missing. */
type Loose<T> = { [K in keyof T]?: T[K] | undefined };

const base = '/erp/api/v1/warehouse';

export const UseState = States({ USED: { title: '使用中', tone: 'done' }, DISABLED: { title: '已停用', tone: 'off' } });

/** One 仓位: a warehouse of one quality, in its group. */
export const WarehouseRow = z.object({
  id: Id,
  name: z.string().meta({ title: '仓位名称', kind: 'text', width: 160, pinned: 'left' }),
  code: z.string().meta({ title: '仓位编码', kind: 'code', width: 120 }),
  group: z.string().nullable().meta({ title: '仓库', kind: 'text', width: 140 }),
  kind: WarehouseKind.meta({ width: 110 }),
  quality: Quality.meta({ width: 80 }),
  isDefault: z.boolean().meta({ title: '默认', kind: 'boolean', width: 70 }),
  state: UseState.meta({ title: '状态', width: 90 }),
  onHand: Quantity.meta({ title: '在库', width: 90, tip: '实际在仓库里的数量，不含在途' }),
  inTransit: Quantity.meta({ title: '在途', width: 90 }),
  products: Quantity.meta({ title: 'SKU数', width: 80 }),
  country: z.string().meta({ title: '国家', kind: 'code', width: 70 }),
  address: z.string().nullable().meta({ title: '地址', kind: 'text', width: 160, optional: true }),
  remark: z.string().meta({ title: '备注', kind: 'text', optional: true }),
  updatedBy: z.string().meta({ title: '操作人', kind: 'person', width: 100, optional: true }),
  updatedAt: Instant.meta({ title: '操作时间', width: 140 }),
  groupId: Id.nullable(),
  addressId: Id.nullable(),
  version: z.int(),
});
export type WarehouseRow = z.infer<typeof WarehouseRow>;

export const WarehouseFilter = z.object({
  kind: WarehouseKind,
  keyword: OptionalText(50, '名称/编码'),
  quality: Quality,
  state: UseState.meta({ title: '状态' }),
});
export type WarehouseFilter = Loose<z.infer<typeof WarehouseFilter>>;

export const WarehouseForm = z.object({
  name: Text(50, '仓位名称'),
  code: Text(30, '仓位编码'),
  kind: WarehouseKind,
  quality: Quality.default('GOOD'),
  /** A group of that name is made where there is none. */
  group: OptionalText(50, '仓库'),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, '请输入两位国家代码，例如 CN')
    .default('CN')
    .meta({ title: '国家', kind: 'code' }),
  addressId: z.uuid().nullish().meta({ title: '地址', kind: 'choice' }),
  remark: OptionalText(200, '备注'),
});

const Saved = z.object({ id: z.uuid() });
const Changed = z.object({ id: z.uuid().meta({ title: '记录' }), version: z.int().optional().meta({ title: '版本' }) });

export const listWarehouses = endpoint({
  title: '仓库列表',
  method: 'POST',
  path: `${base}/list`,
  permission: 'erp:wh:view',
  access: 'read',
  concurrent: true,
  body: PageQuery(WarehouseFilter),
  sortable: ['name', 'code', 'group', 'kind', 'onHand', 'updatedAt'],
  reply: Page(WarehouseRow),
});

export const warehouseChoices = endpoint({
  title: '可选仓库',
  method: 'GET',
  path: `${base}/choices`,
  permission: 'erp:wh:view',
  reply: z.array(z.object({ id: z.uuid(), name: z.string(), quality: Quality, kind: WarehouseKind })),
});

export const saveWarehouse = endpoint({
  title: '保存仓库',
  method: 'POST',
  path: `${base}/save`,
  permission: 'erp:wh:base:edit',
  body: WarehouseForm.extend({ id: z.uuid().optional().meta({ title: '记录' }), version: z.int().optional() }),
  reply: Saved,
});

export const disableWarehouse = endpoint({
  title: '停用仓库',
  method: 'POST',
  path: `${base}/disable`,
  permission: 'erp:wh:base:edit',
  body: Changed.extend({ disabled: z.boolean().meta({ title: '停用' }) }),
  reply: Saved,
});

export const setDefaultWarehouse = endpoint({
  title: '设为默认仓库',
  method: 'POST',
  path: `${base}/setDefault`,
  permission: 'erp:wh:base:edit',
  body: Changed,
  reply: Saved,
});

export const deleteWarehouse = endpoint({
  title: '删除仓库',
  method: 'POST',
  path: `${base}/del`,
  permission: 'erp:wh:base:edit',
  body: Changed,
  reply: Saved,
});

export const AddressRow = z.object({
  id: Id,
  name: z.string().meta({ title: '名称', kind: 'text', width: 160, pinned: 'left' }),
  code: z.string().meta({ title: '编码', kind: 'code', width: 110 }),
  detail: z.string().meta({ title: '详细地址', kind: 'text', width: 320 }),
  warehouses: z.string().meta({ title: '对应仓库', kind: 'text', width: 180 }),
  postalCode: z.string().meta({ title: '邮编', kind: 'code', width: 90 }),
  owner: z.string().meta({ title: '业主', kind: 'text', width: 120 }),
  phone: z.string().meta({ title: '电话', kind: 'code', width: 120 }),
  leaseUntil: Day.nullable().meta({ title: '到期日', width: 110, tip: '到期前 30 天提醒' }),
  version: z.int(),
});
export type AddressRow = z.infer<typeof AddressRow>;

export const AddressFilter = z.object({ keyword: OptionalText(50, '名称/地址') });

export const AddressForm = z.object({
  name: Text(50, '名称'),
  code: OptionalText(30, '编码'),
  detail: Text(200, '详细地址'),
  postalCode: OptionalText(20, '邮编'),
  owner: OptionalText(50, '业主'),
  phone: OptionalText(30, '电话'),
  leaseUntil: Day.nullish().meta({ title: '到期日' }),
});

export const listAddresses = endpoint({
  title: '仓库地址列表',
  method: 'POST',
  path: `${base}/address/list`,
  permission: 'erp:wh:view',
  access: 'read',
  body: PageQuery(AddressFilter),
  sortable: ['name', 'code', 'leaseUntil'],
  reply: Page(AddressRow),
});

export const saveAddress = endpoint({
  title: '保存仓库地址',
  method: 'POST',
  path: `${base}/address/save`,
  permission: 'erp:wh:base:edit',
  body: AddressForm.extend({ id: z.uuid().optional().meta({ title: '记录' }), version: z.int().optional() }),
  reply: Saved,
});

export const LocationType = Choice(
  { AREA: '区域', STORAGE: '存储', STAGING: '暂存', PICK: '拣货', QC: '质检' },
  '库位类型',
);

export const LocationRow = z.object({
  id: Id,
  code: z.string().meta({ title: '库位编码', kind: 'code', width: 160, pinned: 'left' }),
  path: z.string().meta({ title: '所在层级', kind: 'text', width: 240 }),
  warehouse: z.string().meta({ title: '仓库', kind: 'text', width: 130 }),
  type: LocationType.meta({ width: 80 }),
  size: z.string().nullable().meta({ title: '规格(cm)', kind: 'text', width: 120 }),
  volume: Decimal.nullable().meta({ title: '容量(m³)', width: 90 }),
  used: Decimal.nullable().meta({
    title: '已用%',
    kind: 'percent',
    width: 80,
    tip: '库存体积 ÷ 容量；库位没有规格，或有产品没有尺寸时不计算',
  }),
  products: Quantity.meta({ title: 'SKU数', width: 80 }),
  qty: Quantity.meta({ title: '库存', width: 80 }),
  pickSequence: Quantity.meta({ title: '拣货序', width: 80 }),
  frozen: z.boolean().meta({ title: '冻结', kind: 'boolean', width: 70 }),
  warehouseId: Id,
});
export type LocationRow = z.infer<typeof LocationRow>;

export const LocationFilter = z.object({
  warehouses: z.array(z.uuid()).max(100).meta({ title: '仓库' }),
  keyword: OptionalText(60, '库位编码'),
  type: LocationType,
  frozen: z.boolean().meta({ title: '已冻结', optional: true }),
});
export type LocationFilter = Loose<z.infer<typeof LocationFilter>>;

const Span = z
  .string()
  .trim()
  .regex(/^(\d{1,3}|[A-Z])(-(\d{1,3}|[A-Z]))?$/, '例如 A-C 或 1-20');

/** 区 x 架 x 层 x 格: every combination becomes a location, e.g. A-01-2-03; the areas above it are made where missing. */
export const LocationBatch = z.object({
  warehouseId: z.uuid().meta({ title: '仓库', kind: 'choice' }),
  area: Span.meta({ title: '区', tip: '字母或数字的范围，例如 A-C', kind: 'code' }),
  rack: Span.meta({ title: '架', tip: '例如 1-20', kind: 'code' }),
  shelf: Span.meta({ title: '层', tip: '例如 1-4', kind: 'code' }),
  bin: Span.meta({ title: '格', tip: '例如 1-6', kind: 'code' }),
  type: Choice({ STORAGE: '存储', PICK: '拣货', QC: '质检' }, '库位类型').default('STORAGE'),
  lengthCm: z.int().min(1).max(10_000).optional().meta({ title: '长(cm)', kind: 'integer' }),
  widthCm: z.int().min(1).max(10_000).optional().meta({ title: '宽(cm)', kind: 'integer' }),
  heightCm: z.int().min(1).max(10_000).optional().meta({ title: '高(cm)', kind: 'integer' }),
});

const shelf = `${base}/shelf`;
const Ids = z.array(z.uuid()).min(1, '请选择库位').max(500, '一次最多 500 个库位').meta({ title: '库位' });

export const listLocations = endpoint({
  title: '库位列表',
  method: 'POST',
  path: `${shelf}/list`,
  permission: 'erp:wh:view',
  access: 'read',
  body: PageQuery(LocationFilter),
  sortable: ['code', 'products', 'qty', 'pickSequence'],
  reply: Page(LocationRow),
});

export const TreeNode = z.object({
  id: z.uuid(),
  parentId: z.uuid().nullable(),
  code: z.string(),
  type: LocationType,
  frozen: z.boolean(),
  qty: z.int(),
});
export type TreeNode = z.infer<typeof TreeNode>;

/** The tree of one warehouse, parents before children; `qty` includes what lies below. */
export const locationTree = endpoint({
  title: '库位树',
  method: 'GET',
  path: `${shelf}/tree`,
  permission: 'erp:wh:view',
  query: z.object({ warehouseId: z.uuid().meta({ title: '仓库' }) }),
  reply: z.array(TreeNode),
});

export const addLocations = endpoint({
  title: '批量生成库位',
  method: 'POST',
  path: `${shelf}/batchAdd`,
  permission: 'erp:wh:shelf:add',
  body: LocationBatch,
  reply: z.object({ made: z.int(), known: z.int() }),
});

export const freezeLocations = endpoint({
  title: '冻结库位',
  method: 'POST',
  path: `${shelf}/freeze`,
  permission: 'erp:wh:shelf:add',
  body: z.object({ ids: Ids, frozen: z.boolean().meta({ title: '冻结' }) }),
  reply: z.object({ changed: z.int() }),
});

export const mergeLocation = endpoint({
  title: '合并库位',
  method: 'POST',
  path: `${shelf}/merge`,
  permission: 'erp:wh:shelf:add',
  body: z.object({ from: z.uuid().meta({ title: '库位' }), into: z.uuid().meta({ title: '合并到' }) }),
  reply: z.object({ moved: z.int() }),
});

export const deleteLocations = endpoint({
  title: '删除库位',
  method: 'POST',
  path: `${shelf}/del`,
  permission: 'erp:wh:shelf:add',
  body: z.object({ ids: Ids }),
  reply: z.object({ deleted: z.int() }),
});

/** What may change of a location: where it stands in the tree, and so its code, stays. */
export const LocationForm = z.object({
  type: Choice({ STORAGE: '存储', PICK: '拣货', QC: '质检' }, '库位类型'),
  pickSequence: z.int().min(0).max(1_000_000).meta({ title: '拣货序', kind: 'integer' }),
  lengthCm: LocationBatch.shape.lengthCm,
  widthCm: LocationBatch.shape.widthCm,
  heightCm: LocationBatch.shape.heightCm,
});

export const modifyLocation = endpoint({
  title: '修改库位',
  method: 'POST',
  path: `${shelf}/modify`,
  permission: 'erp:wh:shelf:add',
  body: LocationForm.extend({ id: z.uuid().meta({ title: '库位' }) }),
  reply: z.object({ id: z.uuid() }),
});

/** Labels 60 x 40 mm with a QR code "LOC.<id>", one a page. */
export const locationLabels = endpoint({
  title: '库位二维码',
  method: 'POST',
  path: `${shelf}/labels`,
  permission: 'erp:wh:view',
  access: 'read',
  file: true,
  body: z.object({ ids: Ids }),
  reply: z.unknown(),
});
