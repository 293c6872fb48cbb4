import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Currency, Day, Instant, Money, Product, Quantity, Rate, Store } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { MoneyLineRow } from '#modules/settlement/contract/settlements.ts';
import { FIGURE_KEYS } from './figures.ts';

export const VIEW = 'fin:profit:view';
export const EXPORT = 'fin:profit:export';
export const COST = 'fin:cost:view';
const money = (title: string, group: string, extra: object = {}) =>
  Money.nullable().meta({ title, group, currency: 'currency', width: 116, ...extra });
const result = (title: string, extra: object = {}) =>
  Money.nullable().meta({ title, group: '利润', currency: 'currency', width: 116, pinned: 'right', ...extra });

export const DIMENSIONS = {
  sku: 'SKU',
  msku: 'MSKU',
  asin: 'ASIN',
  parent: '父ASIN',
  brand: '品牌',
  category: '品类',
  owner: '负责人',
  store: '店铺',
  day: '日趋势',
  month: '月',
} as const;
export type Dimension = keyof typeof DIMENSIONS;

/** Fields that name a row, by dimension. */
export const NAMES: Record<Dimension, readonly string[]> = {
  sku: ['product'],
  msku: ['product', 'store'],
  asin: ['product'],
  parent: ['product'],
  brand: ['name'],
  category: ['name'],
  owner: ['name'],
  store: ['store'],
  day: ['day'],
  month: ['month'],
};
export const ALL_NAMES: readonly string[] = ['product', 'name', 'store', 'day', 'month'];

/** Dimensions that put listings together by what they belong to today, or by who answered for them on each day. */
export const GOODS = ['asin', 'parent', 'brand', 'category', 'owner'] as const satisfies readonly Dimension[];
export type Goods = (typeof GOODS)[number];
const goods: readonly Dimension[] = GOODS;
export const isGoods = (dimension: Dimension): dimension is Goods => goods.includes(dimension);

/** One row of the report: a SKU, a SKU in one store, what several listings belong to, a store, a day, or a month. */
export const ProfitRow = z.object({
  /** "<sku>\t<store>\t<day>\t<month>\t<goods>\t<currency>". */
  id: z.string().meta({ title: '行', hidden: true }),
  sku: z.string().nullable().meta({ title: 'SKU', hidden: true }),
  storeKey: z.string().nullable().meta({ title: '店铺', hidden: true }),
  /** Key in a goods dimension: ASIN, or id of brand, category or owner; '' is what has none. */
  goods: z.string().nullable().meta({ title: '归属', hidden: true }),
  product: Product.nullable().meta({ title: '商品', kind: 'product', width: 260, pinned: 'left' }),
  name: z.string().nullable().meta({ title: '名称', kind: 'text', width: 180, pinned: 'left' }),
  store: Store.nullable().meta({ title: '店铺', kind: 'store', width: 150, pinned: 'left' }),
  day: Day.nullable().meta({ title: '日期', width: 110, pinned: 'left' }),
  /** "yyyy-MM". */
  month: z.string().nullable().meta({ title: '月份', kind: 'month', width: 110, pinned: 'left' }),
  currency: Currency.meta({ title: '币种', optional: true, width: 72 }),
  units: Quantity.meta({ title: '销量', group: '销售', width: 80, good: 'up' }),
  orders: Quantity.meta({ title: '订单量', group: '销售', width: 80, optional: true }),
  sales: money('销售额', '销售', { good: 'up' }),
  refund: money('退款', '销售'),
  refundUnits: Quantity.meta({ title: '退款数量', group: '销售', width: 90, optional: true }),
  refundRate: Rate.nullable().meta({ title: '退款率', group: '销售', width: 84, good: 'down' }),
  promotion: money('促销', '销售', { tip: '促销折扣与运费冲回' }),
  netSales: money('净销售额', '销售', { tip: '销售额 + 促销 + 退款，不含税' }),
  commission: money('佣金', '平台费用', { tip: '佣金、结算费与数字服务费' }),
  refundFee: money('退款费用', '平台费用', { tip: '退回佣金减退款管理费' }),
  fba: money('FBA费用', '平台费用'),
  otherFee: money('其它费用', '平台费用'),
  storageShare: money('仓储分摊', '平台费用', { tip: '店铺仓储费，按当月净销售额分摊' }),
  otherShare: money('其它分摊', '平台费用', { tip: '没有 SKU 的其它店铺收支，按当月净销售额分摊' }),
  ads: money('广告费', '广告', { tip: '结算中的广告扣款：按当月各 SKU 的实际广告花费归属，其余按当月净销售额分摊' }),
  reimbursement: money('赔偿', '其它'),
  tax: money('代收税', '其它', { optional: true, tip: '代收与代扣相抵，通常为 0' }),
  unmapped: money('待归类', '其它', { optional: true }),
  platformNet: money('SKU结算', '其它', { tip: '以上各项之和' }),
  cogs: Money.nullable().meta({
    title: '采购成本',
    group: '成本',
    currency: 'currency',
    width: 116,
    permission: COST,
    tip: '发货件数 × 当日有效的采购单价',
  }),
  fees: Money.nullable().meta({
    title: '自定义费用',
    group: '成本',
    currency: 'currency',
    width: 116,
    permission: COST,
    tip: '费用分摊单计入的费用；整店的费用按当月净销售额分摊。订单利润不含',
  }),
  costMissing: Quantity.meta({ title: '缺成本件数', group: '成本', width: 96, optional: true }),
  profit: result('毛利润', { good: 'up', permission: COST }),
  margin: Rate.nullable().meta({
    title: '毛利率',
    group: '利润',
    width: 84,
    pinned: 'right',
    good: 'up',
    permission: COST,
    tip: '毛利润 ÷ 净销售额',
  }),
  roi: Rate.nullable().meta({
    title: 'ROI',
    group: '利润',
    width: 84,
    pinned: 'right',
    good: 'up',
    permission: COST,
    tip: '毛利润 ÷ 采购成本',
  }),
  settledShare: Rate.nullable().meta({ title: '已结算', group: '数据状态', width: 84, optional: true }),
  /** A rate is missing: amounts in this currency cannot be shown. */
  fxMissing: z.boolean().meta({ title: '缺汇率', hidden: true }),
});
export type ProfitRow = z.infer<typeof ProfitRow>;

/** By which day money counts: see profit.profit_daily. */
export const BASES = { BOOKED: '入账', BELONG: '归属' } as const;
export type Basis = keyof typeof BASES;

export const ProfitFilter = z.object({
  dimension: Choice(DIMENSIONS, '维度'),
  stores: z.array(z.string().max(80)).max(200).meta({ title: '店铺' }),
  date: z.object({ from: Day.optional(), to: Day.optional() }).meta({ title: '日期', kind: 'date' }),
  skus: z.array(z.string().max(100)).max(500).meta({ title: 'SKU', kind: 'code' }),
  currency: Choice({ CNY: '人民币', USD: '美元', ORIGINAL: '原币' }, '币种'),
  basis: Choice(BASES, '期间口径'),
});
const AnyProfitFilter = ProfitFilter.partial();
export type ProfitFilter = z.infer<typeof AnyProfitFilter>;

/** A row of a goods dimension, by its key. */
export const GoodsRow = z.object({ by: z.enum(GOODS), key: z.string().max(100) });
export type GoodsRow = z.infer<typeof GoodsRow>;

/** A filter, and what of it a row of the report stands for. */
const ScopeFields = z.object({
  ...ProfitFilter.shape,
  goods: GoodsRow,
  month: z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, '月份格式应为 yyyy-MM'),
});
const AnyProfitScope = ScopeFields.partial();
export type ProfitScope = z.infer<typeof AnyProfitScope>;

const base = '/amazon/api/v1/profit/report';
const view = VIEW;
const FilterBody = z.object({ filter: AnyProfitScope.default({}) });

/** What rows of any dimension are sorted by. */
export const SORTABLE = [
  'sku',
  'day',
  'month',
  'units',
  'orders',
  'refundUnits',
  'refundRate',
  'netSales',
  'platformNet',
  'cogs',
  'fees',
  'costMissing',
  'profit',
  'margin',
  'roi',
  'settledShare',
  ...FIGURE_KEYS,
];

export const listProfit = endpoint({
  title: '利润报表列表',
  method: 'POST',
  path: `${base}/list`,
  permission: view,
  access: 'read',
  body: PageQuery(ScopeFields),
  sortable: SORTABLE,
  reply: Page(ProfitRow),
});

export const exportProfit = endpoint({
  title: '导出利润报表',
  method: 'POST',
  path: `${base}/export`,
  permission: EXPORT,
  access: 'read',
  body: ExportQuery(ProfitFilter),
  file: true,
  reply: z.unknown(),
});

/** Sums of a period in one currency. Null: a rate is missing, or the caller may not see costs. */
export const ProfitSums = z.object({
  units: Quantity,
  sales: Money.nullable(),
  netSales: Money.nullable(),
  platformFees: Money.nullable(),
  ads: Money.nullable(),
  platformNet: Money.nullable(),
  cogs: Money.nullable(),
  fees: Money.nullable(),
  profit: Money.nullable(),
  margin: Rate.nullable(),
});
export type ProfitSums = z.infer<typeof ProfitSums>;

export const ProfitTotal = z.object({
  currency: Currency,
  /** Amounts of several currencies were converted. */
  converted: z.boolean(),
  current: ProfitSums,
  /** The period of the same length just before; null where it has no data. */
  previous: ProfitSums.nullable(),
  quality: z.object({
    missingCostSkus: Quantity,
    /** Currencies and months without a rate, e.g. "SEK 2026-01". */
    missingRates: z.array(z.string()),
    presetRates: z.array(z.string()),
    /** Part of the money that a settlement file proves. */
    settledShare: Rate.nullable(),
    unmapped: Money.nullable(),
    unallocated: Money.nullable(),
    /** Profit, or platform net for who sees no costs, of months that were closed before it came; null where nothing came. */
    late: Money.nullable(),
  }),
  settledUntil: Day.nullable(),
  asOf: Instant.nullable(),
});
export type ProfitTotal = z.infer<typeof ProfitTotal>;

export const totalProfit = endpoint({
  title: '利润报表合计',
  method: 'POST',
  path: `${base}/total`,
  permission: view,
  access: 'read',
  body: FilterBody,
  reply: ProfitTotal,
});

/** One day of the trend; its currency is that of the whole answer. */
export const TrendPoint = z.object({
  day: Day.meta({ title: '日期' }),
  currency: Currency.meta({ hidden: true }),
  units: Quantity.meta({ title: '销量' }),
  sales: Money.nullable().meta({ title: '销售额', currency: 'currency' }),
  netSales: Money.nullable().meta({ title: '净销售额', currency: 'currency' }),
  profit: Money.nullable().meta({ title: '毛利润', currency: 'currency', good: 'up', permission: COST }),
  settledShare: Rate.nullable().meta({ title: '已结算' }),
});
export type TrendPoint = z.infer<typeof TrendPoint>;

export const trendProfit = endpoint({
  title: '利润日趋势',
  method: 'POST',
  path: `${base}/trend`,
  permission: view,
  access: 'read',
  body: FilterBody,
  reply: z.object({ currency: Currency, points: z.array(TrendPoint) }),
});

/** One share of the store's money: how much there was that day, and the part of this SKU. */
const SharePart = z.object({
  day: Day,
  store: Store,
  title: z.string(),
  currency: Currency,
  whole: Money,
  part: Money,
  /** Part of the base: net sales of the SKU in the month over those of the store. */
  weight: Rate.nullable(),
});
/**
 * Purchase cost of one day: pieces times the unit cost of that day. Amount without unit cost: the cost of pieces that a closed
 * month had already changed.
 */
const CostPart = z.object({
  day: Day,
  store: Store,
  units: Quantity,
  unitCost: Money.nullable(),
  amount: Money.nullable(),
});
/** What a document put on one day of a SKU or of the whole store (`sku` ''), in CNY; negative as the report shows it. */
const FeePart = z.object({
  id: z.string(),
  day: Day,
  store: Store,
  sku: z.string(),
  documentId: z.string(),
  number: z.string(),
  feeType: z.string(),
  amount: Money,
});
/** `late`: what the figure has of months that were closed before, less what other months have of its own days. */
const DrillProof = z.object({
  title: z.string(),
  currency: Currency,
  figure: Money,
  lines: Money,
  late: Money,
  gap: Money,
});

export const DrillBody = PageQuery(
  z.object({
    ...ScopeFields.shape,
    /** The row that was opened: parts of its id that are not empty. */
    sku: z.string().max(100).nullable(),
    storeKey: z.string().max(80).nullable(),
    day: Day.nullable(),
    rowCurrency: Currency.nullable(),
    figure: z.enum(['cogs', 'fees', ...FIGURE_KEYS]),
  }),
);

/** Rows of what a figure is made of that are told; proofs count all of them. */
export const MOST_PARTS = 1_000;

export const drillProfit = endpoint({
  title: '利润费用行',
  method: 'POST',
  path: `${base}/drill`,
  permission: view,
  access: 'read',
  body: DrillBody,
  reply: z.object({
    lines: Page(MoneyLineRow),
    shares: z.array(SharePart),
    costs: z.array(CostPart),
    fees: z.array(FeePart),
    /** Figure of the rollup against the sum of what is behind it, by currency. */
    proof: z.array(DrillProof),
  }),
});
