import { z } from 'zod';
import { documentType } from '#kit/contract/document.ts';
import { Choice, Day, Decimal, Id, Instant, Money, OptionalText, Quantity, States, Text } from '#kit/contract/field.ts';
import { Days } from './fields.ts';

export const CREATE = 'gl:voucher:create';
export const APPROVE = 'gl:voucher:approve';
export const POST = 'gl:voucher:post';
export const REVERSE = 'gl:voucher:reverse';

const STATES = {
  draft: { title: '草稿', tone: 'off' },
  submitted: { title: '待审核', tone: 'waiting' },
  approved: { title: '已审核', tone: 'running' },
  posted: { title: '已过账', tone: 'done' },
  reversed: { title: '已冲销', tone: 'side' },
  void: { title: '已作废', tone: 'off' },
} as const;
export const VoucherState = States(STATES);
export type VoucherState = z.infer<typeof VoucherState>;

/** What vouchers are called (凭证字). */
export const TYPES = { GENERAL: '记', RECEIPT: '收', PAYMENT: '付', TRANSFER: '转', OPENING: '期初' } as const;
export const VoucherType = Choice(TYPES, '凭证字');
export type VoucherType = z.infer<typeof VoucherType>;

export const DETAIL = '/fin/voucher/detail';
export const CREATE_PATH = '/fin/voucher/create';

/** 凭证. Posting is a step, never the saving; a posted one is taken back by a red one only. */
export const voucher = documentType({
  name: 'accounting.voucher',
  title: '凭证',
  number: '{seq:4}',
  detail: DETAIL,
  states: STATES,
  initial: 'draft',
  transitions: {
    submit: {
      title: '提交',
      from: ['draft'],
      to: 'submitted',
      permission: CREATE,
      primary: true,
      consequence: '提交后由他人审核，审核前可以撤回',
    },
    withdraw: { title: '撤回', from: ['submitted'], to: 'draft', permission: CREATE },
    approve: {
      title: '审核',
      from: ['submitted'],
      to: 'approved',
      permission: APPROVE,
      primary: true,
      consequence: '审核后可以过账',
    },
    return: { title: '退回', from: ['submitted', 'approved'], to: 'draft', permission: APPROVE, reason: true },
    post: {
      title: '过账',
      from: ['approved'],
      to: 'posted',
      permission: POST,
      primary: true,
      consequence: '过账后计入科目余额，不能再修改，只能红字冲销',
    },
    void: {
      title: '作废',
      from: ['draft', 'submitted'],
      to: 'void',
      permission: CREATE,
      reason: true,
      consequence: '凭证号保留，不再使用',
    },
    reverse: {
      title: '红字冲销',
      from: ['posted'],
      to: 'reversed',
      permission: REVERSE,
      reason: true,
      consequence: '生成金额相反的红字凭证并立即过账；原凭证月份已关账时记在今天',
    },
  },
});

export const VoucherRow = z.object({
  id: Id,
  number: z.string().meta({ title: '凭证号', kind: 'code', width: 150, pinned: 'left' }),
  day: Day.meta({ title: '日期', width: 110 }),
  type: VoucherType.meta({ width: 80 }),
  state: VoucherState.meta({ width: 100 }),
  summary: z.string().meta({ title: '摘要', width: 260 }),
  amount: Money.meta({ title: '金额', currency: 'CNY', width: 140, tip: '借方合计' }),
  attachments: Quantity.meta({ title: '附单据', width: 80 }),
  createdByName: z.string().meta({ title: '制单人', kind: 'person', width: 110 }),
  approvedByName: z.string().meta({ title: '审核人', kind: 'person', width: 110 }),
  postedByName: z.string().meta({ title: '过账人', kind: 'person', width: 110 }),
  createdAt: Instant.meta({ title: '制单时间', width: 140, optional: true }),
  version: z.int(),
});
export type VoucherRow = z.infer<typeof VoucherRow>;

export const VoucherFilter = z.object({
  state: VoucherState,
  day: Days.meta({ title: '日期', kind: 'date' }),
  subjects: z.array(Id).max(50).meta({ title: '科目' }),
  type: z.array(VoucherType).max(5).meta({ title: '凭证字' }),
  amount: z.object({ from: z.number().optional(), to: z.number().optional() }).meta({ title: '金额', optional: true }),
  cash: z.boolean().meta({ title: '含现金科目', optional: true, tip: '库存现金、银行存款、其他货币资金' }),
  keyword: OptionalText(100, '凭证号/摘要'),
});
const Loose = VoucherFilter.partial();
export type VoucherFilter = z.infer<typeof Loose>;

export const EntryRow = z.object({
  lineNo: z.int().meta({ title: '行', width: 50 }),
  summary: z.string().meta({ title: '摘要', width: 260 }),
  subject: z.string().meta({ title: '科目', width: 300 }),
  debit: Money.nullable().meta({ title: '借方金额', currency: 'CNY', width: 140 }),
  credit: Money.nullable().meta({ title: '贷方金额', currency: 'CNY', width: 140 }),
  original: Money.nullable().meta({ title: '原币金额', currency: 'currency', width: 140 }),
  rate: Decimal.nullable().meta({ title: '汇率', width: 110, tip: '1 单位原币兑人民币' }),
  currency: z.string(),
  subjectId: Id,
});
export type EntryRow = z.infer<typeof EntryRow>;

/** CNY with at most two decimals, negative in red entries; empty is none. */
const Amount = (title: string) =>
  z
    .string()
    .trim()
    .regex(/^(-?\d{1,13}(\.\d{1,2})?)?$/, `${title}：请输入正确的金额`)
    .default('')
    .meta({ title, kind: 'money' });

export const LineInput = z.object({
  summary: Text(200, '摘要'),
  subjectId: z.uuid('请选择科目').meta({ title: '科目' }),
  debit: Amount('借方金额'),
  credit: Amount('贷方金额'),
  /** What the amount is in another currency, on the same side; together with the currency, or neither. */
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, '请选择币种')
    .default('CNY')
    .meta({ title: '币种' }),
  original: z
    .string()
    .trim()
    .regex(/^(-?\d{1,13}(\.\d{1,4})?)?$/, '原币金额：请输入正确的金额')
    .default('')
    .meta({ title: '原币金额', kind: 'money' }),
});
export type LineInput = z.output<typeof LineInput>;

export const VoucherHead = z.object({
  type: VoucherType,
  day: Day.meta({ title: '日期' }),
  attachments: z.int().min(0).max(999).default(0).meta({ title: '附单据', kind: 'integer' }),
});

export const VoucherInput = VoucherHead.extend({
  id: Id.optional(),
  version: z.int().optional().meta({ title: '版本' }),
  lines: z.array(LineInput).min(2, '凭证至少要有两行分录').max(500, '一张凭证最多 500 行分录').meta({ title: '分录' }),
});
export type VoucherInput = z.output<typeof VoucherInput>;
