import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Day, Id, Money, OptionalText, Product, Quantity, States, Store } from '#kit/contract/field.ts';
import { listCalls } from '#kit/contract/list-calls.ts';
import { AMOUNTS, code, goodsFilter, pieces } from '#modules/inventory/contract/facts.ts';
import { base, Channel, Days, OWN } from './fields.ts';

/** So many days after a refund its goods are expected back at the latest. */
export const RETURN_DAYS = 45;
/** Days of the list unless somebody asks otherwise, today the last of them. */
export const USUAL_DAYS = 90;

/** What stands behind a refund, or is missing of it. The first that is true counts, in this order. */
export const RefundState = States(
  {
    over: { title: '退款超额', tone: 'trouble' },
    kept: { title: '退款未退货', tone: 'trouble' },
    unrefunded: { title: '退货未退款', tone: 'waiting' },
    waiting: { title: '等待退货', tone: 'running' },
    matched: { title: '已对上', tone: 'done' },
  },
  '对账结果',
);
export type RefundState = z.infer<typeof RefundState>;

const amount = (title: string, tip: string) =>
  Money.nullable().meta({ title, tip, currency: 'currency', permission: AMOUNTS, width: 110 });

export const ReconcileRow = z.object({
  id: z.string().meta({ title: '编号', hidden: true }),
  orderId: code('订单号', 212).meta({ pinned: 'left' }),
  product: Product.meta({ title: '商品', kind: 'product', width: 260 }),
  store: Store.meta({ title: '店铺', kind: 'store', width: 130 }),
  channel: Channel.nullable().meta({ width: 84 }),
  state: RefundState.meta({ width: 100 }),
  ordered: Quantity.nullable().meta({ title: '购买', kind: 'integer', width: 70 }),
  returned: pieces('退回', 70),
  paid: amount('已付', '该订单该SKU的商品与运费，不含税；优先取已记账金额，其次取订单金额'),
  refund: amount('退款额', '已记账的商品与运费退款，不含税'),
  over: amount('超额', '退款额大于已付的部分'),
  currency: z.string().nullable().meta({ title: '币种', hidden: true }),
  refundedOn: Day.nullable().meta({ title: '退款日期', width: 100, tip: '最近一笔退款的记账日' }),
  daysOpen: z
    .int()
    .nullable()
    .meta({
      title: '退款天数',
      kind: 'integer',
      width: 84,
      tip: `退款后经过的天数；满 ${RETURN_DAYS} 天仍未退回为退款未退货`,
    }),
  returnedOn: Day.nullable().meta({ title: '退货日期', width: 100 }),
  claim: z.string().nullable().meta({ title: '索赔单', kind: 'code', width: 140, tip: 'FBA退款未退货的索赔线索' }),
  claimId: Id.nullable(),
});
export type ReconcileRow = z.infer<typeof ReconcileRow>;

export const ReconcileFilter = z.object({
  state: RefundState,
  dates: Days.meta({ title: '退款/退货日期', kind: 'date' }),
  sites: goodsFilter.sites,
  keyword: OptionalText(100, 'MSKU'),
  channel: Channel,
  orderId: OptionalText(30, '订单号'),
});
const AnyReconcileFilter = ReconcileFilter.partial();
export type ReconcileFilter = z.infer<typeof AnyReconcileFilter>;

const path = `${base}/reconcile`;
export const reconciled = listCalls({
  title: '退款对账',
  path,
  row: ReconcileRow,
  filter: ReconcileFilter,
  sortable: ['product', 'refundedOn', 'refund', 'over', 'returned'],
  may: OWN,
});

/** Rows of each state under a filter. */
export const countReconciled = endpoint({
  title: '退款对账数量',
  method: 'POST',
  path: `${path}/counts`,
  permission: OWN.view,
  access: 'read',
  concurrent: true,
  body: z.object({ filter: ReconcileFilter.partial().prefault({}) }),
  reply: z.record(z.string(), Quantity),
});
