import { z } from 'zod';
import { Command, OfferedAction, Outcome, Reasoned, TimelineEntry } from '#kit/contract/document-calls.ts';
import { noteCalls } from '#kit/contract/document-notes.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Id } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { ById, Transport, VIEW } from '../fields.ts';
import { BookingInput, BookingRow, QuoteAnswerInput, QuoteAnswerRow } from './answer.ts';
import { base, MAX_ORDERS, QUOTE_ADD, QUOTE_AUDIT, QUOTE_EXPORT, QUOTE_IMPORT, QUOTE_VIEW } from './fields.ts';
import {
  QuoteExtension,
  QuoteFilter,
  QuoteGoodsRow,
  QuoteRequestInput,
  QuoteRequestRow,
  quoteRequest,
} from './request.ts';

const at = <const S extends string>(part: S) => `${base}/${part}` as const;
const Versioned = Command.pick({ id: true, version: true });

export const listQuoteRequests = endpoint({
  title: '物流询价列表',
  method: 'POST',
  path: at('list'),
  permission: QUOTE_VIEW,
  access: 'read',
  body: PageQuery(QuoteFilter),
  sortable: ['number', 'until', 'createdAt'],
  reply: Page(QuoteRequestRow),
});

export const countQuoteRequests = endpoint({
  title: '物流询价各状态数量',
  method: 'POST',
  path: at('counts'),
  permission: QUOTE_VIEW,
  access: 'read',
  concurrent: true,
  body: z.object({ filter: QuoteFilter.partial().default({}) }),
  reply: z.record(z.string(), z.int()),
});

export const exportQuoteRequests = endpoint({
  title: '导出物流询价',
  method: 'POST',
  path: at('export'),
  permission: QUOTE_EXPORT,
  access: 'read',
  file: true,
  body: ExportQuery(QuoteFilter),
  reply: z.unknown(),
});

/** What is told to one forwarder. */
const Asking = z.object({
  carrierId: Id,
  carrier: z.string(),
  contact: z.string(),
  answered: z.boolean(),
  text: z.string(),
});

export const quoteRequestDetail = endpoint({
  title: '物流询价详情',
  method: 'GET',
  path: at('detail/:id'),
  permission: QUOTE_VIEW,
  concurrent: true,
  params: ById,
  reply: z.object({
    request: QuoteRequestRow,
    goods: z.array(QuoteGoodsRow),
    answers: z.array(QuoteAnswerRow),
    asked: z.array(Asking),
    bookings: z.array(BookingRow),
    actions: z.array(OfferedAction),
    timeline: z.array(TimelineEntry),
  }),
});

/** Carriers and channels in use, for forms and filters. */
export const quoteChoices = endpoint({
  title: '物流询价可选项',
  method: 'GET',
  path: at('choices'),
  permission: QUOTE_VIEW,
  concurrent: true,
  reply: z.object({
    carriers: z.array(z.object({ id: Id, name: z.string() })),
    channels: z.array(z.object({ id: Id, carrierId: Id, name: z.string(), mode: Transport, country: z.string() })),
    warehouses: z.array(z.object({ id: Id, name: z.string() })),
  }),
});

/** Goods of ship orders as a request would take them; those for which nobody can be asked say why. */
export const quoteGoods = endpoint({
  title: '询价货物',
  method: 'POST',
  path: at('goods'),
  permission: QUOTE_ADD,
  access: 'read',
  body: z.object({
    orderIds: z.array(z.uuid()).min(1, '请选择发货单').max(MAX_ORDERS).meta({ title: '发货单' }),
    divisor: QuoteRequestInput.shape.divisor,
  }),
  reply: z.array(QuoteGoodsRow.omit({ changed: true, now: true }).extend({ why: z.string().meta({ title: '说明' }) })),
});

export const askQuotes = endpoint({
  title: '物流询价·发起',
  method: 'POST',
  path: at('save'),
  permission: QUOTE_ADD,
  body: QuoteRequestInput,
  reply: Outcome,
});

export const extendQuotes = endpoint({
  title: '物流询价·延期与加询',
  method: 'POST',
  path: at('extend'),
  permission: QUOTE_ADD,
  body: Versioned.extend(QuoteExtension.shape),
  reply: Outcome,
});

/** Writes down what a forwarder answered; another answer for the same way is a further round. */
export const answerQuote = endpoint({
  title: '物流询价·录入报价',
  method: 'POST',
  path: at('answer'),
  permission: QUOTE_ADD,
  body: Versioned.extend(QuoteAnswerInput.shape),
  reply: Outcome,
});

/** Answers from a sheet, of any requests; one bad row is enough that nothing is written, the same answer again is none. */
export const importQuotes = endpoint({
  title: '导入物流报价',
  method: 'POST',
  path: at('import'),
  permission: QUOTE_IMPORT,
  upload: true,
  body: z.object({ write: z.enum(['no', 'yes']).default('no').meta({ title: '写入' }) }),
  reply: z.object({
    rows: z.int(),
    answers: z.int(),
    unchanged: z.int(),
    written: z.boolean(),
    problems: z.array(z.object({ line: z.int(), column: z.string(), value: z.string(), reason: z.string() })),
  }),
});

export const quoteTemplate = endpoint({
  title: '物流报价导入模板',
  method: 'GET',
  path: at('template'),
  permission: QUOTE_IMPORT,
  file: true,
  reply: z.unknown(),
});

/** 询价表 for one forwarder: the goods, and a sheet to fill in that the import takes. */
export const quoteSheet = endpoint({
  title: '下载询价表',
  method: 'GET',
  path: at('sheet/:id'),
  permission: QUOTE_VIEW,
  file: true,
  params: ById,
  query: z.object({ carrier: z.uuid('请选择物流商').meta({ title: '物流商' }) }),
  reply: z.unknown(),
});

export const chooseQuote = endpoint({
  title: '物流询价·选中报价',
  method: 'POST',
  path: at('choose'),
  permission: QUOTE_AUDIT,
  body: Versioned.extend({ answerId: Id.meta({ title: '报价' }) }),
  reply: Outcome,
});

export const bookQuote = endpoint({
  title: '物流询价·订舱',
  method: 'POST',
  path: at('book'),
  permission: QUOTE_AUDIT,
  body: Versioned.extend(BookingInput.shape),
  reply: Outcome,
});

const STEPS = ['unbook', 'close'] as const;
export type QuoteStep = (typeof STEPS)[number];

const step = (name: QuoteStep) =>
  endpoint({
    title: `物流询价·${quoteRequest.transitions[name].title}`,
    method: 'POST',
    path: at(name),
    permission: quoteRequest.transitions[name].permission,
    body: Reasoned,
    reply: Outcome,
  });
export const quoteSteps = Object.fromEntries(STEPS.map((name) => [name, step(name)])) as Record<
  QuoteStep,
  ReturnType<typeof step>
>;

/** How a ship order is booked, without prices; and the requests that it stands on, the newest first. */
export const orderBooking = endpoint({
  title: '发货单订舱',
  method: 'GET',
  path: at('order/:id'),
  permission: VIEW,
  concurrent: true,
  params: ById,
  reply: z.object({
    booking: BookingRow.nullable(),
    requests: z.array(z.object({ id: Id, number: z.string(), chosen: z.boolean() })),
  }),
});

export const quoteNotes = noteCalls({ def: quoteRequest, base, view: QUOTE_VIEW, attach: QUOTE_ADD });
