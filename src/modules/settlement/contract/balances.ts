import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Currency, Day, Id, Instant, Money, States, Store } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';

/** Whether what Amazon says of a period and what the books say of it are the same. */
export const BalanceVerdict = States(
  {
    agreed: { title: '一致', tone: 'done' },
    differs: { title: '差异', tone: 'trouble' },
    ongoing: { title: '进行中', tone: 'running' },
  },
  '核对结果',
);

export const GroupState = States(
  {
    open: { title: '结算中', tone: 'running' },
    closed: { title: '已关账', tone: 'off' },
  },
  '账期状态',
);

/** Where the money of a closed period is, by Amazon's own word. */
export const FundTransfer = States(
  {
    processing: { title: '转账中', tone: 'waiting' },
    succeeded: { title: '已转账', tone: 'done' },
    failed: { title: '转账失败', tone: 'trouble' },
    other: { title: '其他', tone: 'off' },
  },
  '转账状态',
);

/** Why a period is not (yet) agreed, or what its agreement rests on. */
export const BalanceReason = Choice(
  {
    amount: '账面明细合计与亚马逊总额不符',
    noFile: '关账已超过 3 天，结算报告未导入',
    awaitsFile: '已关账，等待结算报告',
    noTotal: '亚马逊未给出总额',
    moving: '账期未关账，亚马逊的交易最多晚 48 小时出现',
    current: '账期未关账，截至读取时一致',
    empty: '该账期没有资金变动',
  },
  '说明',
);
export type BalanceReason = z.infer<typeof BalanceReason>;

/** One period of an account: Amazon's total of it against ours. */
export const BalanceRow = z.object({
  id: Id,
  groupId: z.string().meta({ title: '资金组', kind: 'code', width: 150, pinned: 'left' }),
  store: Store.meta({ title: '店铺', kind: 'store', width: 150 }),
  /** As the filters of stores take it; null while the marketplace is not known. */
  storeKey: z.string().nullable().meta({ title: '店铺编号', hidden: true }),
  state: GroupState.meta({ width: 84 }),
  verdict: BalanceVerdict.meta({ width: 92 }),
  difference: Money.nullable().meta({
    title: '差额',
    currency: 'currency',
    width: 104,
    tip: '亚马逊总额减去账面合计',
  }),
  total: Money.nullable().meta({
    title: '亚马逊总额',
    currency: 'currency',
    width: 126,
    tip: '已关账：该账期转账（或向卖家收取）的金额；结算中：读取时的账户余额，不含递延款',
  }),
  ours: Money.nullable().meta({
    title: '账面合计',
    currency: 'currency',
    width: 126,
    tip: '已关账：结算报告所有明细行之和；结算中：读取时刻之前的待结交易之和',
  }),
  startAt: Instant.nullable().meta({ title: '周期开始', width: 112 }),
  endAt: Instant.nullable().meta({ title: '周期结束', width: 112 }),
  currency: Currency,
  beginning: Money.nullable().meta({ title: '期初余额', currency: 'currency', width: 116 }),
  reason: BalanceReason.nullable().meta({ title: '说明', width: 220 }),
  deferred: Money.nullable().meta({
    title: '递延金额',
    currency: 'currency',
    width: 116,
    tip: '同一店铺尚未释放的递延款，不属于任何账期的余额',
  }),
  transfer: FundTransfer.nullable().meta({ title: '转账状态', width: 92 }),
  transferAt: Instant.nullable().meta({ title: '转账日期', width: 112 }),
  settlementId: z.string().nullable().meta({ title: '结算编号', kind: 'code', width: 130 }),
  settlementDoc: Id.nullable(),
  convertedCurrency: Currency.nullable().meta({ title: '到账币种', optional: true }),
  converted: Money.nullable().meta({ title: '到账金额', currency: 'convertedCurrency', optional: true, width: 120 }),
  traceId: z.string().nullable().meta({ title: '转账追踪编号', kind: 'code', optional: true, width: 150 }),
  accountTail: z.string().nullable().meta({ title: '账户尾号', kind: 'code', optional: true, width: 90 }),
  readAt: Instant.meta({ title: '读取时间', width: 112 }),
  checkedAt: Instant.nullable().meta({ title: '核对时间', optional: true, width: 130 }),
});
export type BalanceRow = z.infer<typeof BalanceRow>;

/** "marketplaceId-accountId", as the list of authorised stores gives it. */
const StoreKey = z.string().max(80);

export const BalanceFilter = z.object({
  verdict: BalanceVerdict,
  stores: z.array(StoreKey).max(200).meta({ title: '店铺' }),
  state: GroupState,
  date: z.object({ from: Day.optional(), to: Day.optional() }).meta({ title: '周期开始', kind: 'date' }),
  currency: Currency.meta({ title: '币种', kind: 'text', optional: true }),
  search: z.string().trim().max(200).meta({ title: '结算编号或资金组' }),
});
const AnyBalanceFilter = BalanceFilter.partial();
export type BalanceFilter = z.infer<typeof AnyBalanceFilter>;

const base = '/amazon/api/v1/settlementBalance';
const view = 'fin:settlement:view';

/** Newest period first; `totals` covers the whole filter, see mixedOf() of the kit for several currencies. */
export const listBalances = endpoint({
  title: '余额核对列表',
  method: 'POST',
  path: `${base}/list`,
  sortable: ['startAt', 'endAt', 'beginning', 'total', 'ours', 'difference', 'deferred', 'transferAt', 'readAt'],
  permission: view,
  access: 'read',
  body: PageQuery(BalanceFilter),
  reply: Page(BalanceRow),
});

/** Number of periods by verdict, "all" for their sum. */
export const countBalances = endpoint({
  title: '余额核对数量',
  method: 'POST',
  path: `${base}/statusCounts`,
  permission: view,
  access: 'read',
  body: z.object({ filter: AnyBalanceFilter.default({}) }),
  reply: z.record(z.string(), z.int()),
});

/** Adds the books of one period up again, from the stored lines themselves. Answers the row as it is then. */
export const checkBalance = endpoint({
  title: '重新核对余额',
  method: 'POST',
  path: `${base}/check/:id`,
  permission: 'fin:settlement:run',
  params: z.object({ id: Id }),
  reply: BalanceRow,
});

export const exportBalances = endpoint({
  title: '导出余额核对',
  method: 'POST',
  path: `${base}/export`,
  permission: 'fin:settlement:export',
  access: 'read',
  body: ExportQuery(BalanceFilter),
  file: true,
  reply: z.unknown(),
});
