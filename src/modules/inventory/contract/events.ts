import { z } from 'zod';
import { compared } from '#kit/contract/compare.ts';
import { Choice, Instant, Money, OptionalText, Quantity } from '#kit/contract/field.ts';
import {
  AMOUNTS,
  choice,
  code,
  comparedOf,
  comparing,
  DISPOSITIONS,
  figureOf,
  goods,
  goodsFilter,
  listOf,
  pieces,
  word,
} from './facts.ts';

const Amount = Money.nullable().meta({ currency: 'currency', permission: AMOUNTS, width: 110 });
const currency = z.string().meta({ title: '币种', hidden: true });

/** Why buyers send goods back, as Amazon codes it. */
export const RETURN_REASONS = {
  NOT_AS_DESCRIBED: choice('与描述不符'),
  UNWANTED_ITEM: choice('不想要了'),
  ORDERED_WRONG_ITEM: choice('买错了'),
  QUALITY_UNACCEPTABLE: choice('质量不满意'),
  NO_REASON_GIVEN: choice('未说明'),
  DEFECTIVE: choice('有瑕疵'),
  DAMAGED_BY_CARRIER: choice('运输损坏'),
  DAMAGED_BY_FC: choice('仓库损坏'),
  MISSING_PARTS: choice('缺少配件'),
  NEVER_ARRIVED: choice('未收到'),
  UNAUTHORIZED_PURCHASE: choice('非本人购买'),
  UNDELIVERABLE_REFUSED: choice('拒收'),
  UNDELIVERABLE_UNKNOWN: choice('无法投递'),
  FOUND_BETTER_PRICE: choice('价格更低'),
  NOT_COMPATIBLE: choice('不兼容'),
  MISSED_ESTIMATED_DELIVERY: choice('送达太晚'),
  SWITCHEROO: choice('退回物品不符'),
};

const oneOf = (title: string) => z.array(z.string().max(60)).max(20).meta({ title, kind: 'choice' });

/** Why Amazon pays, as it codes it. */
export const PAID_REASONS = {
  Lost_Warehouse: choice('仓库丢失'),
  Lost_Inbound: choice('入库丢失'),
  Lost_Outbound: choice('出库丢失'),
  Damaged_Warehouse: choice('仓库损坏'),
  Damaged_Inbound: choice('入库损坏'),
  CustomerReturn: choice('买家退货'),
  CustomerServiceIssue: choice('客服问题'),
  Reimbursement_Reversal: choice('赔偿冲回'),
  FeeCorrection: choice('费用更正'),
  Removal_Lost: choice('移除丢失'),
  Removal_Damaged: choice('移除损坏'),
};

export const ReimbursementRow = z.object({
  ...goods,
  approvedAt: Instant.meta({ title: '批准时间', width: 130 }),
  reimbursementId: code('赔偿编号', 120),
  caseId: code('Case 编号', 110),
  orderId: code('订单号', 186),
  reason: word('原因', PAID_REASONS, 120),
  amountPerUnit: Amount.meta({ title: '赔偿单价' }),
  amount: Amount.meta({ title: '赔偿总额' }),
  currency,
  quantityCash: pieces('现金赔偿'),
  quantityInventory: pieces('库存赔偿'),
  quantity: pieces('合计数量'),
  originalId: code('原赔偿编号', 120).meta({ optional: true, tip: '冲回时指向被冲回的赔偿' }),
  fnsku: code('FNSKU', 120).meta({ optional: true }),
});
export type ReimbursementRow = z.infer<typeof ReimbursementRow>;

export const ReimbursementFilter = z.object({
  view: comparing.view,
  ...goodsFilter,
  reasons: oneOf('原因'),
  reimbursementId: OptionalText(30, '赔偿编号'),
});
const AnyReimbursementFilter = ReimbursementFilter.partial();
export type ReimbursementFilter = z.infer<typeof AnyReimbursementFilter>;

/** What Amazon paid for a product in a period beside another one; reversals are in it with their sign. */
export const PaidSumRow = z.object({
  id: goods.id,
  product: goods.product,
  store: goods.store,
  ...compared('paidAmount', Money.meta({ title: '赔偿总额', currency: 'currency', permission: AMOUNTS, width: 110 })),
  ...compared('quantity', pieces('赔偿件数')),
  ...compared('payments', pieces('笔数')),
  currency,
});
export type PaidSumRow = z.infer<typeof PaidSumRow>;

export const PaidSumFilter = z.object({ ...ReimbursementFilter.shape, ...comparing });
const AnyPaidSumFilter = PaidSumFilter.partial();
export type PaidSumFilter = z.infer<typeof AnyPaidSumFilter>;

export const paidSums = comparedOf({
  title: '赔偿汇总对比',
  path: '/amazon/api/v1/inventory/reimbursementSum',
  row: PaidSumRow,
  filter: PaidSumFilter,
});

const paidPath = '/amazon/api/v1/inventory/reimbursement';
export const reimbursements = listOf({
  title: '赔偿',
  path: paidPath,
  row: ReimbursementRow,
  filter: ReimbursementFilter,
  sortable: ['day', 'product', 'approvedAt', 'amount', 'quantity'],
});

/** Sums of each currency and reason; amounts of different currencies are not added up. */
export const PaidSum = z.object({
  reason: word('原因', PAID_REASONS, 180),
  count: Quantity.meta({ title: '笔数' }),
  quantity: Quantity.meta({ title: '数量' }),
  amount: Amount.meta({ title: '赔偿总额' }),
  currency,
});
export const sumReimbursements = figureOf('赔偿汇总', `${paidPath}/summary`, ReimbursementFilter, z.array(PaidSum));

export const REMOVAL_TYPES = {
  Return: choice('退回'),
  Disposal: choice('弃置'),
  Liquidations: choice('清算'),
};
export const REMOVAL_STATES = {
  Pending: { title: '待处理', tone: 'waiting' as const },
  Planning: { title: '计划中', tone: 'running' as const },
  Processing: { title: '处理中', tone: 'running' as const },
  Completed: { title: '已完成', tone: 'done' as const },
  Cancelled: { title: '已取消', tone: 'off' as const },
};

export const RemovalRow = z.object({
  ...goods,
  orderId: code('移除单号', 190),
  orderType: word('类型', REMOVAL_TYPES, 76),
  status: z.string().meta({ title: '状态', kind: 'state', states: REMOVAL_STATES, width: 90 }),
  requestedAt: Instant.meta({ title: '申请时间', width: 130 }),
  updatedAt: Instant.meta({ title: '更新时间', width: 130 }),
  disposition: word('属性', DISPOSITIONS, 80),
  requested: pieces('申请'),
  cancelled: pieces('取消', 70),
  inProcess: pieces('处理中'),
  disposed: pieces('弃置', 70),
  shipped: pieces('发出', 70),
  fee: Amount.meta({ title: '移除费' }),
  currency,
  fnsku: code('FNSKU', 120).meta({ optional: true }),
});
export type RemovalRow = z.infer<typeof RemovalRow>;

/** The two views of the screen 移除订单: what Amazon's report tells, and what was asked for here. */
export const RemovalView = Choice({ orders: '移除订单', requests: '我的移除申请' }, '视图');

export const RemovalFilter = z.object({
  view: RemovalView,
  ...goodsFilter,
  orderType: z.string().max(30).meta({ title: '类型', kind: 'choice' }),
  status: z.string().max(30).meta({ title: '状态', kind: 'choice' }),
  orderId: OptionalText(40, '移除单号'),
});
const AnyRemovalFilter = RemovalFilter.partial();
export type RemovalFilter = z.infer<typeof AnyRemovalFilter>;

const removalPath = '/amazon/api/v1/inventory/removal';
export const removals = listOf({
  title: '移除订单',
  path: removalPath,
  row: RemovalRow,
  filter: RemovalFilter,
  sortable: ['day', 'product', 'requestedAt', 'updatedAt', 'requested'],
});
