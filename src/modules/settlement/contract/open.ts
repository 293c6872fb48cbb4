import { z } from 'zod';
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

export const OpenFilter = z.object({
  state: OpenState,
  stores: z.array(StoreKey).max(200).meta({ title: '店铺' }),
  date: z.object({ from: Day.optional(), to: Day.optional() }).meta({ title: '站点日', kind: 'date' }),
  order: z.string().trim().max(60).meta({ title: '订单号' }),
  sku: z.string().trim().max(100).meta({ title: 'SKU', optional: true }),
  currency: Currency.meta({ title: '币种', kind: 'text', optional: true }),
  group: z.string().trim().max(200).meta({ title: '资金组', optional: true }),
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
