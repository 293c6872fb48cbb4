import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Currency, Day, Id, Instant, Money, Quantity, Rate, States, Store } from '#kit/contract/field.ts';
import { ExportQuery, ListTotals, Page, PageQuery } from '#kit/contract/page.ts';
import { classOf, type PlSection, SECTIONS } from './fees.ts';

/** Whether the payout of a settlement is due yet, by its deposit date. */
export const TransferState = States(
  {
    pending: { title: '未转账', tone: 'waiting' },
    paid: { title: '已转账', tone: 'done' },
    owed: { title: '无转账', tone: 'off' },
  },
  '转账状态',
);

export const ReconState = States(
  {
    balanced: { title: '已平衡', tone: 'done' },
    unmapped: { title: '有待归类', tone: 'waiting' },
  },
  '校验状态',
);

/** "marketplaceId-accountId", as the list of authorised stores gives it. */
const StoreKey = z.string().max(80);
const Stores = z.array(StoreKey).max(200).meta({ title: '店铺' });

/** One settlement: what Amazon paid for a period, with the proof that its lines are the total. */
export const SettlementRow = z.object({
  id: Id,
  settlementId: z.string().meta({ title: '结算编号', kind: 'code', width: 130, pinned: 'left' }),
  store: Store.meta({ title: '店铺', kind: 'store', width: 150 }),
  startAt: Instant.nullable().meta({ title: '周期开始', width: 112 }),
  endAt: Instant.meta({ title: '周期结束', width: 112 }),
  transfer: TransferState.meta({ width: 96 }),
  currency: Currency.meta({ width: 68 }),
  total: Money.meta({ title: '存款总计', currency: 'currency', width: 126 }),
  lineSum: Money.meta({ title: '行合计', currency: 'currency', width: 126 }),
  gap: Money.meta({ title: '差额', currency: 'currency', width: 90, tip: '存款总计减去所有明细行之和' }),
  recon: ReconState.meta({ width: 100 }),
  depositAt: Instant.nullable().meta({ title: '转账日期', width: 112 }),
  lineCount: Quantity.meta({ title: '明细行数', width: 90 }),
  orderCount: Quantity.meta({ title: '订单数', width: 80 }),
  unmapped: Quantity.meta({ title: '待归类行数', width: 100, optional: true }),
  form: Choice({ v1: 'V1', v2: 'V2' }, '文件格式').meta({ optional: true, width: 90 }),
  version: Quantity.meta({ title: '版本', optional: true, width: 70 }),
  fileName: z.string().meta({ title: '来源文件', optional: true, width: 220 }),
  loadedAt: Instant.meta({ title: '导入时间', optional: true, width: 130 }),
});
export type SettlementRow = z.infer<typeof SettlementRow>;

export const SettlementFilter = z.object({
  transfer: TransferState,
  stores: Stores,
  dateType: Choice({ end: '结算日期', deposit: '转账日期' }, '日期类型'),
  date: z.object({ from: Day.optional(), to: Day.optional() }).meta({ title: '日期', kind: 'date' }),
  recon: ReconState,
  search: z.string().trim().max(60).meta({ title: '结算编号' }),
});
const AnySettlementFilter = SettlementFilter.partial();
export type SettlementFilter = z.infer<typeof AnySettlementFilter>;

const base = '/amazon/api/v1/settlement';
const view = 'fin:settlement:view';

export const listSettlements = endpoint({
  title: '结算记录列表',
  method: 'POST',
  path: `${base}/list`,
  permission: view,
  access: 'read',
  body: PageQuery(SettlementFilter),
  sortable: [
    'settlementId',
    'startAt',
    'endAt',
    'total',
    'depositAt',
    'lineCount',
    'orderCount',
    'unmapped',
    'loadedAt',
  ],
  reply: Page(SettlementRow),
});

/** Number of settlements by transfer state, "all" for their sum. */
export const countSettlements = endpoint({
  title: '结算记录数量',
  method: 'POST',
  path: `${base}/statusCounts`,
  permission: view,
  access: 'read',
  body: z.object({ filter: AnySettlementFilter.default({}) }),
  reply: z.record(z.string(), z.int()),
});

/** One kind of fee within a transaction type. */
const PivotRow = z.object({
  currency: Currency,
  transactionType: z.string().meta({ title: '交易类型' }),
  feeCode: z.string(),
  feeTitle: z.string().meta({ title: '费用类型' }),
  section: z.enum(Object.keys(SECTIONS) as [keyof typeof SECTIONS]),
  amount: Money.meta({ title: '金额', currency: 'currency' }),
  lines: Quantity.meta({ title: '行数' }),
});

/** Money of one currency: in settlement files, and still open with Amazon. */
const Card = z.object({
  currency: Currency,
  settled: Money.meta({ title: '已结算金额', currency: 'currency' }),
  deferred: Money.meta({ title: '递延金额', currency: 'currency' }),
  released: Money.meta({ title: '待结金额', currency: 'currency' }),
  open: Money.meta({ title: '未结算金额', currency: 'currency' }),
  total: Money.meta({ title: '总金额', currency: 'currency' }),
  failed: Money.meta({ title: '转账失败金额', currency: 'currency' }),
});
export type SettlementCard = z.infer<typeof Card>;

/** `cards` has one set of amounts per currency; `totals` the same amounts over all of them, see mixedOf() of the kit. */
export const summarySettlements = endpoint({
  title: '结算汇总',
  method: 'POST',
  path: `${base}/summary`,
  permission: view,
  access: 'read',
  body: z.object({ filter: AnySettlementFilter.default({}) }),
  reply: z.object({ cards: z.array(Card), totals: ListTotals, pivot: z.array(PivotRow) }),
});

/** A leaf of the fee tree: one amount-description below its amount-type. */
const TreeItem = z.object({
  title: z.string(),
  amountDescription: z.string(),
  feeCode: z.string(),
  amount: Money,
  share: Rate.nullable(),
  lines: Quantity,
});
const TreeNode = z.object({
  section: z.enum(Object.keys(SECTIONS) as [keyof typeof SECTIONS]),
  title: z.string(),
  amount: Money,
  /** Part of the gross sales; null without sales. */
  share: Rate.nullable(),
  items: z.array(TreeItem),
});
export type FeeNode = z.infer<typeof TreeNode>;

export const ProofCheck = z.object({
  code: z.enum(['A', 'B', 'C']),
  title: z.string(),
  expected: Money,
  actual: Money,
  gap: Money,
  ok: z.boolean(),
  detail: z.string(),
});
export type ProofCheck = z.infer<typeof ProofCheck>;

export const SettlementDetail = z.object({
  settlement: SettlementRow,
  figures: z.object({
    sales: Money,
    units: Quantity,
    orders: Quantity,
    skuNet: Money,
    shopFees: Money,
    fees: Money,
  }),
  tree: z.array(TreeNode),
  /** Money of the whole store, without a SKU. */
  shop: z.array(TreeItem),
  proof: z.object({ total: Money, lineSum: Money, gap: Money }),
  checks: z.array(ProofCheck),
});
export type SettlementDetail = z.infer<typeof SettlementDetail>;

export const settlementDetail = endpoint({
  title: '账期详情',
  method: 'GET',
  path: `${base}/detail/:id`,
  permission: view,
  params: z.object({ id: Id }),
  reply: SettlementDetail,
});

/** One line of the ledger as the drill-down shows it. */
export const MoneyLineRow = z.object({
  /** "<document>:<line>:<part>". */
  key: z.string().meta({ title: '行', hidden: true }),
  lineNo: Quantity.meta({ title: '文件行', width: 80 }),
  postedAt: Instant.meta({ title: '发生时间', width: 130 }),
  postedDate: Day.meta({ title: '站点日', width: 100 }),
  transactionType: z.string().meta({ title: '交易类型', width: 120 }),
  amountType: z.string().meta({ title: '金额类型', width: 130 }),
  amountDescription: z.string().meta({ title: '金额说明', width: 200 }),
  feeTitle: z.string().meta({ title: '费用科目', width: 110 }),
  reference: z.string().nullable().meta({ title: '订单/关联号', kind: 'code', width: 180 }),
  sku: z.string().meta({ title: 'SKU', kind: 'code', width: 150 }),
  quantity: Quantity.nullable().meta({ title: '数量', width: 70 }),
  currency: Currency.meta({ hidden: true }),
  amount: Money.meta({ title: '金额', currency: 'currency', width: 120 }),
  site: z.string().meta({ title: '站点', width: 70 }),
  siteFrom: Choice({ FILE: '文件', ORDER: '同订单', HOME: '结算站点' }, '站点来源').meta({ optional: true, width: 90 }),
});
export type MoneyLineRow = z.infer<typeof MoneyLineRow>;

const SectionKey = z.enum(Object.keys(SECTIONS) as [keyof typeof SECTIONS]);

export const LineFilter = z.object({
  /** Lines of any of these sections; a figure may span several. */
  sections: z.array(SectionKey).max(20),
  feeCode: z.string().max(40),
  amountDescription: z.string().max(300),
  transactionType: z.string().max(200),
  /** true: only money of the whole store; false: only with a SKU. */
  shop: z.boolean(),
  /** true: only lines that belong to an Amazon order. */
  ordered: z.boolean(),
  sku: z.string().trim().max(100).meta({ title: 'SKU' }),
  order: z.string().trim().max(60).meta({ title: '订单号' }),
});
const AnyLineFilter = LineFilter.partial();
export type LineFilter = z.infer<typeof AnyLineFilter>;

/** Sections that are not a balance between Amazon and the seller. */
const COUNTED = (Object.keys(SECTIONS) as PlSection[]).filter((section) => classOf(section) !== 'BALANCE');

/**
 * The lines behind each head figure of a settlement. They add up to it: by amount, `units` by quantity, `orders` by
 * the number of different orders.
 */
export const FIGURE_LINES: Record<'total' | keyof SettlementDetail['figures'], LineFilter> = {
  total: {},
  sales: { feeCode: 'PRINCIPAL' },
  units: { feeCode: 'PRINCIPAL' },
  orders: { ordered: true, transactionType: 'Order' },
  skuNet: { sections: COUNTED, shop: false },
  shopFees: { sections: COUNTED, shop: true },
  fees: { sections: ['FEE', 'ADS'] },
};

const LineParams = z.object({ id: Id });

export const settlementLines = endpoint({
  title: '结算明细行',
  method: 'POST',
  path: `${base}/lines/:id`,
  permission: view,
  access: 'read',
  params: LineParams,
  body: PageQuery(LineFilter),
  sortable: ['lineNo', 'postedAt', 'amount', 'sku', 'transactionType'],
  reply: Page(MoneyLineRow),
});

export const exportLines = endpoint({
  title: '导出结算明细行',
  method: 'POST',
  path: `${base}/lines/:id/export`,
  permission: 'fin:settlement:export',
  access: 'read',
  params: LineParams,
  body: ExportQuery(LineFilter),
  file: true,
  reply: z.unknown(),
});

export const exportSettlements = endpoint({
  title: '导出结算记录',
  method: 'POST',
  path: `${base}/export`,
  permission: 'fin:settlement:export',
  access: 'read',
  body: ExportQuery(SettlementFilter),
  file: true,
  reply: z.unknown(),
});

/** Adds the stored lines up once more and compares: total, classification, reserve carried over. */
export const verifySettlement = endpoint({
  title: '校验结算单',
  method: 'POST',
  path: `${base}/verify/:id`,
  permission: 'fin:settlement:run',
  params: LineParams,
  reply: z.object({ ok: z.boolean(), checks: z.array(ProofCheck) }),
});
