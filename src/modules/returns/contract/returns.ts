import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Day, Instant, Money, OptionalText } from '#kit/contract/field.ts';
import { listCalls } from '#kit/contract/list-calls.ts';
import { RETURN_REASONS } from '#modules/inventory/contract/events.ts';
import { AMOUNTS, code, DISPOSITIONS, goods, goodsFilter, pieces, word } from '#modules/inventory/contract/facts.ts';
import { base, Channel, Days, EDIT, OWN, Party, ReasonClass } from './fields.ts';

/** The three views of the screen 退货订单, each a list of its own. */
export const ReturnView = Choice({ rows: '明细', skus: '按SKU', reasons: '分析' }, '视图');

/** Names a row of either report: "channel.account.day.row". */
export const ReturnKey = z
  .string()
  .regex(/^(FBA|FBM)\.[0-9a-f-]{36}\.\d{4}-\d{2}-\d{2}\.[0-9a-f-]{36}$/, '退货记录不存在')
  .meta({ title: '退货记录', hidden: true });

export const ReturnRow = z.object({
  ...goods,
  day: goods.day.meta({ title: '退货日期', width: 100, tip: '站点当地日期；自发货退货为申请日期' }),
  product: goods.product.meta({ title: '商品', kind: 'product', width: 230 }),
  id: ReturnKey,
  channel: Channel.meta({ width: 84 }),
  orderId: code('订单号', 212),
  purchasedOn: Day.nullable().meta({ title: '购买日期', width: 100, tip: '站点当地日期；订单未同步时为空' }),
  returnedAt: Instant.nullable().meta({ title: '退货时间', width: 130, optional: true }),
  daysAfter: z.int().nullable().meta({ title: '退货天数', kind: 'integer', width: 84, tip: '从购买到退货的天数' }),
  quantity: pieces('数量', 70),
  refund: Money.nullable().meta({
    title: '退款额',
    currency: 'currency',
    permission: AMOUNTS,
    width: 110,
    tip: '该订单该SKU已记账的商品与运费退款，不含税；尚未记账的为空',
  }),
  currency: z.string().nullable().meta({ title: '币种', hidden: true }),
  reason: word('退货原因', RETURN_REASONS, 110),
  reasonClass: ReasonClass.meta({ width: 84 }),
  party: Party.nullable().meta({ width: 84 }),
  note: z.string().nullable().meta({ title: '归因备注', width: 150 }),
  judgedBy: z.string().nullable().meta({ title: '归因人', width: 90, optional: true }),
  disposition: word('商品状况', DISPOSITIONS, 100),
  status: z.string().meta({ title: '处理状态', width: 170 }),
  comments: z.string().meta({ title: '买家留言', width: 200 }),
  plate: code('LPN/RMA', 140),
  tracking: code('退货追踪号', 160).meta({ optional: true }),
  centre: code('仓库', 84).meta({ optional: true }),
  fnsku: code('FNSKU', 120).meta({ optional: true }),
});
export type ReturnRow = z.infer<typeof ReturnRow>;

const oneOf = (title: string) => z.array(z.string().max(60)).max(20).meta({ title, kind: 'choice' });

export const ReturnFilter = z.object({
  view: ReturnView,
  ...goodsFilter,
  dates: Days.meta({ title: '退货日期', kind: 'date' }),
  channel: Channel,
  reasonClass: ReasonClass,
  reasons: oneOf('退货原因'),
  dispositions: oneOf('商品状况'),
  party: Choice({ none: '未归因', product: '产品', logistics: '物流', amazon: '亚马逊', buyer: '买家' }, '责任方'),
  after: Choice({ early: '≤30天', late: '>30天' }, '退货天数').meta({ optional: true }),
  refunded: Choice({ yes: '已退款', no: '未退款' }, '影响利润').meta({ optional: true }),
  orderId: OptionalText(30, '订单号').meta({ optional: true }),
});
const AnyReturnFilter = ReturnFilter.partial();
export type ReturnFilter = z.infer<typeof AnyReturnFilter>;

export const returns = listCalls({
  title: '退货订单',
  path: `${base}/order`,
  row: ReturnRow,
  filter: ReturnFilter,
  sortable: ['day', 'product', 'returnedAt', 'quantity', 'reason'],
  may: OWN,
});

/** Says whose fault returns were. A note that is left out stays; an empty one is taken away. */
export const attribute = endpoint({
  title: '退货归因',
  method: 'POST',
  path: `${base}/order/attribute`,
  permission: EDIT,
  body: z.object({
    ids: z.array(ReturnKey).min(1, '请选择退货').max(500, '一次最多 500 条').meta({ title: '退货记录' }),
    party: Party,
    note: OptionalText(200, '归因备注'),
  }),
  reply: z.object({ changed: z.int() }),
});
