import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Day, Id, Instant, OptionalText, Product, Quantity, States } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { LocationType } from './base.ts';
import { Pieces, Words } from './documents/fields.ts';
import { RecordFilter, RecordRow } from './inventory.ts';

/** A filter as it comes: every part may be missing. */
type Loose<T> = { [K in keyof T]?: T[K] | undefined };

const base = '/erp/api/v1/warehouse/shelfInventory';
const SEE = 'erp:inv:view';
export const SHELVE = 'erp:wh:shelf:move';

export const Shelved = States(
  { STAGED: { title: '未上架', tone: 'waiting' }, SHELVED: { title: '已上架', tone: 'done' } },
  '上架状态',
);

/** What lies of one lot of a product in one location. */
export const ShelfRow = z.object({
  id: z.string(),
  product: Product.meta({ title: '产品', kind: 'product', width: 280, pinned: 'left' }),
  warehouse: z.string().meta({ title: '仓库', kind: 'text', width: 120 }),
  location: z.string().meta({ title: '库位', kind: 'code', width: 130 }),
  locationType: LocationType.meta({ width: 90 }),
  state: Shelved.meta({ width: 90 }),
  lot: z.string().nullable().meta({ title: '批次', kind: 'code', width: 100 }),
  expiresAt: Day.nullable().meta({ title: '效期', width: 110 }),
  free: Quantity.meta({ title: '可移动', width: 90, tip: '没有被单据占用的数量' }),
  held: Quantity.meta({ title: '占用', width: 84, tip: '待出库和加工中的数量，出库或释放后才能移动' }),
  qty: Quantity.meta({ title: '数量', width: 84 }),
  movedAt: Instant.nullable().meta({ title: '最近变动', width: 140 }),
  frozen: z.boolean().meta({ title: '冻结', kind: 'boolean', width: 70, optional: true }),
  productId: Id,
  warehouseId: Id,
  locationId: Id,
  lotId: Id,
});
export type ShelfRow = z.infer<typeof ShelfRow>;

export const ShelfFilter = z.object({
  state: Shelved,
  warehouses: z.array(z.uuid()).max(100).meta({ title: '仓库' }),
  keyword: OptionalText(100, 'SKU/名称'),
  location: OptionalText(60, '库位编码'),
});
export type ShelfFilter = Loose<z.infer<typeof ShelfFilter>>;

export const listShelf = endpoint({
  title: '库位库存',
  method: 'POST',
  path: `${base}/list`,
  permission: SEE,
  access: 'read',
  body: PageQuery(ShelfFilter),
  sortable: ['product', 'warehouse', 'location', 'free', 'qty'],
  reply: Page(ShelfRow),
});

export const countShelf = endpoint({
  title: '库位库存各状态数量',
  method: 'POST',
  path: `${base}/statusCounts`,
  permission: SEE,
  access: 'read',
  concurrent: true,
  body: z.object({ filter: ShelfFilter.partial().prefault({}) }),
  reply: z.record(z.string(), z.int()),
});

export const exportShelf = endpoint({
  title: '导出库位库存',
  method: 'POST',
  path: `${base}/export`,
  permission: 'erp:inv:export',
  access: 'read',
  file: true,
  body: ExportQuery(ShelfFilter),
  reply: z.unknown(),
});

const Line = z.object({
  productId: z.uuid('请选择产品').meta({ title: '产品' }),
  qty: Pieces,
  /** Left out: those that expire first, then the nearest. */
  lotId: z.uuid().optional().meta({ title: '批次' }),
  /** Left out: the warehouse's STAGING. */
  fromId: z.uuid('请选择移出库位').optional().meta({ title: '移出库位' }),
  toId: z.uuid('请选择移入库位').optional().meta({ title: '移入库位' }),
});

const Input = z.object({
  /** A second command with the same id changes nothing and answers with what the first came to. */
  clientId: z.uuid().meta({ title: '操作标识' }),
  warehouseId: z.uuid('请选择仓库').meta({ title: '仓库' }),
  remark: Words(200, '备注'),
});

const lines = <L extends z.ZodType>(line: L) =>
  z.array(line).min(1, '至少添加一行数据').max(500, '一次最多 500 行').meta({ title: '明细' });

export const ShelfDone = z.object({ number: z.string(), pieces: z.int(), repeated: z.boolean() });
export type ShelfDone = z.infer<typeof ShelfDone>;

/** 上架: pieces that wait in STAGING get a place. */
export const putAway = endpoint({
  title: '上架',
  method: 'POST',
  path: `${base}/putaway`,
  permission: SHELVE,
  body: Input.extend({ lines: lines(Line.omit({ fromId: true }).extend({ toId: z.uuid('请选择移入库位') })) }),
  reply: ShelfDone,
});

/** 下架: pieces leave their place for STAGING. */
export const takeDown = endpoint({
  title: '下架',
  method: 'POST',
  path: `${base}/pull`,
  permission: SHELVE,
  body: Input.extend({ lines: lines(Line.omit({ toId: true }).extend({ fromId: z.uuid('请选择移出库位') })) }),
  reply: ShelfDone,
});

/** 移位: pieces go from one place to another one of the same warehouse. */
export const moveShelf = endpoint({
  title: '移位',
  method: 'POST',
  path: `${base}/move`,
  permission: SHELVE,
  body: Input.extend({
    lines: lines(Line.extend({ fromId: z.uuid('请选择移出库位'), toId: z.uuid('请选择移入库位') })),
  }),
  reply: ShelfDone,
});

/** One side of a move between locations, as the ledger wrote it. */
export const ShelfRecordRow = RecordRow.pick({
  id: true,
  at: true,
  number: true,
  action: true,
  product: true,
  warehouse: true,
  location: true,
  lot: true,
  status: true,
  before: true,
  qty: true,
  after: true,
  operator: true,
  note: true,
  productId: true,
  warehouseId: true,
}).extend({
  number: RecordRow.shape.number.meta({ title: '单号', kind: 'code', width: 140 }),
  qty: RecordRow.shape.qty.meta({ title: '操作量', width: 84, good: 'up' }),
});
export type ShelfRecordRow = z.infer<typeof ShelfRecordRow>;

export const ShelfRecordFilter = RecordFilter.pick({
  period: true,
  warehouses: true,
  keyword: true,
  number: true,
  sku: true,
});

export const listShelfRecords = endpoint({
  title: '上下架明细',
  method: 'POST',
  path: '/erp/api/v1/inventory/shelf/operator/list',
  permission: SEE,
  access: 'read',
  body: PageQuery(ShelfRecordFilter),
  sortable: ['at', 'product', 'qty'],
  reply: Page(ShelfRecordRow),
});
