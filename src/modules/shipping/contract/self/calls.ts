import { z } from 'zod';
import { Command, OfferedAction, Outcome, Reasoned, TimelineEntry } from '#kit/contract/document-calls.ts';
import { noteCalls } from '#kit/contract/document-notes.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Id, Product } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { ById } from '../fields.ts';
import { selfDoc } from './doc.ts';
import { base, MAX_SELF_BATCH, SELF_ADD, SELF_EXPORT, SELF_SHIP, SELF_VIEW } from './fields.ts';
import { Recipient, SelfInput, SelfWay } from './input.ts';
import { SelfFilter, SelfLineRow, SelfRow } from './rows.ts';

const at = <const S extends string>(part: S) => `${base}/${part}` as const;

export const listSelf = endpoint({
  title: '自发货单列表',
  method: 'POST',
  path: at('list'),
  permission: SELF_VIEW,
  access: 'read',
  body: PageQuery(SelfFilter),
  sortable: ['number', 'latestShipAt', 'createdAt'],
  reply: Page(SelfRow),
});

export const countSelf = endpoint({
  title: '自发货单各状态数量',
  method: 'POST',
  path: at('counts'),
  permission: SELF_VIEW,
  access: 'read',
  concurrent: true,
  body: z.object({ filter: SelfFilter.partial().default({}) }),
  reply: z.record(z.string(), z.int()),
});

export const exportSelf = endpoint({
  title: '导出自发货单',
  method: 'POST',
  path: at('export'),
  permission: SELF_EXPORT,
  access: 'read',
  file: true,
  body: ExportQuery(SelfFilter),
  reply: z.unknown(),
});

export const selfDetail = endpoint({
  title: '自发货单详情',
  method: 'GET',
  path: at('detail/:id'),
  permission: SELF_VIEW,
  concurrent: true,
  params: ById,
  reply: z.object({
    document: SelfRow,
    lines: z.array(SelfLineRow),
    /** Of a document typed by hand. */
    to: Recipient,
    way: SelfWay,
    /** What the document is written with, to change it. */
    input: SelfInput,
    actions: z.array(OfferedAction),
    timeline: z.array(TimelineEntry),
  }),
});

/** Writes a document, or changes one that nobody has agreed to; all of its lines are replaced. */
export const saveSelf = endpoint({
  title: '保存自发货单',
  method: 'POST',
  path: at('save'),
  permission: SELF_ADD,
  body: SelfInput,
  reply: Outcome,
});

/** What is known of the way; the tracking number stays once the platform was told of it. */
export const putSelfWay = endpoint({
  title: '自发货单·物流信息',
  method: 'POST',
  path: at('way'),
  permission: SELF_SHIP,
  body: Command.extend(SelfWay.shape),
  reply: Outcome,
});

/** 称重: weight in g and, where it was measured, sides in cm. */
export const weighSelf = endpoint({
  title: '自发货单·称重',
  method: 'POST',
  path: at('weigh'),
  permission: SELF_SHIP,
  body: Command.extend({
    weightG: z.int().min(1, '重量必须为正整数').max(10_000_000).meta({ title: '重量(g)', kind: 'integer' }),
  }),
  reply: Outcome,
});

const STEPS = ['approve', 'unapprove', 'print', 'ship', 'mark', 'hold', 'resume', 'cancel'] as const;
export type SelfStep = (typeof STEPS)[number];

function step(name: SelfStep) {
  const rule = selfDoc.transitions[name];
  return endpoint({
    title: `自发货单·${rule.title}`,
    method: 'POST',
    path: at(name),
    permission: rule.permission,
    body: Command,
    reply: Outcome,
  });
}
export const selfSteps = Object.fromEntries(STEPS.map((name) => [name, step(name)])) as Record<
  SelfStep,
  ReturnType<typeof step>
>;

/** Pieces that left come back: into the warehouse that they left, or into one for checking or defects. */
export const sendBackSelf = endpoint({
  title: `自发货单·${selfDoc.transitions.sendBack.title}`,
  method: 'POST',
  path: at('sendBack'),
  permission: SELF_SHIP,
  body: Reasoned.extend({ warehouseId: z.uuid().nullable().default(null).meta({ title: '退回仓库' }) }),
  reply: Outcome,
});

/** What became of many documents; those that could not go on are named with why. */
export const BatchOutcome = z.object({
  done: z.int(),
  message: z.string(),
  left: z.array(z.object({ number: z.string(), reason: z.string() })),
});
export type BatchOutcome = z.infer<typeof BatchOutcome>;

const BATCHED = ['approve', 'print', 'ship', 'mark', 'hold', 'resume', 'cancel'] as const;
export type SelfBatch = (typeof BATCHED)[number];

/** Each document by itself: one that cannot go on does not keep the others. Refused where none of them can. */
function batch(name: SelfBatch) {
  const rule = selfDoc.transitions[name];
  return endpoint({
    title: `自发货单·批量${rule.title}`,
    method: 'POST',
    path: `${base}/batch/${name}`,
    permission: rule.permission,
    body: z.object({
      ids: z.array(Id).min(1, '请选择自发货单').max(MAX_SELF_BATCH).meta({ title: '自发货单' }),
      reason: Command.shape.reason,
    }),
    reply: BatchOutcome,
  });
}
export const selfBatches = Object.fromEntries(BATCHED.map((name) => [name, batch(name)])) as Record<
  SelfBatch,
  ReturnType<typeof batch>
>;

export const selfChoices = endpoint({
  title: '自发货单可选项',
  method: 'GET',
  path: at('choices'),
  permission: SELF_VIEW,
  concurrent: true,
  reply: z.object({
    stores: z.array(z.object({ id: Id, name: z.string() })),
    warehouses: z.array(z.object({ id: Id, name: z.string(), mine: z.boolean() })),
    /** Where what comes back may go: beside those, warehouses for checking and for defects. */
    returns: z.array(z.object({ id: Id, name: z.string() })),
    channels: z.array(z.object({ id: Id, name: z.string(), carrier: z.string() })),
  }),
});

/** Local products for a document typed by hand, with what lies of them in the warehouse. */
export const selfProducts = endpoint({
  title: '自发货单可选商品',
  method: 'POST',
  path: at('products'),
  permission: SELF_VIEW,
  access: 'read',
  body: z.object({
    warehouseId: z.string().max(60).default('').meta({ title: '发货仓' }),
    text: z.string().trim().max(100).default('').meta({ title: 'SKU、条码、名称' }),
  }),
  reply: z.array(z.object({ id: Id, product: Product, available: z.int() })),
});

export const selfNotes = noteCalls({ def: selfDoc, base, view: SELF_VIEW, attach: SELF_ADD });
