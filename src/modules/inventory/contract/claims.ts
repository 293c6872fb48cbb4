import { z } from 'zod';
import { documentType } from '#kit/contract/document.ts';
import { Choice, Day, Id, Instant, Money, Product, Store } from '#kit/contract/field.ts';
import { Site } from '#modules/listing/contract.ts';
import { AMOUNTS, code, pieces } from './facts.ts';

/** Who may work on claims. */
export const CLAIM_EDIT = 'amz:inventory:edit';

const STATES = {
  candidate: { title: '候选', tone: 'off' },
  open: { title: '可申请', tone: 'waiting' },
  ready: { title: '资料就绪', tone: 'waiting' },
  filed: { title: '已提交', tone: 'running' },
  approved: { title: '已批准', tone: 'running' },
  partial: { title: '部分批准', tone: 'running' },
  denied: { title: '已拒绝', tone: 'trouble' },
  paid: { title: '已赔付', tone: 'done' },
  reversed: { title: '已冲回', tone: 'trouble' },
  expired: { title: '已过期', tone: 'off' },
  dismissed: { title: '已忽略', tone: 'off' },
  resolved: { title: '已补回', tone: 'done' },
} as const;
export type ClaimState = keyof typeof STATES;
/** States in which nobody has handed the claim in yet. */
export const UNFILED: readonly ClaimState[] = ['candidate', 'open', 'ready'];
const FILED = ['filed', 'approved', 'partial', 'denied'] as const;

const byReports = { permission: CLAIM_EDIT, internal: true } as const;

/** 索赔: what is open follows from the reports (internal steps); handing in and the answer are entered by hand. */
export const fbaClaim = documentType({
  name: 'inventory.claim',
  title: 'FBA索赔',
  number: 'SP{yyMMdd}{seq:4}',
  detail: '/amazon/report/claims/details',
  states: STATES,
  initial: 'candidate',
  transitions: {
    open: { title: '到达可申请日', from: ['candidate'], to: 'open', ...byReports },
    complete: { title: '资料就绪', from: ['open'], to: 'ready', ...byReports },
    turnUp: { title: '已找到或已赔偿', from: ['candidate', 'open', 'ready', ...FILED], to: 'resolved', ...byReports },
    reopen: { title: '重新出现', from: ['resolved'], to: 'candidate', ...byReports },
    pay: { title: '赔付', from: [...FILED, 'reversed'], to: 'paid', ...byReports },
    reverse: { title: '赔付冲回', from: ['paid'], to: 'reversed', ...byReports },
    expire: { title: '过期', from: ['candidate', 'open', 'ready'], to: 'expired', ...byReports },
    file: { title: '提交', from: ['open', 'ready'], to: 'filed', ...byReports },
    appeal: { title: '申诉', from: ['partial', 'denied'], to: 'filed', ...byReports },
    approve: { title: '登记批准', from: ['filed'], to: 'approved', ...byReports },
    approvePart: { title: '登记部分批准', from: ['filed'], to: 'partial', ...byReports },
    deny: { title: '登记拒绝', from: ['filed'], to: 'denied', ...byReports },
    dismiss: {
      title: '忽略',
      from: ['candidate', 'open', 'ready', ...FILED, 'reversed', 'expired'],
      to: 'dismissed',
      permission: CLAIM_EDIT,
      reason: true,
      consequence: '不再索赔，也不再提醒',
    },
  },
});
export const ClaimState = z
  .enum(Object.keys(STATES) as [ClaimState, ...ClaimState[]])
  .meta({ title: '状态', kind: 'state', states: STATES });

export const ClaimType = Choice(
  {
    FC_LOST: '仓库丢失',
    FC_DAMAGED: '仓库损坏',
    CUSTOMER_REFUND_NO_RETURN: '退款未退货',
    REMOVAL_LOST: '移除丢失',
    REVERSED: '赔偿冲回',
    FEE_OVERCHARGE: 'FBA费超收',
  },
  '类型',
);
export type ClaimType = z.infer<typeof ClaimType>;

const Value = Money.nullable().meta({ currency: 'currency', permission: AMOUNTS, width: 110 });

export const ClaimRow = z.object({
  id: Id,
  number: z.string().meta({ title: '索赔单号', kind: 'code', width: 140, pinned: 'left' }),
  state: ClaimState.meta({ width: 90 }),
  type: ClaimType.meta({ width: 100 }),
  product: Product.meta({ title: '商品', kind: 'product', width: 260 }),
  store: Store.meta({ title: '店铺', kind: 'store', width: 130 }),
  day: Day.meta({ title: '发生日期', width: 100, tip: '站点当地日期' }),
  fnsku: code('FNSKU', 120),
  reference: code('参考编号', 150),
  lost: pieces('发生数量').meta({ tip: '费用超收：申请时近30日销量' }),
  found: pieces('已找回', 76).meta({ tip: '之后找到或退回的数量' }),
  paid: pieces('已赔数量', 84).meta({ tip: '现金赔偿与库存赔偿之和' }),
  qty: pieces('可索赔', 76),
  opensOn: Day.meta({ title: '可申请日', width: 100, optional: true }),
  deadline: Day.meta({ title: '截止日', width: 110 }),
  daysLeft: z.int().nullable().meta({ title: '剩余天数', kind: 'integer', width: 90, tip: '为负表示已过截止日' }),
  unitValue: Value.meta({
    title: '单位价值',
    optional: true,
    tip: '未售出：申报采购成本，不含头程和关税；已售出：该订单的净收入；费用超收：单件超收额',
  }),
  value: Value.meta({ title: '索赔价值', tip: '可索赔数量 × 单位价值；不知道成本的为空' }),
  currency: z.string().meta({ title: '币种', hidden: true }),
  caseNo: code('Case 编号', 120),
  filedOn: Day.nullable().meta({ title: '提交日', width: 100, optional: true }),
  granted: z.int().nullable().meta({ title: '批准数量', kind: 'integer', width: 90, optional: true }),
  createdAt: Instant.meta({ title: '发现时间', width: 130, optional: true }),
  version: z.int(),
});
export type ClaimRow = z.infer<typeof ClaimRow>;

export const ClaimFilter = z.object({
  state: ClaimState,
  sites: z.array(Site).max(200).meta({ title: '店铺/站点' }),
  types: z.array(ClaimType).max(6).meta({ title: '类型' }),
  due: Choice({ 3: '3天内截止', 10: '10天内截止' }, '截止'),
  keyword: z.string().trim().max(100).meta({ title: '单号/SKU/FNSKU/参考编号/Case' }),
});
const AnyFilter = ClaimFilter.partial();
export type ClaimFilter = z.infer<typeof AnyFilter>;

/** A row of a report that a claim rests on, signed as reported, and where it came from. */
export const ClaimEvidence = z.object({
  id: z.string().meta({ hidden: true }),
  source: Choice(
    {
      LEDGER: '库存流水',
      RETURN: 'FBA退货',
      PAID: 'FBA赔偿',
      REMOVAL: '移除订单',
      PARCEL: '移除货件',
      REFUND: '退款',
      AMAZON: '亚马逊测量',
      OWN: '自测',
      CARD: '费率卡',
    },
    '来源',
  ).meta({ width: 90 }),
  day: Day.meta({ title: '日期', width: 100 }),
  what: z.string().meta({ title: '事件', width: 150 }),
  reference: code('编号', 160),
  quantity: pieces('数量', 70),
  centre: code('仓库', 80),
  amount: Value.meta({ title: '金额' }),
  currency: z.string().meta({ title: '币种', hidden: true }),
});
export type ClaimEvidence = z.infer<typeof ClaimEvidence>;

/** From when to when after a happening Amazon takes claims. */
export const ClaimPolicy = z
  .object({
    type: ClaimType,
    marketplaceId: z.string().max(20).meta({ title: '站点', tip: '空为全部站点' }),
    opensAfter: z.int().min(0, '开放天数不能为负').max(730, '开放天数不能超过730').meta({ title: '开放（天后）' }),
    closesAfter: z.int().min(1, '截止天数至少1天').max(730, '截止天数不能超过730').meta({ title: '截止（天后）' }),
    validFrom: Day.meta({ title: '生效日' }),
  })
  .refine(({ opensAfter, closesAfter }) => opensAfter < closesAfter, '截止天数必须大于开放天数');
export type ClaimPolicy = z.infer<typeof ClaimPolicy>;

/** What codes of reasons mean for claims. */
export const ReasonEffect = Choice(
  {
    LOST: '丢失（可索赔）',
    DAMAGED: '仓库损坏（可索赔）',
    FOUND: '找回',
    WAREHOUSE: '抵减仓库丢损',
    REFUND: '抵减退款未退货',
    REMOVAL: '抵减移除丢失',
    NEUTRAL: '不影响',
  },
  '作用',
);
export type ReasonEffect = z.infer<typeof ReasonEffect>;
export const ClaimReason = z.object({
  source: Choice({ LEDGER: '库存调整', PAID: '赔偿' }, '报表'),
  code: z.string().trim().min(1, '请填写原因代码').max(60).meta({ title: '原因代码' }),
  effect: ReasonEffect,
});
export type ClaimReason = z.infer<typeof ClaimReason>;
