import { sql } from 'kysely';
import type { Outcome } from '#kit/contract/document-calls.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { DONE_BEFORE, outcome, requireFresh } from '#kit/server/document-outcome.ts';
import { conflict, refused } from '#kit/server/errors.ts';
import { requireMove } from '#modules/warehouse/server/index.ts';
import { selfDoc } from '../../../contract/self/doc.ts';
import type { CommandInput } from '../act.ts';
import { locked, type SelfDoc } from '../load.ts';
import { carrierBy } from './carrier.ts';
import { newestLabel, putLabel, say } from './store.ts';

const NUMBERLESS = '没有亚马逊货件编号，请在卖家后台作废这张面单';

/**
 * Plans that the label of a document, which is locked, is called back; false for one without the seller's number, which only
 * people can.
 */
export async function callBack(ctx: Ctx, doc: SelfDoc): Promise<boolean> {
  const label = await newestLabel(ctx, doc);
  if (!label?.shipmentNo) {
    await say(ctx, doc.id, '面单未作废', NUMBERLESS);
    return false;
  }
  const write = await carrierBy(ctx.runtime, label.seller).callBack(ctx, label);
  await putLabel(ctx, label, 'voiding', { void_write_id: write });
  await say(ctx, doc.id, '作废面单', `${label.carrier} ${label.trackingNo}`);
  return true;
}

/**
 * 作废面单. @throws conflict once the parcel has left or where there is no label, or for a stale version; refused B1423
 */
export async function voidOne(ctx: Ctx, input: CommandInput): Promise<Outcome> {
  const doc = await locked(ctx, input.id);
  requireMove(ctx, doc.warehouse);
  if (doc.labelState === 'voiding') {
    ctx.audited = true;
    return outcome(doc, DONE_BEFORE, true);
  }
  requireFresh(doc, input.version);
  if (doc.labelState !== 'bought') throw conflict('没有可作废的面单');
  if (doc.posting !== null) throw conflict('货物已出库，面单不能作废');
  if (!(await callBack(ctx, doc))) throw refused(NUMBERLESS, 'B1423');
  const { rows } = await sql<{ version: number }>`
    SELECT version FROM shipping.self_doc WHERE company_id = ${ctx.companyId} AND id = ${doc.id}`.execute(ctx.db);
  await audit(ctx, {
    action: '自发货单·作废面单',
    resource: selfDoc.name,
    resourceId: doc.id,
    after: { number: doc.number, carrier: doc.carrier, trackingNo: doc.trackingNo, reason: input.reason ?? '' },
  });
  return outcome({ ...doc, version: rows[0]?.version ?? doc.version }, `自发货单${doc.number}已提交作废面单`);
}
