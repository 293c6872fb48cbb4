import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Instant, OptionalText, Product, Quantity, States } from '#kit/contract/field.ts';
import { Page, PageQuery } from '#kit/contract/page.ts';

/** A filter as it comes: every part may be missing. */
type Loose<T> = { [K in keyof T]?: T[K] | undefined };

const base = '/erp/api/v1/thirdparty/stock';
export const SYNC = 'erp:third:sync';
export const RECONCILE = 'erp:third:edit';
const pieces = (title: string, group: string) => Quantity.meta({ title, width: 80, group });

export const Match = States(
  {
    SAME: { title: '一致', tone: 'done' },
    MORE: { title: '对方多', tone: 'waiting' },
    LESS: { title: '对方少', tone: 'trouble' },
    UNKNOWN: { title: '未绑定产品', tone: 'off' },
  },
  '对账结果',
);

/** One product in one third-party warehouse: our books beside their list. */
export const ExternalRow = z.object({
  id: z.string(),
  product: Product.meta({ title: '产品', kind: 'product', width: 260, pinned: 'left' }),
  sku: z.string().meta({ title: '对方SKU', kind: 'code', width: 140 }),
  warehouse: z.string().meta({ title: '仓库', kind: 'text', width: 140 }),
  available: pieces('可用', '账面'),
  reserved: pieces('待出库', '账面'),
  inTransit: pieces('在途', '账面'),
  theirAvailable: pieces('可用', '对方'),
  theirLocked: pieces('锁定', '对方'),
  theirTransit: pieces('在途', '对方'),
  difference: Quantity.meta({
    title: '差异',
    width: 80,
    tip: '对方可用 + 锁定 −（账面可用 + 待出库）；在途只供对照',
    good: 'up',
  }),
  match: Match.meta({ width: 110 }),
  fetchedAt: Instant.nullable().meta({ title: '对方数据时间', width: 140 }),
  productId: z.uuid().nullable(),
  warehouseId: z.uuid(),
});
export type ExternalRow = z.infer<typeof ExternalRow>;

export const ExternalFilter = z.object({
  match: Match,
  warehouses: z.array(z.uuid()).max(100).meta({ title: '仓库' }),
  keyword: OptionalText(100, 'SKU/名称'),
});
export type ExternalFilter = Loose<z.infer<typeof ExternalFilter>>;

export const listExternal = endpoint({
  title: '三方仓对账',
  method: 'POST',
  path: `${base}/list`,
  permission: 'erp:inv:view',
  access: 'read',
  body: PageQuery(ExternalFilter),
  sortable: ['product', 'sku', 'warehouse', 'difference'],
  reply: Page(ExternalRow),
});

export const countExternal = endpoint({
  title: '三方仓对账各结果数量',
  method: 'POST',
  path: `${base}/statusCounts`,
  permission: 'erp:inv:view',
  access: 'read',
  concurrent: true,
  body: z.object({ filter: ExternalFilter.partial().prefault({}) }),
  reply: z.record(z.string(), z.int()),
});

export const externalTemplate = endpoint({
  title: '三方仓库存模板',
  method: 'GET',
  path: `${base}/downExcelTemp`,
  permission: 'erp:inv:view',
  file: true,
  reply: z.unknown(),
});

const Count = (title: string) => z.int().min(0).max(100_000_000).default(0).meta({ title, kind: 'integer' });

/** One SKU as the other side lists it. */
export const ExternalLine = z.object({
  sku: z.string().trim().min(1, 'SKU不能为空').max(100).meta({ title: 'SKU' }),
  available: Count('可用'),
  locked: Count('锁定'),
  inTransit: Count('在途'),
});
export type ExternalLine = z.infer<typeof ExternalLine>;

/** Reads a list of the other side from a sheet; writes nothing. */
export const checkExternal = endpoint({
  title: '读取三方仓库存表',
  method: 'POST',
  path: `${base}/uploadExcel`,
  permission: SYNC,
  access: 'read',
  upload: true,
  body: z.object({}),
  reply: z.object({
    rows: z.int(),
    /** SKUs that are no product of ours; they are kept and shown as 未绑定产品. */
    unknown: z.int(),
    problems: z.array(
      z.object({ line: z.int(), sku: z.string(), column: z.string(), value: z.string(), reason: z.string() }),
    ),
    lines: z.array(ExternalLine),
  }),
});

/** Replaces what is known of a warehouse by its newest list: SKUs that it no longer names are gone. */
export const saveExternal = endpoint({
  title: '写入三方仓库存',
  method: 'POST',
  path: `${base}/sync`,
  permission: SYNC,
  body: z.object({
    warehouseId: z.uuid('请选择仓库').meta({ title: '仓库' }),
    lines: z.array(ExternalLine).min(1, '至少添加一行数据').max(20_000, '一次最多 20000 行').meta({ title: '明细' }),
  }),
  reply: z.object({ rows: z.int(), unknown: z.int() }),
});

/** Says which product of ours a SKU of theirs is; later lists remember it. */
export const bindExternal = endpoint({
  title: '绑定三方仓SKU',
  method: 'POST',
  path: `${base}/bind`,
  permission: RECONCILE,
  body: z.object({
    warehouseId: z.uuid('请选择仓库').meta({ title: '仓库' }),
    sku: z.string().trim().min(1).max(100).meta({ title: '对方SKU' }),
    ownSku: z.string().trim().min(1, '请填写本地SKU').max(100).meta({ title: '本地SKU', kind: 'code' }),
  }),
  reply: z.object({ productId: z.uuid() }),
});

/** Brings our books to what the other side says, for some products of one warehouse. */
export const adjustExternal = endpoint({
  title: '生成校正单',
  method: 'POST',
  path: `${base}/adjust`,
  permission: RECONCILE,
  body: z.object({
    /** A second command with the same id changes nothing. */
    clientId: z.uuid().meta({ title: '操作标识' }),
    warehouseId: z.uuid('请选择仓库').meta({ title: '仓库' }),
    productIds: z.array(z.uuid()).min(1, '请选择产品').max(500, '一次最多 500 个产品').meta({ title: '产品' }),
    reason: z.string().trim().min(1, '请填写原因').max(200).meta({ title: '原因' }),
  }),
  reply: z.object({ number: z.string(), gained: z.int(), lost: z.int(), repeated: z.boolean() }),
});
