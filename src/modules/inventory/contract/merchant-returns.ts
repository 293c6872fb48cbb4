import { z } from 'zod';
import { Day, Money, OptionalText } from '#kit/contract/field.ts';
import { RETURN_REASONS } from './events.ts';
import { AMOUNTS, choice, code, goods, goodsFilter, listOf, pieces, word } from './facts.ts';

const amount = (title: string) =>
  Money.nullable().meta({ title, currency: 'currency', permission: AMOUNTS, width: 110 });

/** The same reasons as of returns to Amazon, under the names that they have here. */
export const MERCHANT_RETURN_REASONS = Object.fromEntries(
  Object.entries(RETURN_REASONS).map(([name, state]) => [`CR-${name}`, state]),
);

/** How far a return has come; a word that is not known is shown as it is written. */
export const MERCHANT_RETURN_STATES = {
  Pending: { title: '待处理', tone: 'waiting' as const },
  Approved: { title: '已批准', tone: 'running' as const },
  Completed: { title: '已完成', tone: 'done' as const },
  Closed: { title: '已关闭', tone: 'off' as const },
};

const YES_NO = { Y: choice('是'), N: choice('否') };
const PAYERS = { Seller: choice('卖家'), Customer: choice('买家') };

export const MerchantReturnRow = z.object({
  ...goods,
  day: Day.meta({ title: '申请日期', width: 100, tip: '站点当地日期' }),
  orderId: code('订单号', 186),
  returnState: z.string().meta({ title: '状态', kind: 'state', states: MERCHANT_RETURN_STATES, width: 90 }),
  rma: code('RMA编号', 130).meta({ tip: '仅退款不退货的申请没有 RMA 编号' }),
  quantity: pieces('数量', 70),
  reason: word('退货原因', MERCHANT_RETURN_REASONS, 120),
  inPolicy: word('符合政策', YES_NO, 84),
  claim: word('A-to-Z 索赔', YES_NO, 100),
  orderAmount: amount('订单金额'),
  refundedAmount: amount('已退款'),
  labelCost: amount('退货标签费'),
  labelPayer: word('标签费承担方', PAYERS, 100),
  currency: z.string().meta({ title: '币种', hidden: true }),
  carrier: z.string().meta({ title: '退货承运商', width: 100 }),
  tracking: code('退货追踪号', 170),
  deliveredOn: Day.nullable().meta({ title: '退货送达日期', width: 110 }),
  orderedOn: Day.nullable().meta({ title: '下单日期', width: 100, optional: true }),
  resolution: z.string().meta({ title: '处理方式', width: 130, optional: true }),
  returnType: z.string().meta({ title: '退货类型', width: 110, optional: true }),
  labelType: z.string().meta({ title: '标签类型', width: 150, optional: true }),
  merchantRma: code('卖家RMA编号', 120).meta({ optional: true }),
  safetId: code('SAFE-T 索赔编号', 140).meta({ optional: true }),
  safetState: z.string().meta({ title: 'SAFE-T 状态', width: 110, optional: true }),
  safetAmount: amount('SAFE-T 赔付').meta({ optional: true }),
});
export type MerchantReturnRow = z.infer<typeof MerchantReturnRow>;

export const MerchantReturnFilter = z.object({
  ...goodsFilter,
  keyword: OptionalText(100, 'SKU/ASIN/订单号/RMA'),
  states: z.array(z.string().max(60)).max(20).meta({ title: '状态', kind: 'choice' }),
  reasons: z.array(z.string().max(60)).max(20).meta({ title: '退货原因', kind: 'choice' }),
});
const AnyMerchantReturnFilter = MerchantReturnFilter.partial();
export type MerchantReturnFilter = z.infer<typeof AnyMerchantReturnFilter>;

export const merchantReturns = listOf({
  title: '自发货退货',
  path: '/amazon/api/v1/inventory/merchantReturn',
  row: MerchantReturnRow,
  filter: MerchantReturnFilter,
  sortable: ['day', 'product', 'quantity', 'reason', 'refundedAmount'],
});
