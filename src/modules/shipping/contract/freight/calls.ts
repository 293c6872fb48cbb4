import { z } from 'zod';
import { Command, OfferedAction, Outcome, TimelineEntry } from '#kit/contract/document-calls.ts';
import { noteCalls } from '#kit/contract/document-notes.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Id, Money, Store } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { ById } from '../fields.ts';
import {
  FreightBillFilter,
  FreightBillInput,
  FreightBillRow,
  FreightChargeRow,
  FreightMatchRow,
  FreightShareRow,
  freightBill,
} from './bill.ts';
import {
  base,
  FREIGHT_ADD,
  FREIGHT_AUDIT,
  FREIGHT_EXPORT,
  FREIGHT_IMPORT,
  FREIGHT_VIEW,
  FreightBase,
  MAX_BILL_LINES,
} from './fields.ts';

const at = <const S extends string>(part: S) => `${base}/bill/${part}` as const;

export const listFreightBills = endpoint({
  title: '物流账单列表',
  method: 'POST',
  path: at('list'),
  permission: FREIGHT_VIEW,
  access: 'read',
  body: PageQuery(FreightBillFilter),
  sortable: ['number', 'day', 'amountCny', 'createdAt'],
  reply: Page(FreightBillRow),
});

export const countFreightBills = endpoint({
  title: '物流账单各状态数量',
  method: 'POST',
  path: at('counts'),
  permission: FREIGHT_VIEW,
  access: 'read',
  concurrent: true,
  body: z.object({ filter: FreightBillFilter.partial().default({}) }),
  reply: z.record(z.string(), z.int()),
});

export const exportFreightBills = endpoint({
  title: '导出物流账单',
  method: 'POST',
  path: at('export'),
  permission: FREIGHT_EXPORT,
  access: 'read',
  file: true,
  body: ExportQuery(FreightBillFilter),
  reply: z.unknown(),
});

export const freightBillDetail = endpoint({
  title: '物流账单详情',
  method: 'GET',
  path: at('detail/:id'),
  permission: FREIGHT_VIEW,
  concurrent: true,
  params: ById,
  reply: z.object({
    bill: FreightBillRow,
    /** What it is written with, to change it. */
    input: FreightBillInput,
    lines: z.array(FreightChargeRow),
    matches: z.array(FreightMatchRow),
    shares: z.array(FreightShareRow),
    /** In the bill's currency; null before anything is owed. */
    money: z.object({ owed: Money, paid: Money, requested: Money }).nullable(),
    actions: z.array(OfferedAction),
    timeline: z.array(TimelineEntry),
  }),
});

export const saveFreightBill = endpoint({
  title: '保存物流账单',
  method: 'POST',
  path: at('save'),
  permission: FREIGHT_ADD,
  body: FreightBillInput,
  reply: Outcome,
});

/** Which ship orders numbers of a bill mean; those that mean none, or several, are missing or told. */
export const findFreightOrders = endpoint({
  title: '按单号查找发货单',
  method: 'POST',
  path: at('orders'),
  permission: FREIGHT_VIEW,
  access: 'read',
  body: z.object({
    references: z.array(z.string().trim().min(1).max(100)).max(MAX_BILL_LINES).meta({ title: '单号' }),
  }),
  reply: z.array(
    z.object({
      reference: z.string(),
      orderId: Id,
      number: z.string(),
      store: Store,
      shipmentNo: z.string(),
      /** How many orders the number means; more than one is no answer. */
      orders: z.int(),
    }),
  ),
});

/** Carriers to choose from, and how bills are shared unless they say otherwise. */
export const freightChoices = endpoint({
  title: '物流账单可选项',
  method: 'GET',
  path: at('choices'),
  permission: FREIGHT_VIEW,
  concurrent: true,
  reply: z.object({
    carriers: z.array(z.object({ id: Id, name: z.string(), disabled: z.boolean() })),
    base: FreightBase,
  }),
});

const STEPS = ['submit', 'withdraw', 'reject', 'confirm', 'cancel', 'reverse'] as const;
export type FreightStep = (typeof STEPS)[number];

function step(name: FreightStep) {
  const rule = freightBill.transitions[name];
  return endpoint({
    title: `物流账单·${rule.title}`,
    method: 'POST',
    path: at(name),
    permission: rule.permission,
    body: Command,
    reply: Outcome,
  });
}

export const freightSteps = Object.fromEntries(STEPS.map((name) => [name, step(name)])) as Record<
  FreightStep,
  ReturnType<typeof step>
>;

/**
 * Takes drafts of bills from a sheet: rows of one carrier and bill number are one bill. Without `write` the rows are only
 * checked; one bad row is enough that nothing is written.
 */
export const importFreightBills = endpoint({
  title: '导入物流账单',
  method: 'POST',
  path: at('import'),
  permission: FREIGHT_IMPORT,
  upload: true,
  body: z.object({ write: z.enum(['no', 'yes']).default('no').meta({ title: '写入' }) }),
  reply: z.object({
    rows: z.int(),
    bills: z.int(),
    written: z.boolean(),
    problems: z.array(z.object({ line: z.int(), column: z.string(), value: z.string(), reason: z.string() })),
    numbers: z.array(z.string()),
  }),
});

export const freightBillTemplate = endpoint({
  title: '物流账单导入模板',
  method: 'GET',
  path: at('template'),
  permission: FREIGHT_IMPORT,
  file: true,
  reply: z.unknown(),
});

export const FreightSetting = z.object({
  base: FreightBase.meta({ title: '默认分摊方式' }),
  threshold: z
    .string()
    .trim()
    .regex(/^(0(\.\d{1,4})?|1(\.0{1,4})?)$/, '差异提醒须在0%到100%之间，最多2位小数')
    .meta({ title: '差异提醒', kind: 'percent', tip: '账单与预估相差超过这个比例时标为差异' }),
});
export type FreightSetting = z.infer<typeof FreightSetting>;

export const readFreightSetting = endpoint({
  title: '头程费用设置',
  method: 'GET',
  path: `${base}/setting`,
  permission: FREIGHT_VIEW,
  concurrent: true,
  reply: FreightSetting,
});

export const saveFreightSetting = endpoint({
  title: '保存头程费用设置',
  method: 'POST',
  path: `${base}/setting`,
  permission: FREIGHT_AUDIT,
  body: FreightSetting,
  reply: FreightSetting,
});

export const freightNotes = noteCalls({
  def: freightBill,
  base: `${base}/bill`,
  view: FREIGHT_VIEW,
  attach: FREIGHT_ADD,
});
