import { sql } from 'kysely';
import type { z } from 'zod';
import type { Outcome } from '#kit/contract/document-calls.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { outcome, requireFresh } from '#kit/server/document-outcome.ts';
import { conflict, notFound } from '#kit/server/errors.ts';
import { requireMove } from '#modules/warehouse/server/index.ts';
import type { putSelfWay, weighSelf } from '../../contract/self/calls.ts';
import { selfDoc } from '../../contract/self/doc.ts';
import type { SelfWay } from '../../contract/self/input.ts';
import { ALIVE } from '../../contract/self/label-state.ts';
import { touch } from './act.ts';
import { locked, type SelfDoc } from './load.ts';
import { standsOf } from './mark.ts';

const OVER: readonly string[] = ['returned', 'cancelled'];

/** Name of the carrier of a channel. @throws notFound */
async function carrierOfChannel(ctx: Ctx, id: string): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    SELECT left(k.name, 60) AS name FROM shipping.channel AS c
      JOIN shipping.carrier AS k ON k.company_id = c.company_id AND k.id = c.carrier_id
     WHERE c.company_id = ${ctx.companyId} AND c.id = ${id}`.execute(ctx.db);
  const [channel] = rows;
  if (!channel) throw notFound('渠道不存在');
  return channel.name;
}

/** The way as columns; a channel names the carrier where nobody typed one. @throws notFound for a channel */
export async function wayColumns(ctx: Ctx, way: SelfWay) {
  const named = way.channelId === null ? '' : await carrierOfChannel(ctx, way.channelId);
  return {
    channel_id: way.channelId,
    carrier: way.carrier || named,
    tracking_no: way.trackingNo,
    weight_g: way.weightG,
    length_cm: way.length,
    width_cm: way.width,
    height_cm: way.height,
    estimated_fee: way.estimatedFee,
    actual_fee: way.actualFee,
    currency: way.currency,
  };
}

/** @throws conflict where the platform was told of another parcel */
async function requireUntold(ctx: Ctx, doc: SelfDoc, carrier: string, trackingNo: string): Promise<void> {
  if (doc.carrier === carrier && doc.trackingNo === trackingNo) return;
  if (ALIVE.includes(doc.labelState)) throw conflict('承运商和运单号以面单为准，请先作废面单');
  const told = [...(await standsOf(ctx, doc.orders)).values()].some(
    ({ state }) => state !== 'refused' && state !== 'cancelled',
  );
  if (told) throw conflict('已标记发货，承运商和运单号不能修改');
}

async function put(ctx: Ctx, doc: SelfDoc, title: string, columns: object): Promise<Outcome> {
  await ctx.db
    .updateTable('shipping.self_doc')
    .set(columns as never)
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', doc.id)
    .execute();
  const version = await touch(ctx, doc.id);
  await note(ctx, selfDoc.name, doc.id, { kind: 'note', title });
  await audit(ctx, { action: `自发货单·${title}`, resource: selfDoc.name, resourceId: doc.id, after: columns });
  return outcome({ ...doc, version }, `${title}已保存`);
}

/**
 * Writes how a document goes, what it weighs and what it costs.
 * @throws conflict once it is over, or for another parcel than the platform was told of; notFound for a channel
 */
export async function putWay(ctx: Ctx, input: z.output<typeof putSelfWay.body>): Promise<Outcome> {
  const doc = await locked(ctx, input.id);
  requireFresh(doc, input.version);
  requireMove(ctx, doc.warehouse);
  if (OVER.includes(doc.state)) throw conflict('自发货单已结束，不能修改物流信息');
  const columns = await wayColumns(ctx, input);
  await requireUntold(ctx, doc, columns.carrier, columns.tracking_no);
  return put(ctx, doc, '物流信息', columns);
}

/** 称重. @throws conflict once the document is over */
export async function weigh(ctx: Ctx, input: z.output<typeof weighSelf.body>): Promise<Outcome> {
  const doc = await locked(ctx, input.id);
  requireFresh(doc, input.version);
  requireMove(ctx, doc.warehouse);
  if (OVER.includes(doc.state)) throw conflict('自发货单已结束，不能称重');
  return put(ctx, doc, '称重', { weight_g: input.weightG });
}
