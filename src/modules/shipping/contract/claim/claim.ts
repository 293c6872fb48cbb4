import { z } from 'zod';
import { documentType } from '#kit/contract/document.ts';
import { Choice, Currency, Day, Id, Instant, Money, Store } from '#kit/contract/field.ts';
import { ADD } from '../fields.ts';

/** Without it no value at cost is sent, shown or exported. */
export const COST = 'erp:inv:cost';

const STATES = {
  found: { title: '待核查', tone: 'waiting' },
  toClaim: { title: '待索赔', tone: 'waiting' },
  filed: { title: '已提交', tone: 'running' },
  partly: { title: '部分赔付', tone: 'running' },
  paid: { title: '已赔付', tone: 'done' },
  refused: { title: '已驳回', tone: 'trouble' },
  closed: { title: '已关闭', tone: 'off' },
} as const;
export type ClaimState = keyof typeof STATES;
const OPEN = ['found', 'toClaim', 'filed', 'partly', 'refused'] as const;
/** States in which a claim may still be paid for. */
export const OPEN_STATES: readonly ClaimState[] = OPEN;

/** 货件差异: pieces of one SKU of a shipment that left and were not received, or the other way round. */
export const claimCase = documentType({
  name: 'shipping.discrepancy',
  title: '货件差异',
  number: 'CY{yyMMdd}{seq:4}',
  detail: '/erp/ship/discrepancy/details',
  states: STATES,
  initial: 'found',
  transitions: {
    check: { title: '核查', from: ['found', 'toClaim'], to: 'toClaim', permission: ADD, internal: true },
    file: { title: '提交索赔', from: ['found', 'toClaim', 'refused'], to: 'filed', permission: ADD, internal: true },
    refuse: {
      title: '登记驳回',
      from: ['filed', 'partly'],
      to: 'refused',
      permission: ADD,
      reason: true,
      consequence: '记录平台驳回的理由，之后可补充证据重新提交',
    },
    // What is paid follows from the payments alone.
    pay: {
      title: '赔付',
      from: ['found', 'toClaim', 'filed', 'partly', 'refused'],
      to: 'paid',
      permission: ADD,
      internal: true,
    },
    payPart: {
      title: '部分赔付',
      from: ['found', 'toClaim', 'filed', 'refused', 'paid'],
      to: 'partly',
      permission: ADD,
      internal: true,
    },
    unpay: { title: '赔付冲回', from: ['partly', 'paid'], to: 'filed', permission: ADD, internal: true },
    turnUp: { title: '关闭后找到', from: OPEN, to: 'closed', permission: ADD, internal: true },
    close: {
      title: '关闭',
      from: OPEN,
      to: 'closed',
      permission: ADD,
      reason: true,
      consequence: '不再索赔，之后的赔付不再自动匹配',
    },
    reopen: { title: '重新打开', from: ['closed'], to: 'found', permission: ADD, reason: true },
  },
});
export const ClaimState = z
  .enum(Object.keys(STATES) as [ClaimState, ...ClaimState[]])
  .meta({ title: '阶段', kind: 'state', states: STATES });

export const ClaimKind = Choice({ SHORT: '少收', OVER: '多收' }, '类型');
export type ClaimKind = z.infer<typeof ClaimKind>;

/** Whose doing it was. */
export const Cause = Choice({ AMAZON: '亚马逊少收', SELLER: '我方少发', CARRIER: '运输丢失' }, '原因');
export type Cause = z.infer<typeof Cause>;

/** What was paid in one currency. */
const PaidMoney = z.object({ amount: Money, currency: Currency });

export const ClaimRow = z.object({
  id: Id,
  number: z.string().meta({ title: '差异单号', kind: 'code', width: 140, pinned: 'left' }),
  state: ClaimState.meta({ width: 96 }),
  kind: ClaimKind.meta({ width: 70 }),
  store: Store.meta({ title: '店铺', kind: 'store', width: 150 }),
  shipmentNo: z.string().meta({ title: '货件编号', kind: 'code', width: 150 }),
  order: z.string().meta({ title: '发货单', kind: 'code', width: 140 }),
  orderId: Id,
  msku: z.string().meta({ title: '平台SKU', kind: 'code', width: 150 }),
  shipped: z.int().meta({ title: '已发', kind: 'integer', width: 70 }),
  received: z.int().meta({ title: '已接收', kind: 'integer', width: 80 }),
  qty: z.int().meta({ title: '差异', kind: 'integer', width: 70, tip: '少收：仍未收到的数量；多收：超出已发的数量' }),
  foundQty: z
    .int()
    .meta({ title: '已找到', kind: 'integer', width: 80, tip: '关闭货件后又收到的数量', optional: true }),
  value: Money.nullable().meta({
    title: '货值',
    currency: 'CNY',
    permission: COST,
    width: 110,
    tip: '差异数量的落地成本；仅平台的发货单没有成本',
  }),
  deadline: Day.nullable().meta({ title: '截止日', width: 110, tip: '货件关闭日加索赔期限；没有看到关闭的货件为空' }),
  daysLeft: z.int().nullable().meta({ title: '剩余天数', kind: 'integer', width: 90, tip: '为负表示已过截止日' }),
  cause: Cause.nullable().meta({ width: 100 }),
  caseNo: z.string().meta({ title: '案件号', kind: 'code', width: 120 }),
  filedOn: Day.nullable().meta({ title: '提交日', width: 110, optional: true }),
  files: z.int().meta({ title: '证据', kind: 'integer', width: 60 }),
  paidQty: z.int().meta({ title: '赔付数量', kind: 'integer', width: 90 }),
  paidAmount: Money.nullable().meta({ title: '赔付金额', currency: 'currency', width: 110 }),
  currency: z.string().meta({ title: '币种', hidden: true }),
  /** Every currency that was paid in; one as a rule. */
  paid: z.array(PaidMoney).meta({ hidden: true }),
  createdAt: Instant.meta({ title: '发现时间', width: 130 }),
  version: z.int(),
});
export type ClaimRow = z.infer<typeof ClaimRow>;

export const ClaimFilter = z.object({
  state: ClaimState,
  authid: z.array(Id).max(200).meta({ title: '店铺' }),
  kind: ClaimKind,
  cause: z.array(Cause).max(3).meta({ title: '原因', optional: true }),
  due: Choice({ SOON: '14天内到期', PAST: '已过期' }, '截止'),
  keyword: z.string().trim().max(100).meta({ title: '差异单、发货单、货件编号、平台SKU、案件号' }),
});
const AnyFilter = ClaimFilter.partial();
export type ClaimFilter = z.infer<typeof AnyFilter>;

export const ClaimPayment = z.object({
  id: Id,
  reimbursementId: z.string().meta({ title: '赔偿编号', kind: 'code', width: 140 }),
  reason: z.string().meta({ title: '平台原因', width: 160 }),
  qty: z.int().meta({ title: '数量', kind: 'integer', width: 80 }),
  amount: Money.meta({ title: '金额', currency: 'currency', width: 120 }),
  currency: Currency,
  paidAt: Instant.meta({ title: '批准时间', width: 130 }),
  originalId: z.string().meta({ title: '冲回的赔偿', kind: 'code', width: 140 }),
  manual: z.boolean().meta({ title: '手工登记', kind: 'boolean', width: 90, tip: '平台的赔偿记录到达后自动替换' }),
});
export type ClaimPayment = z.infer<typeof ClaimPayment>;

const Limit = (title: string) =>
  z
    .int()
    .min(1, `${title}至少1天`)
    .max(730, `${title}不能超过730天`)
    .nullable()
    .optional()
    .meta({ title: `${title}（天）`, kind: 'integer' });

/**
 * Limits of a marketplace: days after closing a shipment in which claims are taken, and in which a shipment must arrive after
 * it was made and after the first arrival of its plan, else it is taken for abandoned. Null: no limit; left out: as it was.
 */
export const ClaimWindow = z.object({
  marketplaceId: z.string().max(20).meta({ title: '站点' }),
  days: z.int().min(1, '期限至少1天').max(730, '期限不能超过730天').meta({ title: '索赔期限（天）' }),
  domesticDays: Limit('境内到仓'),
  abroadDays: Limit('境外到仓'),
  afterFirstDays: Limit('首件到仓后'),
});
export type ClaimWindow = z.infer<typeof ClaimWindow>;
