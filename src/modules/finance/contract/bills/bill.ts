import { z } from 'zod';
import { documentType } from '#kit/contract/document.ts';
import { OfferedAction, TimelineEntry } from '#kit/contract/document-calls.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Day, Id, Instant, Money, States } from '#kit/contract/field.ts';
import { Page, PageQuery } from '#kit/contract/page.ts';
import { ById, base, Words } from '../fields.ts';
import { APPLY } from '../requests.ts';

export const VIEW = 'fin:statement:view';
export const UPLOAD = 'fin:statement:upload';
/** Calls of the bills of the platform. */
export const at = (name: string) => `${base}/platformStatement/${name}` as const;

const STATES = {
  uploaded: { title: '已上传', tone: 'waiting' },
  partly: { title: '部分匹配', tone: 'waiting' },
  matched: { title: '已匹配', tone: 'waiting' },
  confirmed: { title: '已确认', tone: 'running' },
  settled: { title: '已结清', tone: 'done' },
  cancelled: { title: '已作废', tone: 'off' },
} as const;
export const BillState = States(STATES);
export type BillState = z.infer<typeof BillState>;

/** 平台账单: an uploaded bill of 1688, until every line of it is paid. */
export const platformBill = documentType({
  name: 'finance.platformBill',
  title: '平台账单',
  number: 'ZD{yyMMdd}{seq:4}',
  detail: '/e/f/s',
  states: STATES,
  initial: 'uploaded',
  transitions: {
    matchNone: { title: '取消匹配', from: ['partly', 'matched'], to: 'uploaded', permission: UPLOAD, internal: true },
    matchSome: { title: '部分匹配', from: ['uploaded', 'matched'], to: 'partly', permission: UPLOAD, internal: true },
    matchAll: { title: '全部匹配', from: ['uploaded', 'partly'], to: 'matched', permission: UPLOAD, internal: true },
    confirm: { title: '确认账单', from: ['matched'], to: 'confirmed', permission: UPLOAD, internal: true },
    reopen: { title: '重新匹配', from: ['confirmed'], to: 'matched', permission: UPLOAD, reason: true },
    settle: { title: '结清', from: ['confirmed'], to: 'settled', permission: UPLOAD, internal: true },
    unsettle: { title: '付款冲销', from: ['settled'], to: 'confirmed', permission: UPLOAD, internal: true },
    cancel: {
      title: '作废',
      from: ['uploaded', 'partly', 'matched'],
      to: 'cancelled',
      permission: UPLOAD,
      reason: true,
      consequence: '作废后可以重新上传同一账号、同一出账日的账单',
    },
  },
});

/** Money of 1688. */
export const cny = (title: string, width = 110) => Money.meta({ title, currency: 'CNY', width });

export const BillRow = z.object({
  id: Id,
  number: z.string().meta({ title: '账单编号', kind: 'code', width: 140, pinned: 'left' }),
  state: BillState.meta({ width: 100 }),
  buyerAccount: z.string().meta({ title: '买家账号', width: 150 }),
  amount: cny('入账金额', 130),
  orderCount: z.int().meta({ title: '订单笔数', kind: 'integer', width: 90 }),
  statementDate: Day.meta({ title: '出账日', width: 110 }),
  dueOn: Day.meta({ title: '还款日', width: 120 }),
  matchedCount: z
    .int()
    .meta({ title: '已匹配', kind: 'integer', width: 80, tip: '已匹配采购单或标为无需付款的订单数' }),
  difference: cny('差异', 120).meta({ tip: '已匹配订单的账单金额 − 采购单金额' }),
  requested: cny('已请款', 120),
  paid: cny('已付款', 120),
  exportedAt: Instant.nullable().meta({ title: '导出时间', width: 140 }),
  reason: z.string().meta({ title: '差异原因', width: 180 }),
  createdByName: z.string().meta({ title: '上传人', kind: 'person', width: 110 }),
  createdAt: Instant.meta({ title: '上传时间', width: 140 }),
  version: z.int(),
});
export type BillRow = z.infer<typeof BillRow>;

export const BillFilter = z.object({
  state: BillState,
  statementDate: z.object({ from: Day.optional(), to: Day.optional() }).meta({ title: '出账日', kind: 'date' }),
  dueOn: z.object({ from: Day.optional(), to: Day.optional() }).meta({ title: '还款日', kind: 'date' }),
  keyword: z.string().trim().max(100).meta({ title: '编号、买家账号、订单号' }),
});
const Loose = BillFilter.partial();
export type BillFilter = z.infer<typeof Loose>;

export const listBills = endpoint({
  title: '平台账单列表',
  method: 'POST',
  path: at('list'),
  permission: VIEW,
  access: 'read',
  body: PageQuery(BillFilter),
  sortable: ['number', 'statementDate', 'dueOn', 'amount', 'createdAt'],
  reply: Page(BillRow),
});

export const countBills = endpoint({
  title: '平台账单各状态数量',
  method: 'POST',
  path: at('statusCounts'),
  permission: VIEW,
  access: 'read',
  concurrent: true,
  body: z.object({ filter: BillFilter.partial().default({}) }),
  reply: z.record(z.string(), z.int()),
});

export const billData = endpoint({
  title: '平台账单详情',
  method: 'GET',
  path: at('detail/:id'),
  permission: VIEW,
  concurrent: true,
  params: ById,
  reply: z.object({
    document: BillRow,
    /** Rows of each sheet, and of payments. */
    counts: z.object({
      orders: z.int(),
      repayments: z.int(),
      refunds: z.int(),
      topups: z.int(),
      payments: z.int(),
      unmatched: z.int(),
      payable: z.int().meta({ title: '待请款' }),
    }),
    actions: z.array(OfferedAction),
    timeline: z.array(TimelineEntry),
  }),
});

/** A row of the workbook that cannot be taken; line as the spreadsheet counts it, 0 for a whole sheet. */
export const BillProblem = z.object({
  sheet: z.string(),
  line: z.int(),
  column: z.string(),
  value: z.string(),
  reason: z.string(),
});
export type BillProblem = z.infer<typeof BillProblem>;

/**
 * The bill workbook of 1688, four sheets. Read only, unless `write` says so; then all of it is written or nothing. The
 * same file again writes nothing and answers the bill that it was.
 */
export const uploadBill = endpoint({
  title: '上传1688账单',
  method: 'POST',
  path: at('upload'),
  permission: UPLOAD,
  upload: true,
  body: z.object({ write: z.enum(['no', 'yes']).default('no').meta({ title: '写入' }) }),
  reply: z.object({
    rows: z.int(),
    good: z.int(),
    written: z.boolean(),
    summary: z.string().nullable(),
    problems: z.array(BillProblem),
    /** The workbook with the reasons beside its rows, base64; null where there is nothing to say. */
    annotated: z.string().nullable(),
    bill: z.object({ id: Id, number: z.string(), repeated: z.boolean() }).nullable(),
  }),
});

export const billTemplate = endpoint({
  title: '1688账单模板',
  method: 'GET',
  path: at('template'),
  permission: UPLOAD,
  file: true,
  reply: z.unknown(),
});

const Step = z.object({
  id: Id.meta({ title: '账单' }),
  version: z.int().optional().meta({ title: '版本' }),
});
const Outcome = z.object({ id: Id, number: z.string(), state: BillState, message: z.string() });

/** Looks for the purchase orders of all lines that have none yet. */
export const matchBill = endpoint({
  title: '平台账单·自动匹配',
  method: 'POST',
  path: at('match'),
  permission: UPLOAD,
  body: Step,
  reply: Outcome.extend({ found: z.int(), left: z.int() }),
});

export const ConfirmBillForm = z.object({ reason: Words(500, '差异原因') });

/** Every line is matched or needs no payment; a difference to the purchase orders needs a reason. */
export const confirmBill = endpoint({
  title: '平台账单·确认',
  method: 'POST',
  path: at('confirm'),
  permission: UPLOAD,
  body: Step.extend(ConfirmBillForm.shape),
  reply: Outcome,
});

export const moveBill = endpoint({
  title: '平台账单·操作',
  method: 'POST',
  path: at('move'),
  permission: UPLOAD,
  body: Step.extend({
    action: z.enum(['reopen', 'cancel']).meta({ title: '操作' }),
    reason: z.string().trim().max(200).optional().meta({ title: '原因' }),
  }),
  reply: Outcome,
});

/**
 * One payment request for each purchase order of the bill, handed in; lines that are in a request already stay out.
 * Orders of which less may be asked for than is billed are skipped, with the reason.
 */
export const settleBill = endpoint({
  title: '平台账单·生成付款',
  method: 'POST',
  path: at('settle'),
  permission: APPLY,
  body: Step,
  reply: z.object({
    requests: z.int(),
    amount: Money,
    skipped: z.array(z.object({ order: z.string(), reason: z.string() })),
    message: z.string(),
  }),
});
