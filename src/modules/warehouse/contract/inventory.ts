import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Day, Decimal, Id, Instant, Money, OptionalText, Product, Quantity, States } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { StockStatus } from './stock.ts';

/** A filter as it comes: every part may be missing. */
type Loose<T> = { [K in keyof T]?: T[K] | undefined };

const base = '/erp/api/v1/inventory';
const COST = { currency: 'CNY', permission: 'erp:inv:cost' } as const;
const pieces = (title: string, width = 84) => Quantity.meta({ title, width });
const Goods = Product.meta({ title: '产品', kind: 'product', width: 280, pinned: 'left' });
const Warehouses = z.array(z.uuid()).max(100).meta({ title: '仓库' });
const Period = z.object({ from: Day.optional(), to: Day.optional() });

/** Stock of one product in one warehouse. */
export const StockRow = z.object({
  id: z.string(),
  product: Goods,
  warehouse: z.string().meta({ title: '仓库', kind: 'text', width: 120 }),
  expected: pieces('待入库'),
  inTransit: pieces('在途'),
  quarantine: pieces('待检'),
  available: pieces('可用'),
  reserved: pieces('待出库'),
  planned: Quantity.nullable().meta({
    title: '计划占用',
    width: 84,
    tip: '已提交、待审核的单据要用的数量，提交后 7 天内有效；审核后转为待出库',
  }),
  promisable: Quantity.nullable().meta({ title: '可承诺', width: 84, tip: '可用 − 计划占用：还能答应给别人的数量' }),
  processing: pieces('加工中'),
  defective: pieces('次品').meta({ good: 'down' }),
  total: pieces('合计').meta({ tip: '自有库存：在途 + 待检 + 可用 + 待出库 + 加工中 + 次品，不含待入库' }),
  assemblable: Quantity.nullable().meta({
    title: '可组装',
    width: 84,
    tip: '组合产品：按本仓子件的可用库存还能组装几套，取各子件可用 ÷ 单套用量（含损耗）向下取整的最小值',
  }),
  value: Money.nullable().meta({ title: '货值', width: 120, ...COST }),
  productId: Id,
  warehouseId: Id,
});
export type StockRow = z.infer<typeof StockRow>;

export const StockFilter = z.object({
  warehouses: Warehouses,
  keyword: OptionalText(100, 'SKU/名称'),
  skus: z.array(z.string().max(100)).max(500, '一次最多查询 500 个 SKU').meta({ title: 'SKU', kind: 'code' }),
  hasStock: z.boolean().meta({ title: '有库存', optional: true }),
  /** At the end of this day of the company, by business date; now where left out. */
  asOf: Day.meta({ title: '截至日期', optional: true }),
});
export type StockFilter = Loose<z.infer<typeof StockFilter>>;

export const listStock = endpoint({
  title: '库存报表',
  method: 'POST',
  path: `${base}/report/base/list`,
  permission: 'erp:inv:view',
  access: 'read',
  body: PageQuery(StockFilter),
  sortable: [
    'product',
    'warehouse',
    'expected',
    'inTransit',
    'quarantine',
    'available',
    'reserved',
    'processing',
    'defective',
    'total',
  ],
  reply: Page(StockRow),
});

export const exportStock = endpoint({
  title: '导出库存报表',
  method: 'POST',
  path: `${base}/report/base/export`,
  permission: 'erp:inv:export',
  file: true,
  body: ExportQuery(StockFilter),
  reply: z.unknown(),
});

/** One entry of the ledger. */
export const RecordRow = z.object({
  id: z.string(),
  at: Instant.meta({ title: '时间', width: 140, pinned: 'left' }),
  businessDate: Day.meta({ title: '业务日期', width: 100 }),
  number: z.string().meta({ title: '单据', kind: 'code', width: 140 }),
  action: z.string().meta({ title: '动作', kind: 'text', width: 110 }),
  product: Product.meta({ title: '产品', kind: 'product', width: 240 }),
  warehouse: z.string().meta({ title: '仓库', kind: 'text', width: 110 }),
  location: z.string().meta({ title: '库位', kind: 'code', width: 100 }),
  lot: z.string().nullable().meta({ title: '批次', kind: 'code', width: 90 }),
  status: StockStatus.meta({ title: '状态', width: 80 }),
  before: pieces('初始'),
  qty: pieces('变动').meta({ good: 'up' }),
  after: pieces('结余'),
  unitCost: Decimal.nullable().meta({ title: '单位成本', width: 100, permission: 'erp:inv:cost' }),
  amount: Money.nullable().meta({ title: '金额', width: 110, ...COST }),
  operator: z.string().meta({ title: '操作人', kind: 'person', width: 100 }),
  note: z.string().meta({ title: '备注', kind: 'text', width: 160, optional: true }),
  /** Page of the document, where it has one. */
  path: z.string().nullable(),
  productId: Id,
  warehouseId: Id,
});
export type RecordRow = z.infer<typeof RecordRow>;

export const RecordFilter = z.object({
  period: Period.meta({ title: '业务日期', kind: 'date' }),
  warehouses: Warehouses,
  keyword: OptionalText(100, 'SKU/名称'),
  number: OptionalText(60, '单据号'),
  status: StockStatus,
  /** Exactly this SKU, whatever its case. */
  sku: OptionalText(100, 'SKU').meta({ title: 'SKU', optional: true }),
});
export type RecordFilter = Loose<z.infer<typeof RecordFilter>>;

export const listRecords = endpoint({
  title: '出入库明细',
  method: 'POST',
  path: `${base}/record/list`,
  permission: 'erp:inv:view',
  access: 'read',
  body: PageQuery(RecordFilter),
  sortable: ['at', 'businessDate', 'product', 'qty'],
  reply: Page(RecordRow),
});

export const exportRecords = endpoint({
  title: '导出出入库明细',
  method: 'POST',
  path: `${base}/record/export`,
  permission: 'erp:inv:export',
  file: true,
  body: ExportQuery(RecordFilter),
  reply: z.unknown(),
});

/**
 * 期初 + 入 − 出 = 期末 over a filter (its document number aside, which cuts through the account). Opening and movements
 * come from the entries, closing from the balances less what happened later: the difference proves the account.
 */
export const recordSummary = endpoint({
  title: '出入库汇总',
  method: 'POST',
  path: `${base}/record/summary`,
  permission: 'erp:inv:view',
  access: 'read',
  concurrent: true,
  body: z.object({ filter: RecordFilter.partial().prefault({}) }),
  reply: z.object({ opening: z.int(), in: z.int(), out: z.int(), closing: z.int(), difference: z.int() }),
});

export const AgeBucket = States(
  {
    D30: { title: '0-30天', tone: 'done' },
    D60: { title: '31-60天', tone: 'done' },
    D90: { title: '61-90天', tone: 'running' },
    D180: { title: '91-180天', tone: 'waiting' },
    D365: { title: '181-365天', tone: 'trouble' },
    OVER: { title: '365天以上', tone: 'trouble' },
  },
  '库龄',
);

/** One layer with pieces left. */
export const LayerRow = z.object({
  id: Id,
  product: Goods,
  warehouse: z.string().meta({ title: '仓库', kind: 'text', width: 120 }),
  lot: z.string().nullable().meta({ title: '批次', kind: 'code', width: 90 }),
  number: z.string().meta({ title: '来源单据', kind: 'code', width: 140 }),
  originalDate: Day.meta({ title: '首次入库', width: 110, tip: '调拨与换货不改变首次入库日' }),
  ageDays: pieces('库龄(天)'),
  bucket: AgeBucket.meta({ title: '库龄段', width: 120 }),
  qtyIn: pieces('入层数量'),
  qtyLeft: pieces('剩余数量'),
  inTransit: z.boolean().meta({ title: '在途', kind: 'boolean', width: 70 }),
  unitCost: Decimal.nullable().meta({ title: '单位成本', width: 100, permission: 'erp:inv:cost' }),
  amountLeft: Money.nullable().meta({ title: '剩余金额', width: 120, ...COST }),
  composition: z.string().nullable().meta({
    title: '成本构成',
    kind: 'text',
    width: 220,
    permission: 'erp:inv:cost',
    tip: '入层金额（人民币）由哪些费用组成，之后补录的费用也在内',
  }),
  costState: States(
    { ESTIMATED: { title: '暂估', tone: 'waiting' }, FINAL: { title: '已结', tone: 'done' } },
    '成本',
  ).meta({
    width: 80,
  }),
  receivedAt: Instant.meta({ title: '入层时间', width: 140, optional: true }),
  /** Page of the document, where it has one. */
  path: z.string().nullable(),
});
export type LayerRow = z.infer<typeof LayerRow>;

export const LayerFilter = z.object({
  bucket: AgeBucket,
  warehouses: Warehouses,
  keyword: OptionalText(100, 'SKU/名称'),
  /** Exactly this SKU, whatever its case. */
  sku: OptionalText(100, 'SKU').meta({ title: 'SKU', optional: true }),
});
export type LayerFilter = Loose<z.infer<typeof LayerFilter>>;

export const listLayers = endpoint({
  title: '库龄与成本层',
  method: 'POST',
  path: `${base}/layers`,
  permission: 'erp:inv:view',
  access: 'read',
  body: PageQuery(LayerFilter),
  sortable: ['product', 'originalDate', 'ageDays', 'qtyLeft', 'amountLeft', 'receivedAt'],
  reply: Page(LayerRow),
});

export const exportLayers = endpoint({
  title: '导出库龄与成本层',
  method: 'POST',
  path: `${base}/layers/export`,
  permission: 'erp:inv:export',
  file: true,
  body: ExportQuery(LayerFilter),
  reply: z.unknown(),
});

/** Pieces by age; the buckets add up to all owned pieces of the filter. */
export const ageSummary = endpoint({
  title: '库龄分布',
  method: 'POST',
  path: `${base}/age`,
  permission: 'erp:inv:view',
  access: 'read',
  concurrent: true,
  body: z.object({ filter: LayerFilter.partial().prefault({}) }),
  reply: z.object({
    buckets: z.array(z.object({ bucket: AgeBucket, qty: z.int() })),
    total: z.int(),
    meanDays: z.string().nullable(),
  }),
});

export const ReservationState = States({
  OPEN: { title: '待拣货', tone: 'waiting' },
  PICKED: { title: '已拣货', tone: 'running' },
  SHIPPED: { title: '已出库', tone: 'done' },
  RELEASED: { title: '已释放', tone: 'off' },
  EXPIRED: { title: '已过期', tone: 'trouble' },
});

export const ReservationRow = z.object({
  id: Id,
  product: Goods,
  number: z.string().meta({ title: '单据', kind: 'code', width: 140 }),
  warehouse: z.string().meta({ title: '仓库', kind: 'text', width: 120 }),
  location: z.string().meta({ title: '库位', kind: 'code', width: 110 }),
  lot: z.string().nullable().meta({ title: '批次', kind: 'code', width: 90 }),
  state: ReservationState.meta({ width: 90 }),
  held: pieces('占用中'),
  qty: pieces('预留'),
  picked: pieces('已拣'),
  shipped: pieces('已出'),
  released: pieces('已释放'),
  expiresAt: Instant.nullable().meta({ title: '过期时间', width: 140 }),
  createdAt: Instant.meta({ title: '预留时间', width: 140 }),
  path: z.string().nullable(),
  productId: Id,
});
export type ReservationRow = z.infer<typeof ReservationRow>;

export const ReservationFilter = z.object({
  state: ReservationState,
  warehouses: Warehouses,
  keyword: OptionalText(100, 'SKU/名称'),
  number: OptionalText(60, '单据号'),
  /** Exactly this SKU, whatever its case. */
  sku: OptionalText(100, 'SKU').meta({ title: 'SKU', optional: true }),
});
export type ReservationFilter = Loose<z.infer<typeof ReservationFilter>>;

export const listReservations = endpoint({
  title: '预留明细',
  method: 'POST',
  path: `${base}/reservation/list`,
  permission: 'erp:inv:view',
  access: 'read',
  body: PageQuery(ReservationFilter),
  sortable: ['product', 'held', 'expiresAt', 'createdAt'],
  reply: Page(ReservationRow),
});

export const countReservations = endpoint({
  title: '预留状态统计',
  method: 'POST',
  path: `${base}/reservation/counts`,
  permission: 'erp:inv:view',
  access: 'read',
  concurrent: true,
  body: z.object({ filter: ReservationFilter.partial().prefault({}) }),
  reply: z.record(z.string(), z.int()),
});

export const releaseReservation = endpoint({
  title: '释放预留',
  method: 'POST',
  path: `${base}/reservation/release`,
  permission: 'erp:inv:release',
  body: z.object({
    id: z.uuid().meta({ title: '预留' }),
    reason: z.string().trim().min(1, '请填写原因').max(200).meta({ title: '原因' }),
  }),
  reply: z.object({ released: z.int() }),
});

export const CheckResult = z.object({
  code: z.string().meta({ title: '编号', kind: 'code', width: 70 }),
  title: z.string().meta({ title: '规则', width: 160 }),
  text: z.string().meta({ title: '含义', width: 420 }),
  broken: pieces('异常', 80).meta({ good: 'down' }),
  samples: z.array(z.object({ what: z.string(), expected: z.string(), found: z.string() })),
});
export type CheckResult = z.infer<typeof CheckResult>;

export const HealthRun = z.object({
  id: z.uuid(),
  at: z.string(),
  ms: z.int(),
  broken: z.int(),
  results: z.array(CheckResult),
});

export const latestHealth = endpoint({
  title: '库存自检结果',
  method: 'GET',
  path: `${base}/health`,
  permission: 'erp:inv:view',
  reply: HealthRun.nullable(),
});

export const runHealthNow = endpoint({
  title: '运行库存自检',
  method: 'POST',
  path: `${base}/health/run`,
  permission: 'erp:inv:view',
  body: z.object({}),
  reply: z.object({ id: z.uuid(), broken: z.int() }),
});

/** Stock of one product at the end of a day of the company, over the warehouses of the filter. */
export const StockDay = z.object({
  day: Day.meta({ title: '日期', width: 110 }),
  available: Quantity.meta({ title: '可用' }),
  reserved: Quantity.meta({ title: '待出库' }),
  inTransit: Quantity.meta({ title: '在途' }),
  other: Quantity.meta({ title: '其它', tip: '待检、加工中、次品' }),
  total: Quantity.meta({ title: '合计' }),
});
export type StockDay = z.infer<typeof StockDay>;

export const stockTimeline = endpoint({
  title: '库存时间线',
  method: 'GET',
  path: `${base}/daily`,
  permission: 'erp:inv:view',
  query: z.object({
    productId: z.uuid().meta({ title: '产品' }),
    warehouseId: z.uuid().optional().meta({ title: '仓库' }),
    days: z.coerce.number().int().min(7).max(366).default(90).meta({ title: '天数' }),
  }),
  reply: z.object({
    product: Product,
    days: z.array(StockDay),
    /** Documents that moved it in these days, newest first, 200 at most. */
    records: z.array(RecordRow),
  }),
});
