import { z } from 'zod';
import { documentType } from '#kit/contract/document.ts';
import { OfferedAction, TimelineEntry } from '#kit/contract/document-calls.ts';
import { noteCalls } from '#kit/contract/document-notes.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Currency, Day, Id, Instant, Money, States } from '#kit/contract/field.ts';
import { Page, PageQuery } from '#kit/contract/page.ts';
import { AmountOrNone, ById, base, Words } from './fields.ts';
import { StatementLine } from './payables.ts';

const VIEW = 'fin:dealing:view';
export const SETTLE = 'fin:dealing:apply';

const STATES = {
  draft: { title: '待对账', tone: 'waiting' },
  confirmed: { title: '已确认', tone: 'running' },
  requested: { title: '已请款', tone: 'done' },
  cancelled: { title: '已作废', tone: 'off' },
} as const;
export const SettlementState = States(STATES);
export type SettlementState = z.infer<typeof SettlementState>;

/** 供应商结算单: a period with a supplier, agreed with him and then asked to be paid. */
export const supplierSettlement = documentType({
  name: 'finance.supplierSettlement',
  title: '供应商结算单',
  number: 'JS{yyMMdd}{seq:4}',
  detail: '/finance/supplierSettlement/detail',
  states: STATES,
  initial: 'draft',
  transitions: {
    confirm: { title: '确认对账', from: ['draft'], to: 'confirmed', permission: SETTLE, internal: true },
    reopen: { title: '重新对账', from: ['confirmed'], to: 'draft', permission: SETTLE, reason: true },
    request: {
      title: '生成请款单',
      from: ['confirmed'],
      to: 'requested',
      permission: SETTLE,
      primary: true,
      consequence: '把截止日之前未付的应付逐笔写入一张请款单并提交审核',
    },
    cancel: { title: '作废', from: ['draft', 'confirmed'], to: 'cancelled', permission: SETTLE, reason: true },
  },
});

export const SettlementRow = z.object({
  id: Id,
  number: z.string().meta({ title: '结算单号', kind: 'code', width: 150, pinned: 'left' }),
  state: SettlementState.meta({ width: 90 }),
  supplier: z.string().meta({ title: '供应商', width: 130 }),
  from: Day.meta({ title: '账期开始', width: 100 }),
  to: Day.meta({ title: '账期结束', width: 100 }),
  opening: Money.nullable().meta({ title: '期初', currency: 'currency', width: 120 }),
  raised: Money.nullable().meta({ title: '应付增加', currency: 'currency', width: 120 }),
  paid: Money.nullable().meta({ title: '付款与冲减', currency: 'currency', width: 120 }),
  closing: Money.nullable().meta({ title: '期末', currency: 'currency', width: 120, tip: '负数为我方欠款' }),
  stated: Money.nullable().meta({
    title: '对方账单',
    currency: 'currency',
    width: 120,
    tip: '供应商认为我方应付的金额',
  }),
  difference: Money.nullable().meta({ title: '差异', currency: 'currency', width: 110, tip: '对方账单 − 我方应付' }),
  reason: z.string().meta({ title: '差异原因', width: 180 }),
  requestNumber: z.string().nullable().meta({ title: '请款单', kind: 'code', width: 160 }),
  createdByName: z.string().meta({ title: '创建人', kind: 'person', width: 110 }),
  createdAt: Instant.meta({ title: '创建时间', width: 140 }),
  currency: Currency.meta({ title: '币种', optional: true }),
  supplierId: Id,
  requestId: Id.nullable(),
  version: z.int(),
});
export type SettlementRow = z.infer<typeof SettlementRow>;

export const SettlementFilter = z.object({
  state: SettlementState,
  keyword: z.string().trim().max(100).meta({ title: '单号、供应商' }),
});
const Loose = SettlementFilter.partial();
export type SettlementFilter = z.infer<typeof Loose>;

export const listSettlements = endpoint({
  title: '供应商结算单列表',
  method: 'POST',
  path: `${base}/supplierSettlement/list`,
  permission: VIEW,
  access: 'read',
  body: PageQuery(SettlementFilter),
  sortable: ['number', 'to', 'createdAt'],
  reply: Page(SettlementRow),
});

export const countSettlements = endpoint({
  title: '供应商结算单各状态数量',
  method: 'POST',
  path: `${base}/supplierSettlement/statusCounts`,
  permission: VIEW,
  access: 'read',
  concurrent: true,
  body: z.object({ filter: SettlementFilter.partial().default({}) }),
  reply: z.record(z.string(), z.int()),
});

export const settlementData = endpoint({
  title: '供应商结算单详情',
  method: 'GET',
  path: `${base}/supplierSettlement/getData/:id`,
  permission: VIEW,
  concurrent: true,
  params: ById,
  reply: z.object({
    document: SettlementRow,
    lines: z.array(StatementLine),
    actions: z.array(OfferedAction),
    timeline: z.array(TimelineEntry),
  }),
});

export const printSettlement = endpoint({
  title: '打印供应商结算单',
  method: 'GET',
  path: `${base}/supplierSettlement/print/:id`,
  permission: VIEW,
  file: true,
  params: ById,
  reply: z.unknown(),
});

/** What people write about a settlement and put to it. */
export const settlementNotes = noteCalls({
  def: supplierSettlement,
  base: `${base}/supplierSettlement`,
  view: VIEW,
  attach: SETTLE,
});

export const SettlementForm = z.object({
  supplierId: z.uuid('请选择供应商').meta({ title: '供应商' }),
  currency: Currency.default('CNY'),
  from: Day.meta({ title: '账期开始' }),
  to: Day.meta({ title: '账期结束' }),
  remark: Words(500, '备注'),
});

const Outcome = z.object({ id: Id, number: z.string(), state: SettlementState, message: z.string() });

export const addSettlement = endpoint({
  title: '新增供应商结算单',
  method: 'POST',
  path: `${base}/supplierSettlement/saveData`,
  permission: SETTLE,
  body: SettlementForm,
  reply: Outcome,
});

export const ConfirmForm = z.object({
  stated: AmountOrNone('对方账单'),
  reason: Words(500, '差异原因'),
});

/** Keeps our figures as they are now beside what the supplier states; a difference needs a reason. */
export const confirmSettlement = endpoint({
  title: '供应商结算单·确认对账',
  method: 'POST',
  path: `${base}/supplierSettlement/confirm`,
  permission: SETTLE,
  body: ConfirmForm.extend({ id: Id.meta({ title: '结算单' }), version: z.int().optional().meta({ title: '版本' }) }),
  reply: Outcome,
});

export const moveSettlement = endpoint({
  title: '供应商结算单·操作',
  method: 'POST',
  path: `${base}/supplierSettlement/move`,
  permission: SETTLE,
  body: z.object({
    id: Id.meta({ title: '结算单' }),
    version: z.int().optional().meta({ title: '版本' }),
    action: z.enum(['reopen', 'request', 'cancel']).meta({ title: '操作' }),
    reason: z.string().trim().max(200).optional().meta({ title: '原因' }),
  }),
  reply: Outcome,
});
