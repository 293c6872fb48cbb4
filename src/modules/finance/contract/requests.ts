import { z } from 'zod';
import { documentType } from '#kit/contract/document.ts';
import { OfferedAction, TimelineEntry } from '#kit/contract/document-calls.ts';
import { noteCalls } from '#kit/contract/document-notes.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Currency, Day, Id, Instant, Money, States, Text } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { Method } from './accounts.ts';
import { Amount, AmountOrNone, ById, base, PartyInput, Words } from './fields.ts';

export const VIEW = 'fin:payreq:view';
export const APPLY = 'fin:payreq:apply';
export const APPROVE = 'fin:payreq:approve';
export const PAY = 'fin:payreq:pay';
const REVERSE = 'fin:payreq:reverse';

const STATES = {
  draft: { title: '草稿', tone: 'off' },
  submitted: { title: '待审核', tone: 'waiting' },
  approved: { title: '待付款', tone: 'waiting' },
  partly: { title: '部分付款', tone: 'running' },
  paid: { title: '已付款', tone: 'done' },
  returned: { title: '已退回', tone: 'trouble' },
  reversed: { title: '已冲销', tone: 'off' },
  cancelled: { title: '已作废', tone: 'off' },
} as const;
export const RequestState = States(STATES);
export type RequestState = z.infer<typeof RequestState>;

export const RequestKind = Choice(
  { DEPOSIT: '定金', BALANCE: '尾款', FREIGHT: '运费', SETTLEMENT: '对账结算', EXPENSE: '费用' },
  '类型',
);
export type RequestKind = z.infer<typeof RequestKind>;

/** 请款单: what somebody asks to be paid, until all of it has left an account. */
export const paymentRequest = documentType({
  name: 'finance.paymentRequest',
  title: '请款单',
  number: 'PA-{yyyyMMdd}-{seq:4}',
  detail: '/f/p/d',
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
      consequence: '通过后等待出纳付款',
    },
    return: { title: '退回', from: ['submitted', 'approved'], to: 'returned', permission: APPROVE, reason: true },
    payPart: { title: '部分付款', from: ['approved', 'partly'], to: 'partly', permission: PAY, internal: true },
    payAll: { title: '付款', from: ['approved', 'partly'], to: 'paid', permission: PAY, internal: true },
    reverse: {
      title: '冲销付款',
      from: ['partly', 'paid'],
      to: 'reversed',
      permission: REVERSE,
      reason: true,
      consequence: '已付款项全部退回账户，应付恢复；预付款已核销时不能冲销',
    },
    cancel: { title: '作废', from: ['draft', 'returned'], to: 'cancelled', permission: APPLY, reason: true },
  },
  approval: { submit: ['submit'], approve: 'approve', reject: 'return', withdraw: 'withdraw', cancel: ['cancel'] },
});

export const RequestRow = z.object({
  id: Id,
  number: z.string().meta({ title: '请款单号', kind: 'code', width: 160, pinned: 'left' }),
  kind: RequestKind.meta({ width: 90 }),
  state: RequestState.meta({ width: 100 }),
  payee: z.string().meta({ title: '收款方', width: 160 }),
  subject: z.string().meta({ title: '关联单号', kind: 'code', width: 150 }),
  method: Method.meta({ width: 100 }),
  amount: Money.meta({ title: '申请金额', currency: 'currency', width: 130 }),
  paid: Money.meta({ title: '已付', currency: 'currency', width: 130 }),
  open: Money.meta({ title: '待付', currency: 'currency', width: 130 }),
  dueOn: Day.nullable().meta({ title: '预计付款日', width: 110 }),
  createdByName: z.string().meta({ title: '申请人', kind: 'person', width: 110 }),
  createdAt: Instant.meta({ title: '申请时间', width: 140 }),
  approvedByName: z.string().meta({ title: '审核人', kind: 'person', width: 110 }),
  approvedAt: Instant.nullable().meta({ title: '审核时间', width: 140, optional: true }),
  remark: z.string().meta({ title: '备注', width: 200 }),
  currency: Currency.meta({ title: '币种', optional: true }),
  partyKind: z.string(),
  partyId: Id,
  cashAccountId: Id.nullable(),
  version: z.int(),
});
export type RequestRow = z.infer<typeof RequestRow>;

export const RequestFilter = z.object({
  state: RequestState,
  kind: z.array(RequestKind).max(5).meta({ title: '类型' }),
  due: z.object({ from: Day.optional(), to: Day.optional() }).meta({ title: '预计付款日', kind: 'date' }),
  keyword: z.string().trim().max(100).meta({ title: '单号、收款方' }),
});
const Loose = RequestFilter.partial();
export type RequestFilter = z.infer<typeof Loose>;

export const RequestLine = z.object({
  lineNo: z.int().meta({ title: '行', kind: 'integer', width: 48 }),
  title: z.string().meta({ title: '费用项目', width: 240 }),
  category: z.string().nullable().meta({ title: '收支项', width: 120 }),
  payable: z.string().nullable().meta({ title: '对应应付', width: 200 }),
  payableOpen: Money.nullable().meta({ title: '应付未付', currency: 'currency', width: 130 }),
  amount: Money.meta({ title: '申请金额', currency: 'currency', width: 130 }),
  remark: z.string().meta({ title: '备注', width: 180 }),
  currency: Currency.meta({ hidden: true }),
  payableId: Id.nullable(),
  categoryId: Id.nullable(),
});
export type RequestLine = z.infer<typeof RequestLine>;

export const PaymentRow = z.object({
  id: Id,
  day: Day.meta({ title: '付款日期', width: 110 }),
  account: z.string().meta({ title: '付款账户', width: 150 }),
  amount: Money.meta({ title: '付款金额', currency: 'currency', width: 130 }),
  paid: Money.meta({ title: '账户支出', currency: 'accountCurrency', width: 130 }),
  fee: Money.meta({ title: '手续费', currency: 'accountCurrency', width: 110 }),
  rate: z.string().nullable().meta({ title: '付款汇率', kind: 'rate', width: 110, tip: '1 单位请款币种兑人民币' }),
  base: Money.nullable().meta({ title: '折合人民币', currency: 'CNY', width: 130 }),
  gain: Money.nullable().meta({
    title: '汇兑损益',
    currency: 'CNY',
    width: 120,
    good: 'up',
    tip: '入账时的人民币金额 − 付款时的人民币金额；负数为损失，冲销后不计',
  }),
  reversed: z.boolean().meta({ title: '已冲销', kind: 'boolean', width: 80 }),
  note: z.string().meta({ title: '备注', width: 160 }),
  by: z.string().meta({ title: '付款人', kind: 'person', width: 110 }),
  currency: Currency.meta({ hidden: true }),
  accountCurrency: Currency.meta({ hidden: true }),
});

export const listRequests = endpoint({
  title: '请款单列表',
  method: 'POST',
  path: `${base}/paymentRequest/list`,
  permission: VIEW,
  access: 'read',
  body: PageQuery(RequestFilter),
  sortable: ['number', 'amount', 'dueOn', 'createdAt'],
  reply: Page(RequestRow),
});

export const countRequests = endpoint({
  title: '请款单各状态数量',
  method: 'POST',
  path: `${base}/paymentRequest/statusCounts`,
  permission: VIEW,
  access: 'read',
  concurrent: true,
  body: z.object({ filter: RequestFilter.partial().default({}) }),
  reply: z.record(z.string(), z.int()),
});

export const exportRequests = endpoint({
  title: '导出请款单',
  method: 'POST',
  path: `${base}/paymentRequest/export`,
  permission: VIEW,
  access: 'read',
  file: true,
  body: ExportQuery(RequestFilter),
  reply: z.unknown(),
});

/** What people write about a request and put to it. */
export const requestNotes = noteCalls({
  def: paymentRequest,
  base: `${base}/paymentRequest`,
  view: VIEW,
  attach: APPLY,
});

export const requestData = endpoint({
  title: '请款单详情',
  method: 'GET',
  path: `${base}/paymentRequest/getData/:id`,
  permission: VIEW,
  concurrent: true,
  params: ById,
  reply: z.object({
    document: RequestRow,
    lines: z.array(RequestLine),
    payments: z.array(PaymentRow),
    /** What the payee is owed and has in advance, in the currency of the request. */
    dealings: z.object({ payable: Money, prepaid: Money }),
    /** Where a supplier is paid, in the clear. */
    payTo: z
      .object({ bankName: z.string(), accountName: z.string(), account: z.string() })
      .nullable()
      .meta({ permission: PAY }),
    actions: z.array(OfferedAction),
    timeline: z.array(TimelineEntry),
  }),
});

export const printRequest = endpoint({
  title: '打印请款单',
  method: 'GET',
  path: `${base}/paymentRequest/print/:id`,
  permission: VIEW,
  file: true,
  params: ById,
  reply: z.unknown(),
});

export const RequestLineInput = z.object({
  title: Text(100, '费用项目'),
  amount: Amount('申请金额'),
  payableId: Id.nullish().meta({ title: '对应应付' }),
  categoryId: Id.nullish().meta({ title: '收支项' }),
  remark: Words(200, '备注'),
});

export const RequestInput = z.object({
  id: Id.optional().meta({ title: '请款单' }),
  version: z.int().optional().meta({ title: '版本' }),
  kind: RequestKind,
  party: PartyInput.meta({ title: '收款方' }),
  subject: z
    .object({ type: Text(60, '来源'), id: Text(60, '来源'), number: Text(60, '关联单号') })
    .optional()
    .meta({ title: '关联单据' }),
  method: Method.default('BANK'),
  cashAccountId: z.uuid().nullish().meta({ title: '付款账户' }),
  currency: Currency.default('CNY'),
  dueOn: Day.nullish().meta({ title: '预计付款日' }),
  remark: Words(500, '备注'),
  lines: z.array(RequestLineInput).min(1, '至少添加一行数据').max(200).meta({ title: '请款明细' }),
});

export const Outcome = z.object({
  id: Id,
  number: z.string(),
  state: RequestState,
  version: z.int(),
  message: z.string(),
});
export type Outcome = z.infer<typeof Outcome>;

export const saveRequest = endpoint({
  title: '保存请款单',
  method: 'POST',
  path: `${base}/paymentRequest/saveData`,
  permission: APPLY,
  body: RequestInput,
  reply: Outcome,
});

const Command = z.object({
  id: Id.meta({ title: '请款单' }),
  version: z.int().optional().meta({ title: '版本' }),
  reason: z.string().trim().max(200).optional().meta({ title: '原因' }),
});

const command = (name: keyof typeof paymentRequest.transitions) => {
  const { title, permission } = paymentRequest.transitions[name];
  return endpoint({
    title: `请款单·${title}`,
    method: 'POST',
    path: `${base}/paymentRequest/${name}`,
    permission,
    body: Command,
    reply: Outcome,
  });
};

/** Steps that are one transition each. */
export const requestSteps = {
  submit: command('submit'),
  withdraw: command('withdraw'),
  approve: command('approve'),
  return: command('return'),
  cancel: command('cancel'),
  reverse: command('reverse'),
};
export type RequestStep = keyof typeof requestSteps;

/**
 * Pays one or several requests out of one account; the bank's fee is shared among them by amount. A second call with the
 * same `batchId` changes nothing.
 */
export const payRequests = endpoint({
  title: '批量付款',
  method: 'POST',
  path: `${base}/paymentRequest/pay`,
  permission: PAY,
  body: z.object({
    batchId: Id.meta({ title: '付款批次' }),
    cashAccountId: z.uuid('请选择付款账户').meta({ title: '付款账户' }),
    fee: AmountOrNone('手续费').default('0'),
    day: Day.optional().meta({ title: '付款日期' }),
    note: Words(200, '备注'),
    requests: z
      .array(
        z.object({
          id: Id.meta({ title: '请款单' }),
          version: z.int().optional().meta({ title: '版本' }),
          amount: Amount('付款金额'),
          /** In the currency of the account, where it differs from the request's. */
          paid: Amount('账户支出').optional().meta({ title: '账户支出' }),
        }),
      )
      .min(1, '请选择请款单')
      .max(100)
      .meta({ title: '请款单' }),
  }),
  reply: z.object({
    batchId: Id,
    requests: z.int(),
    paid: Money,
    fee: Money,
    currency: Currency,
    repeated: z.boolean(),
  }),
});

/** Another account or method, while nothing is paid yet. */
export const changeMethod = endpoint({
  title: '修改付款方式',
  method: 'POST',
  path: `${base}/paymentRequest/method`,
  permission: PAY,
  body: z.object({
    id: Id.meta({ title: '请款单' }),
    version: z.int().optional().meta({ title: '版本' }),
    method: Method,
    cashAccountId: z.uuid().nullish().meta({ title: '付款账户' }),
  }),
  reply: Outcome,
});
