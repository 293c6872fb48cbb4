import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Currency, Day, Instant, Money, Product, Quantity, Rate, States, Store } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { MoneyLineRow } from '#modules/settlement/contract/settlements.ts';
import { COST, EXPORT, VIEW } from './report.ts';

const money = (title: string, extra: object = {}) =>
  Money.nullable().meta({ title, currency: 'currency', width: 108, ...extra });

/** How far the money of an order is proved by settlement files. */
export const OrderMoneyState = States(
  {
    settled: { title: '已结算', tone: 'done' },
    partly: { title: '部分结算', tone: 'running' },
    open: { title: '未结算', tone: 'waiting' },
  },
  '结算状态',
);

/**
 * What an order has brought so far in one store and currency: amounts with the seller's sign, as the money lines state
 * them; money without an order number (storage, advertising, subscriptions) belongs to no order.
 */
export const OrderProfitRow = z.object({
  /** "<account>~<order>~<marketplace>~<currency>". */
  id: z.string().meta({ title: '行', hidden: true }),
  /** "seller~order" for the order's page; null where the order itself has not been read. */
  orderKey: z.string().nullable().meta({ title: '订单', hidden: true }),
  orderId: z.string().meta({ title: '订单号', kind: 'code', width: 212, pinned: 'left' }),
  product: Product.nullable().meta({ title: '商品信息', kind: 'product', width: 240 }),
  store: Store.meta({ title: '店铺-站点', kind: 'store', width: 140 }),
  purchasedAt: Instant.nullable().meta({ title: '订购时间', width: 128, optional: true }),
  firstDate: Day.meta({ title: '首次记账', width: 100, tip: '该订单第一笔收支的站点日期' }),
  lastDate: Day.meta({ title: '最近记账', width: 100, optional: true }),
  state: OrderMoneyState.meta({ width: 92 }),
  currency: Currency.meta({ title: '币种', hidden: true }),
  units: Quantity.meta({ title: '发货件数', width: 84 }),
  refundUnits: Quantity.meta({ title: '退款件数', width: 84 }),
  sales: money('销售额', { good: 'up', tip: '商品、运费与礼品包装' }),
  promotion: money('促销'),
  refund: money('退款'),
  commission: money('佣金'),
  refundFee: money('退款费用', { optional: true, tip: '退回佣金减退款管理费' }),
  fba: money('FBA费用'),
  otherFee: money('其它费用', { optional: true }),
  reimbursement: money('赔偿', { optional: true }),
  tax: money('代收税', { optional: true }),
  unmapped: money('待归类', { optional: true }),
  net: money('到账净额', { tip: '以上各项之和：结算文件加上未结算的账务交易' }),
  cogs: Money.nullable().meta({
    title: '采购成本',
    currency: 'currency',
    width: 108,
    permission: COST,
    tip: '发货件数 × 记账日有效的采购单价，按当月汇率换算；缺成本时为空',
  }),
  profit: Money.nullable().meta({
    title: '毛利润',
    currency: 'currency',
    width: 108,
    pinned: 'right',
    good: 'up',
    permission: COST,
    tip: '到账净额减采购成本；有商品缺成本时为空',
  }),
  margin: Rate.nullable().meta({
    title: '毛利率',
    width: 84,
    good: 'up',
    permission: COST,
    tip: '毛利润 ÷（销售额 + 促销 + 退款）',
  }),
  ordered: money('订单商品金额', { tip: '订单上的商品金额，未减折扣' }),
  gap: money('对账差额', { tip: '已记账的商品金额减订单商品金额；仅全部发货的订单' }),
});
export type OrderProfitRow = z.infer<typeof OrderProfitRow>;

/** Order numbers as Amazon writes them. */
const ORDER_NUMBER = /^(\d{3}|S\d{2})-\d{7}-\d{7}$/;

export const OrderProfitFilter = z.object({
  state: OrderMoneyState,
  stores: z.array(z.string().max(80)).max(200).meta({ title: '店铺' }),
  date: z
    .object({ from: Day.optional(), to: Day.optional() })
    .refine(({ from, to }) => !from || !to || from <= to, '结束日期不能早于开始日期')
    .meta({ title: '首次记账', kind: 'date' }),
  /** Numbers stand for themselves: the dates do not narrow them. */
  orderIds: z
    .array(z.string().trim().regex(ORDER_NUMBER, '订单号格式应为 3-7-7 位数字'))
    .max(500, '一次最多查询 500 个订单号')
    .meta({ title: '订单号', kind: 'code' }),
  sku: z.string().trim().max(100).meta({ title: 'MSKU', kind: 'text' }),
  /** Only for those who may see costs. */
  result: Choice({ loss: '亏损', gain: '盈利', unknown: '缺成本' }, '盈亏'),
  refunded: z.boolean().meta({ title: '有退款' }),
  differs: z.boolean().meta({ title: '对账有差额', optional: true }),
});
const AnyFilter = OrderProfitFilter.partial();
export type OrderProfitFilter = z.infer<typeof AnyFilter>;

const base = '/amazon/api/v1/profit/order';

/** Amounts that most orders do not have. */
export const RARE_AMOUNTS = ['refundFee', 'otherFee', 'reimbursement', 'tax', 'unmapped'] as const;

/** Amounts that are added up. */
export const ORDER_AMOUNTS = ['sales', 'promotion', 'refund', 'commission', 'fba', 'net', 'cogs', 'profit'] as const;

/** Orders with money, those that were posted last first. `totals` covers the whole filter, see mixedOf() of the kit. */
export const listOrderProfit = endpoint({
  title: '订单利润列表',
  method: 'POST',
  path: `${base}/list`,
  permission: VIEW,
  access: 'read',
  body: PageQuery(OrderProfitFilter),
  sortable: ['firstDate', 'lastDate', 'units', 'refundUnits', 'margin', ...ORDER_AMOUNTS, ...RARE_AMOUNTS],
  reply: Page(OrderProfitRow),
});

export const exportOrderProfit = endpoint({
  title: '导出订单利润',
  method: 'POST',
  path: `${base}/export`,
  permission: EXPORT,
  access: 'read',
  body: ExportQuery(OrderProfitFilter),
  file: true,
  reply: z.unknown(),
});

/** A money line of an order, and whether a settlement file proves it. */
export const OrderMoneyLine = MoneyLineRow.extend({
  /** Id of the row that the line counts in. */
  row: z.string().meta({ title: '行', hidden: true }),
  stage: Choice({ DEFERRED: '递延', RELEASED: '待结', SETTLED: '已结算' }, '结算').meta({ width: 84 }),
});
export type OrderMoneyLine = z.infer<typeof OrderMoneyLine>;

/**
 * What is known of the money of one order, "seller~order" or the bare number where only one seller has it: its rows, one for
 * each store and currency, and their lines, oldest first; at most 1,000.
 */
export const orderProfit = endpoint({
  title: '订单利润',
  method: 'GET',
  path: `${base}/detail/:id`,
  permission: VIEW,
  params: z.object({ id: z.string().min(1).max(120).meta({ title: '订单' }) }),
  reply: z.object({ rows: z.array(OrderProfitRow), lines: z.array(OrderMoneyLine) }),
});
