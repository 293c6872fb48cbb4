import { z } from 'zod';
import { Command, Outcome } from '#kit/contract/document-calls.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Decimal, Id, Instant, Money } from '#kit/contract/field.ts';
import { ById, Words } from '../fields.ts';
import { BatchOutcome } from './calls.ts';
import { base, MAX_SELF_BATCH, SELF_LABEL, SELF_VIEW } from './fields.ts';
import { SelfWay } from './input.ts';
import { LabelState } from './label-state.ts';

/** What printers take; a label is bought in one of them and stays so. */
export const LabelFormat = Choice({ PDF: 'PDF', ZPL: 'ZPL（标签机）' }, '面单格式');
export type LabelFormat = z.infer<typeof LabelFormat>;

/** What somebody sells to carry a parcel. */
export const LabelRate = z.object({
  serviceId: z.string(),
  service: z.string().meta({ title: '物流服务', width: 220 }),
  carrier: z.string().meta({ title: '承运商', width: 110 }),
  amount: Money.meta({ title: '运费', currency: 'currency', width: 110 }),
  currency: z.string(),
  arrivesAt: Instant.nullable().meta({ title: '最晚送达', width: 130 }),
  /** By the end of the time that the buyer was promised; null where nothing was promised or the carrier names no day. */
  inTime: z.boolean().nullable().meta({ title: '按时送达', kind: 'boolean', width: 90 }),
  /** The cheapest of those that arrive in time. */
  best: z.boolean(),
  /** Why it cannot be bought here; empty where it can. */
  unfit: z.string(),
});
export type LabelRate = z.infer<typeof LabelRate>;

/** Weight g and sides cm, as far as the document does not say them yet; and where it leaves from. */
export const Parcel = z.object({
  weightG: SelfWay.shape.weightG,
  length: SelfWay.shape.length,
  width: SelfWay.shape.width,
  height: SelfWay.shape.height,
  addressId: z.uuid().nullable().default(null).meta({ title: '发货地址' }),
});
export type Parcel = z.output<typeof Parcel>;

/** Offers for the parcel of a document, those that can be bought first, the cheapest first. */
export const labelRates = endpoint({
  title: '查询运费',
  method: 'POST',
  path: `${base}/label/rates`,
  permission: SELF_LABEL,
  access: 'read',
  body: Parcel.extend({ id: Id.meta({ title: '自发货单' }) }),
  reply: z.object({
    rates: z.array(LabelRate),
    /** When the buyer was promised it. */
    promisedAt: Instant.nullable(),
    addresses: z.array(z.object({ id: Id, name: z.string() })),
  }),
});

/**
 * 申请运单 of one document by a service that was offered. `amount`: what the caller saw; one that costs more by now is refused.
 */
export const buyLabel = endpoint({
  title: '自发货单·申请运单',
  method: 'POST',
  path: `${base}/label/buy`,
  permission: SELF_LABEL,
  body: Command.extend({
    ...Parcel.shape,
    serviceId: z.string().min(1, '请选择物流服务').max(200).meta({ title: '物流服务' }),
    amount: Decimal.meta({ title: '运费' }),
    format: LabelFormat.default('PDF'),
  }),
  reply: Outcome,
});

const Ids = z.array(Id).min(1, '请选择自发货单').max(MAX_SELF_BATCH).meta({ title: '自发货单' });

/** 申请运单 of many: each by the cheapest service that arrives in time, by weight and size of the document. */
export const buyLabels = endpoint({
  title: '自发货单·批量申请运单',
  method: 'POST',
  path: `${base}/batch/label`,
  permission: SELF_LABEL,
  body: z.object({ ids: Ids, format: LabelFormat.default('PDF') }),
  reply: BatchOutcome,
});

/** 作废面单: the money is asked back; the platform keeps the package on the order until another label takes its place. */
export const voidLabel = endpoint({
  title: '自发货单·作废面单',
  method: 'POST',
  path: `${base}/label/void`,
  permission: SELF_LABEL,
  body: Command,
  reply: Outcome,
});

/** 核实: looks for a purchase of unknown outcome at the platform, or fetches the file of a label that is known. */
export const lookLabel = endpoint({
  title: '自发货单·核实面单',
  method: 'POST',
  path: `${base}/label/look`,
  permission: SELF_LABEL,
  body: Command,
  reply: Outcome,
});

export const LabelVerdict = Choice({ bought: '已成功', failed: '未成功' }, '核实结果');

/** What a person found out about a purchase of unknown outcome. */
export const resolveLabel = endpoint({
  title: '自发货单·面单结果',
  method: 'POST',
  path: `${base}/label/resolve`,
  permission: SELF_LABEL,
  body: Command.extend({
    verdict: LabelVerdict,
    trackingNo: Words(60, '运单号'),
    shipmentNo: z
      .string()
      .trim()
      .regex(/^([0-9a-fA-F-]{36})?$/, '亚马逊货件编号为36位')
      .default('')
      .meta({ title: '亚马逊货件编号' }),
  }),
  reply: Outcome,
});

/** A purchase of a document. */
export const LabelRow = z.object({
  id: Id,
  state: LabelState.meta({ width: 90 }),
  service: z.string().meta({ title: '物流服务', width: 200 }),
  carrier: z.string().meta({ title: '承运商', width: 100 }),
  trackingNo: z.string().meta({ title: '运单号', kind: 'code', width: 170 }),
  offered: Money.meta({ title: '预估运费', currency: 'currency', width: 100 }),
  charged: Money.nullable().meta({ title: '实际运费', currency: 'currency', width: 100 }),
  currency: z.string(),
  arrivesAt: Instant.nullable().meta({ title: '最晚送达', width: 130 }),
  format: LabelFormat.meta({ width: 90 }),
  hasFile: z.boolean().meta({ title: '有面单文件', kind: 'boolean', width: 90 }),
  problem: z.string().meta({ title: '原因', width: 240 }),
  createdByName: z.string().meta({ title: '申请人', kind: 'person', width: 100 }),
  createdAt: Instant.meta({ title: '申请时间', width: 130 }),
});
export type LabelRow = z.infer<typeof LabelRow>;

/** All purchases of a document, the newest first. */
export const listLabels = endpoint({
  title: '自发货单面单记录',
  method: 'GET',
  path: `${base}/label/of/:id`,
  permission: SELF_VIEW,
  concurrent: true,
  params: ById,
  reply: z.array(LabelRow),
});

/** Labels in the language of label printers, one after the other in a file. */
export const printSelfZpl = endpoint({
  title: '打印ZPL面单',
  method: 'POST',
  path: `${base}/print/zpl`,
  permission: SELF_VIEW,
  access: 'read',
  file: true,
  body: z.object({ ids: Ids }),
  reply: z.unknown(),
});
