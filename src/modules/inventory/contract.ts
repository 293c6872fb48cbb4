import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Day, Decimal, Id, Instant, OptionalText, Product, Quantity, States, Store } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { Site } from '#modules/listing/contract.ts';

/** Below so many days of cover a SKU counts as about to run out. */
export const LOW_DAYS = 14;

export const StockState = States(
  {
    ENOUGH: { title: '正常', tone: 'done' },
    LOW: { title: '将断货', tone: 'waiting' },
    OUT: { title: '断货', tone: 'trouble' },
  },
  '库存状态',
);
export type StockState = z.infer<typeof StockState>;

/** Views over the list; they may overlap. */
export const StockTab = States(
  {
    out: { title: '断货', tone: 'trouble' },
    low: { title: '将断货', tone: 'waiting' },
    unsellable: { title: '有不可售', tone: 'waiting' },
  },
  '库存状态',
);
export type StockTab = z.infer<typeof StockTab>;

const condition = (title: string) => ({ title, tone: 'off' as const });

/** Conditions as FBA stock names them; one that is not known is shown as it is written. */
export const CONDITIONS = {
  New: condition('全新'),
  Refurbished: condition('翻新'),
  UsedLikeNew: condition('二手-如新'),
  UsedVeryGood: condition('二手-非常好'),
  UsedGood: condition('二手-良好'),
  UsedAcceptable: condition('二手-可接受'),
  Unknown: condition('未知'),
};

const pieces = (title: string, width = 80) => Quantity.meta({ title, width });

/** Pieces of one SKU and condition in a marketplace. Parts of 预留 are null where the source gives only the sum. */
export const StockRow = z.object({
  id: Id,
  product: Product.meta({ title: '商品', kind: 'product', width: 300, pinned: 'left' }),
  store: Store.meta({ title: '店铺', kind: 'store', width: 130 }),
  state: StockState.meta({ width: 90 }),
  total: pieces('合计').meta({ title: '合计', width: 90, tip: '在库 + 在途' }),
  onHand: pieces('在库').meta({ title: '在库', tip: '可售 + 预留 + 不可售 + 调查中' }),
  fulfillable: pieces('可售'),
  units30: Quantity.nullable().meta({ title: '30日销量', width: 90 }),
  coverDays: Decimal.nullable().meta({
    title: '可售天数',
    width: 90,
    tip: '（可售 + 预留调拨 + 预留处理中）÷ 近30日日均销量',
  }),
  inbound: pieces('在途').meta({ title: '在途', group: '在途' }),
  inboundWorking: pieces('待发货').meta({ group: '在途' }),
  inboundShipped: pieces('已发货').meta({ group: '在途' }),
  inboundReceiving: pieces('接收中').meta({ group: '在途' }),
  reserved: pieces('预留').meta({ title: '预留', group: '预留' }),
  reservedCustomer: Quantity.nullable().meta({ title: '买家订单', width: 90, group: '预留', optional: true }),
  reservedTransfer: Quantity.nullable().meta({ title: '调拨', width: 80, group: '预留', optional: true }),
  reservedProcessing: Quantity.nullable().meta({ title: '处理中', width: 80, group: '预留', optional: true }),
  unsellable: pieces('不可售').meta({ good: 'down' }),
  researching: pieces('调查中'),
  lastUpdatedAt: Instant.nullable().meta({ title: '更新时间', width: 130 }),
  condition: z.string().meta({ title: '商品状况', kind: 'choice', states: CONDITIONS, width: 100, optional: true }),
  asin: z.string().nullable().meta({ title: 'ASIN', kind: 'code', width: 120, optional: true }),
  fnsku: z.string().nullable().meta({ title: 'FNSKU', kind: 'code', width: 120, optional: true }),
  statedTotal: Quantity.nullable().meta({ title: '亚马逊合计', width: 100, optional: true }),
  accountId: Id,
  marketplaceId: z.string(),
  sellerSku: z.string(),
});
export type StockRow = z.infer<typeof StockRow>;

export const StockFilter = z.object({
  tab: StockTab.meta({ title: '库存状态' }),
  sites: z.array(Site).max(200).meta({ title: '店铺/站点' }),
  keyword: OptionalText(100, '标题/SKU/ASIN'),
  skus: z.array(z.string().max(60)).max(500, '一次最多查询 500 个 SKU').meta({ title: 'MSKU' }),
  hasStock: z.boolean().meta({ title: '有库存', optional: true }),
});
export type StockFilter = z.infer<typeof StockFilter>;

const Pieces = z.object({
  skus: pieces('SKU数'),
  fulfillable: pieces('可售'),
  inbound: pieces('在途'),
  reserved: pieces('预留'),
  unsellable: pieces('不可售'),
  researching: pieces('调查中'),
  onHand: pieces('在库'),
  total: pieces('合计'),
  /** SKUs without a piece for sale. */
  out: pieces('断货SKU'),
  /** SKUs about to run out; null where no sales figures exist. */
  low: Quantity.nullable().meta({ title: '将断货SKU', width: 90 }),
});

export const SiteStock = z.object({
  site: z.string(),
  store: Store.meta({ title: '店铺', kind: 'store', width: 150 }),
  ...Pieces.shape,
});
export type SiteStock = z.infer<typeof SiteStock>;

/** Sums over a filter, and the sites that they are made of; the lists of the sites add up to the sums. */
export const StockSummary = Pieces.extend({
  sites: z.array(SiteStock),
  /** Time up to which all of it was read; null before the first reading. */
  asOf: Instant.nullable(),
});
export type StockSummary = z.infer<typeof StockSummary>;

/** One day of the marketplace; quantities are null where the stock was not read that day. */
export const TimelineDay = z.object({
  day: Day.meta({ title: '日期', width: 110 }),
  fulfillable: Quantity.nullable().meta({ title: '可售' }),
  reserved: Quantity.nullable().meta({ title: '预留' }),
  unsellable: Quantity.nullable().meta({ title: '不可售' }),
  researching: Quantity.nullable().meta({ title: '调查中' }),
  inbound: Quantity.nullable().meta({ title: '在途' }),
  total: Quantity.nullable().meta({ title: '合计' }),
});
export type TimelineDay = z.infer<typeof TimelineDay>;

const base = '/amazon/api/v1/inventory/fba';

export const listStock = endpoint({
  title: 'FBA库存列表',
  method: 'POST',
  path: `${base}/list`,
  permission: 'amz:inventory:view',
  access: 'read',
  body: PageQuery(StockFilter),
  sortable: [
    'product',
    'total',
    'onHand',
    'fulfillable',
    'units30',
    'coverDays',
    'inbound',
    'inboundWorking',
    'inboundShipped',
    'inboundReceiving',
    'reserved',
    'reservedCustomer',
    'reservedTransfer',
    'reservedProcessing',
    'unsellable',
    'researching',
    'lastUpdatedAt',
  ],
  reply: Page(StockRow),
});

const Filtered = z.object({ filter: StockFilter.partial().prefault({}) });

/** Rows by tab under the other filters, "all" for every row; a tab that cannot be told is absent. */
export const countStock = endpoint({
  title: 'FBA库存状态统计',
  method: 'POST',
  path: `${base}/counts`,
  permission: 'amz:inventory:view',
  access: 'read',
  concurrent: true,
  body: Filtered,
  reply: z.record(z.string(), z.int()),
});

export const stockSummary = endpoint({
  title: 'FBA库存汇总',
  method: 'POST',
  path: `${base}/summary`,
  permission: 'amz:inventory:view',
  access: 'read',
  concurrent: true,
  body: Filtered,
  reply: StockSummary,
});

export const exportStock = endpoint({
  title: '导出FBA库存',
  method: 'POST',
  path: `${base}/export`,
  permission: 'amz:inventory:export',
  file: true,
  body: ExportQuery(StockFilter),
  reply: z.unknown(),
});

export const stockTimeline = endpoint({
  title: 'FBA库存走势',
  method: 'GET',
  path: `${base}/timeline`,
  permission: 'amz:inventory:view',
  query: z.object({
    id: Id,
    /** Days of the marketplace; the last 90 where left out. */
    from: Day.optional().meta({ title: '开始日期' }),
    to: Day.optional().meta({ title: '结束日期' }),
  }),
  reply: z.object({ row: StockRow, days: z.array(TimelineDay) }),
});
