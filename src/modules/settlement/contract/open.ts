import { z } from 'zod';
import { compared } from '#kit/contract/compare.ts';
import { comparedCalls, comparing } from '#kit/contract/compared-calls.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Currency, Day, Instant, Money, Quantity, States, Store } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';

/** How far the money of a transaction that no settlement covers has come. */
export const OpenState = States(
  {
    deferred: { title: '递延', tone: 'waiting' },
    released: { title: '待结', tone: 'running' },
  },
  '状态',
);

/** One amount of a transaction that Amazon has told and no settlement covers yet; all of them are 未结算金额. */
export const OpenRow = z.object({
  /** "<transaction>:<line>:<part>". */
  id: z.string().meta({ title: '行', hidden: true }),
  reference: z.string().nullable().meta({ title: '订单号', kind: 'code', width: 200, pinned: 'left' }),
  store: Store.meta({ title: '店铺', kind: 'store', width: 136 }),
  state: OpenState.meta({ width: 84 }),
  postedAt: Instant.meta({ title: '发生时间', width: 112 }),
  maturesAt: Instant.nullable().meta({ title: '预计释放', width: 112, tip: '递延款预计转为待结的时间' }),
  transactionType: z.string().meta({ title: '事件', width: 110 }),
  sku: z.string().meta({ title: 'SKU', kind: 'code', width: 150 }),
  feeTitle: z.string().meta({ title: '费用科目', width: 100 }),
  amountDescription: z.string().meta({ title: '金额说明', width: 190 }),
  quantity: Quantity.nullable().meta({ title: '数量', width: 64 }),
  currency: Currency.meta({ hidden: true }),
  amount: Money.meta({ title: '金额', currency: 'currency', width: 120, pinned: 'right' }),
});
export type OpenRow = z.infer<typeof OpenRow>;

/** "marketplaceId-accountId", as the list of authorised stores gives it. */
const StoreKey = z.string().max(80);

const Days = z.object({ from: Day.optional(), to: Day.optional() });

export const OpenFilter = z.object({
  view: comparing.view,
  state: OpenState,
  stores: z.array(StoreKey).max(200).meta({ title: '店铺' }),
  date: Days.meta({ title: '站点日', kind: 'date' }),
  order: z.string().trim().max(60).meta({ title: '订单号' }),
  sku: z.string().trim().max(100).meta({ title: 'SKU', optional: true }),
  currency: Currency.meta({ title: '币种', kind: 'text', optional: true }),
  group: z.string().trim().max(200).meta({ title: '资金组', optional: true }),
  fee: z.string().trim().max(40).meta({ title: '费用科目', kind: 'choice' }),
  asOf: Day.meta({ title: '截至站点日', optional: true }),
});
const AnyOpenFilter = OpenFilter.partial();
export type OpenFilter = z.infer<typeof AnyOpenFilter>;

const base = '/amazon/api/v1/settlementOpen';
const view = 'fin:settlement:view';

/** Newest first; `totals` covers the whole filter, see mixedOf() of the kit for several currencies. */
export const listOpen = endpoint({
  title: '未结算明细列表',
  method: 'POST',
  path: `${base}/list`,
  sortable: ['postedAt', 'maturesAt', 'amount', 'sku'],
  permission: view,
  access: 'read',
  body: PageQuery(OpenFilter),
  reply: Page(OpenRow),
});

/** Number of amounts by state, "all" for their sum. */
export const countOpen = endpoint({
  title: '未结算明细数量',
  method: 'POST',
  path: `${base}/statusCounts`,
  permission: view,
  access: 'read',
  body: z.object({ filter: AnyOpenFilter.default({}) }),
  reply: z.record(z.string(), z.int()),
});

export const exportOpen = endpoint({
  title: '导出未结算明细',
  method: 'POST',
  path: `${base}/export`,
  permission: 'fin:settlement:export',
  access: 'read',
  body: ExportQuery(OpenFilter),
  file: true,
  reply: z.unknown(),
});

/**
 * 未结算金额 of a kind of amount at the end of a period beside that at the end of another one: what was told up to that day of
 * the site and neither released nor settled until then.
 */
export const OpenSumRow = z.object({
  id: z.string().meta({ title: '行', hidden: true }),
  fee: z.string().meta({ title: '费用科目', width: 140, pinned: 'left' }),
  feeCode: z.string().meta({ title: '科目代码', hidden: true }),
  /** Last day of the period. */
  asOf: Day.meta({ title: '截至', hidden: true }),
  store: Store.meta({ title: '店铺', kind: 'store', width: 136 }),
  ...compared('openAmount', Money.meta({ title: '期末未结算', currency: 'currency', width: 120 })),
  ...compared('deferredAmount', Money.meta({ title: '其中递延', currency: 'currency', width: 110 })),
  ...compared('lines', Quantity.meta({ title: '笔数', width: 80 })),
  currency: Currency.meta({ hidden: true }),
});
export type OpenSumRow = z.infer<typeof OpenSumRow>;

export const OpenSumFilter = z.object({
  ...comparing,
  dates: Days.meta({ title: '期间', kind: 'date' }),
  stores: OpenFilter.shape.stores,
  sku: OpenFilter.shape.sku,
  currency: OpenFilter.shape.currency,
  fee: OpenFilter.shape.fee,
});
const AnyOpenSumFilter = OpenSumFilter.partial();
export type OpenSumFilter = z.infer<typeof AnyOpenSumFilter>;

export const openSums = comparedCalls({
  title: '未结算汇总对比',
  path: `${base}/sum`,
  row: OpenSumRow,
  filter: OpenSumFilter,
  may: { view, export: 'fin:settlement:export' },
});
