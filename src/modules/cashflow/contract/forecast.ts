import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Currency, Day, Decimal, Money, Quantity, States, Store } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { EXPORT, root, VIEW } from './fields.ts';

/** How many days are looked at, today among them. */
export const Horizon = Choice({ D30: '30天', D60: '60天', D90: '90天' }, '范围');
export type Horizon = z.infer<typeof Horizon>;
export const USUAL_HORIZON: Horizon = 'D30';

/** Days of a horizon. */
export const daysIn = (horizon: Horizon): number => Number(horizon.slice(1));

export const CashState = States({
  overdue: { title: '逾期', tone: 'trouble' },
  certain: { title: '确定', tone: 'done' },
  estimated: { title: '预计', tone: 'waiting' },
});
export type CashState = z.infer<typeof CashState>;

export const Direction = Choice({ IN: '流入', OUT: '流出' }, '方向');

/** Money that is expected: what comes in is more than 0, what goes out less. */
export const CashItem = z.object({
  id: z.string().meta({ title: '行', hidden: true }),
  day: Day.meta({ title: '预计日期', width: 104, pinned: 'left', tip: '逾期未收付的按今天计入' }),
  state: CashState.meta({ width: 80 }),
  kind: z.string().meta({ title: '类型', width: 104 }),
  direction: Direction.meta({ width: 64 }),
  title: z.string().meta({ title: '内容', width: 220 }),
  number: z.string().meta({ title: '单据', kind: 'code', width: 180 }),
  party: z.string().meta({ title: '对方', width: 150 }),
  store: Store.nullable().meta({ title: '店铺', kind: 'store', width: 140 }),
  amount: Money.meta({ title: '金额', currency: 'currency', width: 126, tip: '流出为负' }),
  currency: Currency.meta({ title: '币种', width: 64, optional: true }),
  worth: Money.nullable().meta({
    title: '折合人民币',
    currency: 'CNY',
    width: 130,
    tip: '按今天的汇率逐笔折算到分；缺少汇率的不折算，也不计入合计',
  }),
  dueOn: Day.meta({ title: '原定日期', width: 104 }),
  basis: z.string().meta({ title: '日期依据', width: 260 }),
  to: z
    .object({ path: z.string(), title: z.string(), query: z.record(z.string(), z.string()) })
    .meta({ title: '页面', hidden: true }),
});
export type CashItem = z.infer<typeof CashItem>;

/** "marketplaceId-accountId", as the list of authorised stores gives it. */
const StoreKey = z.string().max(80);

/** 30 days where no horizon is named. */
export const CashFilter = z.object({
  horizon: Horizon,
  date: z.object({ from: Day.optional(), to: Day.optional() }).meta({ title: '预计日期', kind: 'date' }),
  state: CashState,
  direction: Direction,
  kinds: z.array(z.string().max(40)).max(30).meta({ title: '类型' }),
  stores: z.array(StoreKey).max(200).meta({ title: '店铺' }),
  currency: Currency.meta({ title: '币种', kind: 'text' }),
  keyword: z.string().trim().max(100).meta({ title: '内容、单据、对方', optional: true }),
});
const Loose = CashFilter.partial();
export type CashFilter = z.infer<typeof Loose>;

/** A currency as it is on hand and expected, in itself. */
export const CashCurrency = z.object({
  currency: Currency,
  opening: Money.meta({ title: '期初余额', currency: 'currency', width: 130 }),
  inflow: Money.meta({ title: '预计流入', currency: 'currency', width: 130 }),
  outflow: Money.meta({ title: '预计流出', currency: 'currency', width: 130 }),
  rate: Decimal.nullable().meta({ title: '今日汇率', width: 100, tip: '1 单位兑人民币' }),
  from: Choice({ base: '本位币', own: '我的汇率', day: '官方汇率', none: '缺少汇率' }, '汇率来源').meta({ width: 100 }),
});
export type CashCurrency = z.infer<typeof CashCurrency>;

/** All in CNY, over what has a rate. */
export const CashDay = z.object({
  day: Day.meta({ title: '日期', width: 110 }),
  inflow: Money.meta({ title: '流入', currency: 'CNY' }),
  outflow: Money.meta({ title: '流出', currency: 'CNY' }),
  /** At the end of the day. */
  balance: Money.meta({ title: '余额', currency: 'CNY' }),
  items: Quantity.meta({ title: '笔数' }),
  overdue: Quantity.meta({ title: '逾期笔数' }),
  below: z.boolean().meta({ title: '低于安全余额', kind: 'boolean' }),
});
export type CashDay = z.infer<typeof CashDay>;

/** Opening balance, what is expected by day until the horizon, and what the balance comes to. Amounts in CNY. */
export const readForecast = endpoint({
  title: '现金流预测',
  method: 'POST',
  path: `${root}/read`,
  permission: VIEW,
  access: 'read',
  body: z.object({ horizon: Horizon.default(USUAL_HORIZON) }),
  reply: z.object({
    today: Day,
    until: Day,
    floor: Money,
    opening: Money,
    inflow: Money,
    outflow: Money,
    closing: Money,
    /** The lowest balance at the end of a day, and the first day that ends with it. */
    lowest: z.object({ day: Day, balance: Money }),
    /** Days that end below the floor, and the first of them. */
    gaps: z.object({ count: z.int(), first: Day.nullable() }),
    overdue: z.object({ count: z.int(), inflow: Money, outflow: Money }),
    /** What nobody agreed on a day for; in none of the other figures. */
    undated: z.object({ count: z.int(), inflow: Money, outflow: Money }),
    days: z.array(CashDay),
    currencies: z.array(CashCurrency),
    kinds: z.array(z.object({ kind: z.string(), title: z.string(), inflow: Money, outflow: Money, items: z.int() })),
    /** Kinds that the caller may not see: they are in none of the figures. */
    hidden: z.array(z.string()),
  }),
});

/** The kinds of money that the caller may see, in their order. */
export const cashKinds = endpoint({
  title: '预计收付类型',
  method: 'GET',
  path: `${root}/kinds`,
  permission: VIEW,
  access: 'read',
  reply: z.array(z.object({ kind: z.string(), title: z.string() })),
});

export const SORTABLE = ['day', 'kind', 'amount', 'worth', 'dueOn', 'number', 'party'];

/** What is expected, by day; `totals.worth` is in CNY over what has a rate. */
export const listCash = endpoint({
  title: '预计收付列表',
  method: 'POST',
  path: `${root}/list`,
  permission: VIEW,
  access: 'read',
  sortable: SORTABLE,
  body: PageQuery(CashFilter),
  reply: Page(CashItem),
});

export const exportCash = endpoint({
  title: '导出预计收付',
  method: 'POST',
  path: `${root}/export`,
  permission: EXPORT,
  access: 'read',
  file: true,
  body: ExportQuery(CashFilter),
  reply: z.unknown(),
});
