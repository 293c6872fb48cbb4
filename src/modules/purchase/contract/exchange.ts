import { z } from 'zod';
import { documentType } from '#kit/contract/document.ts';
import { Command, OfferedAction, Outcome, TimelineEntry } from '#kit/contract/document-calls.ts';
import { noteCalls } from '#kit/contract/document-notes.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Currency, Id, Instant, Money, Product, States } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { ById, base, DayRange, EXPORT, MAX_LINES, Pieces, PRICE, RECEIVE, VIEW, Words } from './fields.ts';

/** Writing exchanges, and taking them back while nobody has confirmed them. */
export const EXCHANGE = 'erp:purchase:exchange:add';
/** Saying for the company that the supplier exchanges, and that he will not any more. */
export const EXCHANGE_CONFIRM = 'erp:purchase:exchange:approve';

const STATES = {
  pending: { title: '采购待确认', tone: 'waiting' },
  receiving: { title: '待收货', tone: 'running' },
  done: { title: '已完成', tone: 'done' },
  terminated: { title: '已终止', tone: 'off' },
  void: { title: '已撤销', tone: 'off' },
} as const;
export const ExchangeState = States(STATES);
export type ExchangeState = z.infer<typeof ExchangeState>;

/** What becomes of the pieces that the supplier does not replace. */
export const ExchangeEnding = Choice({ CREDIT: '抵扣应付', BACK: '原货退回' }, '未换处理');
export type ExchangeEnding = z.infer<typeof ExchangeEnding>;

/** 换货单: bad pieces of an order for which the supplier sends good ones; the debt stays as it is. */
export const purchaseExchange = documentType({
  name: 'purchase.exchange',
  title: '采购换货单',
  number: 'HH{yyMMdd}{seq:4}',
  detail: '/e/p/c/d',
  states: STATES,
  initial: 'pending',
  transitions: {
    confirm: {
      title: '确认换货',
      from: ['pending'],
      to: 'receiving',
      permission: EXCHANGE_CONFIRM,
      primary: true,
      consequence: '锁库存的次品随即出库，补发数量计入待入库；应付不变',
    },
    cancel: { title: '撤销', from: ['pending'], to: 'void', permission: EXCHANGE, reason: true },
    finish: { title: '完成', from: ['receiving'], to: 'done', permission: RECEIVE, internal: true },
    terminate: {
      title: '终止',
      from: ['receiving'],
      to: 'terminated',
      permission: EXCHANGE_CONFIRM,
      reason: true,
      internal: true,
    },
  },
});

const money = (title: string, currency = 'currency') =>
  Money.nullable().meta({ title, currency, width: 120, permission: PRICE });

export const ExchangeRow = z.object({
  id: Id,
  number: z.string().meta({ title: '换货单号', kind: 'code', width: 140, pinned: 'left' }),
  product: Product.nullable().meta({ title: '商品', kind: 'product', width: 230 }),
  state: ExchangeState.meta({ width: 100 }),
  order: z.string().meta({ title: '采购单', kind: 'code', width: 150 }),
  orderId: Id,
  supplier: z.string().meta({ title: '供应商', width: 140 }),
  qty: z.int().meta({ title: '换货数量', kind: 'integer', width: 90 }),
  receivedQty: z.int().meta({ title: '已换入', kind: 'integer', width: 80 }),
  openQty: z.int().meta({ title: '待收货', kind: 'integer', width: 80 }),
  takesStock: z.boolean().meta({ title: '锁库存', kind: 'boolean', width: 80 }),
  warehouse: z.string().meta({ title: '换出仓', width: 120 }),
  target: z.string().meta({ title: '换入仓', width: 120 }),
  cost: money('换出成本', 'CNY').meta({ optional: true }),
  credit: money('应付减少').meta({ optional: true }),
  currency: Currency.meta({ hidden: true }),
  reason: z.string().meta({ title: '原因', width: 180 }),
  ending: ExchangeEnding.nullable().meta({ title: '未换处理', width: 100, optional: true }),
  trackingNo: z.string().meta({ title: '换出运单号', kind: 'code', width: 130, optional: true }),
  createdByName: z.string().meta({ title: '创建人', kind: 'person', width: 100 }),
  createdAt: Instant.meta({ title: '创建时间', width: 130 }),
  confirmedByName: z.string().nullable().meta({ title: '确认人', kind: 'person', width: 100, optional: true }),
  confirmedAt: Instant.nullable().meta({ title: '确认时间', width: 130 }),
  version: z.int(),
});
export type ExchangeRow = z.infer<typeof ExchangeRow>;

export const ExchangeFilter = z.object({
  state: ExchangeState,
  created: DayRange('创建日期'),
  supplier: z.array(Id).max(200).meta({ title: '供应商' }),
  keyword: z.string().trim().max(100).meta({ title: '换货单、采购单、运单号' }),
});
const AnyFilter = ExchangeFilter.partial();
export type ExchangeFilter = z.infer<typeof AnyFilter>;

export const ExchangeLineRow = z.object({
  id: Id,
  product: Product.meta({ title: '商品', kind: 'product', width: 240 }),
  qty: z.int().meta({ title: '换货数量', kind: 'integer', width: 90 }),
  received: z.int().meta({ title: '已换入', kind: 'integer', width: 80 }),
  ended: z.int().meta({ title: '未换', kind: 'integer', width: 80 }),
  openQty: z.int().meta({ title: '待收货', kind: 'integer', width: 80 }),
  cost: money('换出成本', 'CNY'),
  costBack: money('已换入成本', 'CNY'),
  credit: money('应付减少'),
  currency: Currency.meta({ hidden: true }),
});
export type ExchangeLineRow = z.infer<typeof ExchangeLineRow>;

export const ExchangeArrivalRow = z.object({
  id: Id,
  product: Product.meta({ title: '商品', kind: 'product', width: 240 }),
  qty: z.int().meta({ title: '换入数量', kind: 'integer', width: 90 }),
  cost: money('库存成本', 'CNY'),
  trackingNo: z.string().meta({ title: '运单号', kind: 'code', width: 130 }),
  by: z.string().meta({ title: '收货人', kind: 'person', width: 100 }),
  at: Instant.meta({ title: '收货时间', width: 130 }),
});
export type ExchangeArrivalRow = z.infer<typeof ExchangeArrivalRow>;

const at = <const S extends string>(part: S) => `${base}/purchaseExchange/${part}` as const;

export const listExchanges = endpoint({
  title: '采购换货列表',
  method: 'POST',
  path: at('list'),
  permission: VIEW,
  access: 'read',
  body: PageQuery(ExchangeFilter),
  sortable: ['number', 'createdAt'],
  reply: Page(ExchangeRow),
});

export const countExchanges = endpoint({
  title: '采购换货各状态数量',
  method: 'POST',
  path: at('counts'),
  permission: VIEW,
  access: 'read',
  concurrent: true,
  body: z.object({ filter: ExchangeFilter.partial().default({}) }),
  reply: z.record(z.string(), z.int()),
});

export const exportExchanges = endpoint({
  title: '导出采购换货',
  method: 'POST',
  path: at('export'),
  permission: EXPORT,
  access: 'read',
  file: true,
  body: ExportQuery(ExchangeFilter),
  reply: z.unknown(),
});

export const exchangeDetail = endpoint({
  title: '采购换货详情',
  method: 'GET',
  path: at('detail/:id'),
  permission: VIEW,
  concurrent: true,
  params: ById,
  reply: z.object({
    exchange: ExchangeRow,
    lines: z.array(ExchangeLineRow),
    arrivals: z.array(ExchangeArrivalRow),
    actions: z.array(OfferedAction),
    timeline: z.array(TimelineEntry),
  }),
});

const Lines = z
  .array(z.object({ lineId: Id.meta({ title: '明细' }), qty: Pieces }))
  .min(1, '至少添加一行数据')
  .max(MAX_LINES)
  .meta({ title: '明细' });

export const createExchange = endpoint({
  title: '新建采购换货',
  method: 'POST',
  path: at('save'),
  permission: EXCHANGE,
  body: z.object({
    orderId: z.uuid('请选择采购单').meta({ title: '采购单' }),
    /** 锁库存: the bad pieces leave the stock when it is confirmed; else they are in no stock any more. */
    takesStock: z.boolean().default(true).meta({ title: '锁库存' }),
    /** Where the bad pieces lie; asked for where they leave the stock. */
    warehouseId: z.uuid('请选择换出仓').optional().meta({ title: '换出仓' }),
    /** Where the good ones are to come; the order's warehouse where left out. */
    targetId: z.uuid().optional().meta({ title: '换入仓' }),
    reason: z.string().trim().min(1, '请填写原因').max(500).meta({ title: '原因' }),
    trackingNo: Words(100, '运单号'),
    lines: Lines,
  }),
  reply: Outcome,
});

const step = (name: 'confirm' | 'cancel') => {
  const rule = purchaseExchange.transitions[name];
  return endpoint({
    title: `采购换货·${rule.title}`,
    method: 'POST',
    path: at(name),
    permission: rule.permission,
    body: Command,
    reply: Outcome,
  });
};

export const exchangeSteps = { confirm: step('confirm'), cancel: step('cancel') };
export type ExchangeStep = keyof typeof exchangeSteps;

/** Good pieces came for bad ones; with the last of them the exchange is over. */
export const receiveExchange = endpoint({
  title: '采购换货·收货',
  method: 'POST',
  path: at('receive'),
  permission: RECEIVE,
  body: Command.omit({ reason: true }).extend({ trackingNo: Words(100, '运单号'), lines: Lines }),
  reply: Outcome,
});

/** The supplier sends no more: what he did not replace is owed no longer, or came back as it was. */
export const terminateExchange = endpoint({
  title: '采购换货·终止',
  method: 'POST',
  path: at('terminate'),
  permission: EXCHANGE_CONFIRM,
  body: Command.extend({
    ending: ExchangeEnding,
    reason: z.string().trim().min(1, '请填写原因').max(200).meta({ title: '原因' }),
  }),
  reply: Outcome,
});

/** An exchange on paper: what goes back to the supplier, and what he sends for it. */
export const printExchange = endpoint({
  title: '打印采购换货单',
  method: 'GET',
  path: at('print/:id'),
  permission: VIEW,
  params: ById,
  file: true,
  reply: z.unknown(),
});

/** What people write about an exchange, and photos of what is wrong. */
export const exchangeNotes = noteCalls({
  def: purchaseExchange,
  base: `${base}/purchaseExchange`,
  view: VIEW,
  attach: EXCHANGE,
});
