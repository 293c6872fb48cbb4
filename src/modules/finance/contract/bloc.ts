import { z } from 'zod';
import { documentType } from '#kit/contract/document.ts';
import { Choice, Currency, Day, Id, Instant, Money, States } from '#kit/contract/field.ts';
import { Amount, Words } from './fields.ts';

export const VIEW = 'fin:dealing:view';
export const APPLY = 'fin:dealing:apply';
export const APPROVE = 'fin:dealing:approve';
export const CARRY = 'fin:dealing:pay';
export const VOID = 'fin:dealing:void';

const STATES = {
  draft: { title: '草稿', tone: 'off' },
  submitted: { title: '待审核', tone: 'waiting' },
  approved: { title: '待执行', tone: 'waiting' },
  done: { title: '已执行', tone: 'done' },
  returned: { title: '已退回', tone: 'trouble' },
  cancelled: { title: '已作废', tone: 'off' },
} as const;
export const BlocState = States(STATES);
export type BlocState = z.infer<typeof BlocState>;

export const BlocKind = Choice({ LOAN: '借款', ON_BEHALF: '代付', COST: '成本转移' }, '类型');
export type BlocKind = z.infer<typeof BlocKind>;

/** Stands for the company itself where a company of the group could stand. */
export const OWN = 'OWN';
/** What people read for it. */
export const OWN_NAME = '本公司';

/** 往来申请: money or a cost that shall pass from one company of the group to another, or between one and the own company. */
export const blocRequest = documentType({
  name: 'finance.blocRequest',
  title: '往来申请',
  number: 'WL-{yyyyMMdd}-{seq:4}',
  detail: '/bloc/request/detail',
  states: STATES,
  initial: 'draft',
  transitions: {
    submit: {
      title: '提交',
      from: ['draft', 'returned'],
      to: 'submitted',
      permission: APPLY,
      primary: true,
      consequence: '提交后由审核人审核，审核前可以撤回',
    },
    withdraw: { title: '撤回', from: ['submitted'], to: 'draft', permission: APPLY },
    approve: {
      title: '通过',
      from: ['submitted'],
      to: 'approved',
      permission: APPROVE,
      primary: true,
      consequence: '通过后等待财务执行',
    },
    return: { title: '退回', from: ['submitted', 'approved'], to: 'returned', permission: APPROVE, reason: true },
    carry: { title: '执行', from: ['approved'], to: 'done', permission: CARRY, internal: true },
    cancel: { title: '作废', from: ['draft', 'returned'], to: 'cancelled', permission: APPLY, reason: true },
    void: {
      title: '作废',
      from: ['done'],
      to: 'cancelled',
      permission: VOID,
      reason: true,
      consequence: '账户、应收与应付按今天的日期冲回；已有核销或收付款的不能作废',
    },
  },
  approval: { submit: ['submit'], approve: 'approve', reject: 'return', withdraw: 'withdraw', cancel: ['cancel'] },
});

export const BlocRow = z.object({
  id: Id,
  number: z.string().meta({ title: '申请单号', kind: 'code', width: 176, pinned: 'left' }),
  kind: BlocKind.meta({ width: 90 }),
  state: BlocState.meta({ width: 100 }),
  giver: z.string().meta({ title: '出方', width: 150, tip: '出借、代付或转出成本的公司，执行后为债权方' }),
  taker: z.string().meta({ title: '入方', width: 150, tip: '借入、被代付或承接成本的公司，执行后为债务方' }),
  amount: Money.meta({ title: '金额', currency: 'currency', width: 130 }),
  reason: z.string().meta({ title: '事由', width: 200 }),
  wishedOn: Day.nullable().meta({ title: '期望日期', width: 110 }),
  dueOn: Day.nullable().meta({ title: '约定归还日', width: 110 }),
  doneOn: Day.nullable().meta({ title: '执行日期', width: 110 }),
  createdByName: z.string().meta({ title: '申请人', kind: 'person', width: 110 }),
  createdAt: Instant.meta({ title: '申请时间', width: 140 }),
  approvedByName: z.string().meta({ title: '审核人', kind: 'person', width: 110 }),
  approvedAt: Instant.nullable().meta({ title: '审核时间', width: 140, optional: true }),
  payee: z.string().meta({ title: '代付收款方', width: 150, optional: true }),
  remark: z.string().meta({ title: '备注', width: 200, optional: true }),
  currency: Currency.meta({ title: '币种', optional: true }),
  /** Null is the own company. */
  giverId: Id.nullable(),
  takerId: Id.nullable(),
  version: z.int(),
});
export type BlocRow = z.infer<typeof BlocRow>;

export const BlocFilter = z.object({
  state: BlocState,
  kind: z.array(BlocKind).max(3).meta({ title: '类型' }),
  company: z.array(Id).max(200).meta({ title: '集团内公司' }),
  wished: z.object({ from: Day.optional(), to: Day.optional() }).meta({ title: '期望日期', kind: 'date' }),
  keyword: z.string().trim().max(100).meta({ title: '单号、事由、公司' }),
});
const Loose = BlocFilter.partial();
export type BlocFilter = z.infer<typeof Loose>;

const Side = (title: string) => z.union([z.uuid(`请选择${title}`), z.literal(OWN)], `请选择${title}`).meta({ title });

export const BlocInput = z.object({
  id: Id.optional().meta({ title: '往来申请' }),
  version: z.int().optional().meta({ title: '版本' }),
  kind: BlocKind,
  giverId: Side('出方'),
  takerId: Side('入方'),
  currency: Currency.default('CNY'),
  amount: Amount('金额'),
  payee: z.string().trim().max(100, '代付收款方不能超过100个字符').default('').meta({ title: '代付收款方' }),
  wishedOn: Day.nullish().meta({ title: '期望日期' }),
  dueOn: Day.nullish().meta({ title: '约定归还日' }),
  reason: z.string().trim().min(1, '请填写事由').max(200, '事由不能超过200个字符').meta({ title: '事由' }),
  remark: Words(500, '备注'),
});
export type BlocInput = z.output<typeof BlocInput>;

/**
 * What stands against the receivable and the payable of a request. MONEY: an account of ours; OURS: a debt or cost of ours that
 * the giver paid; COST: a cost of ours that moves; BOOKS: nothing, both sides are other companies and the own one stands
 * between them.
 */
export type Way = 'MONEY' | 'OURS' | 'COST' | 'BOOKS';

/** How a request is carried out: where the own company stands in it, and what it is about. */
export function wayOf({ kind, giverId, takerId }: Pick<BlocRow, 'kind' | 'giverId' | 'takerId'>): Way {
  if (giverId !== null && takerId !== null) return 'BOOKS';
  if (kind === 'COST') return 'COST';
  return kind === 'ON_BEHALF' && takerId === null ? 'OURS' : 'MONEY';
}
