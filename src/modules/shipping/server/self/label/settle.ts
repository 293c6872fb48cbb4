import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict } from '#kit/server/errors.ts';
import { type Handler, on } from '#kit/server/events.ts';
import { recordFile } from '#kit/server/files.ts';
import { writeEnded, writeRetried } from '#modules/marketplace/server/index.ts';
import { dropPackage, lockOrders, notePackage } from '#modules/order/server/index.ts';
import { selfDoc } from '../../../contract/self/doc.ts';
import { locked, orderRef, type SelfDoc } from '../load.ts';
import { tell } from '../tell.ts';
import { LABEL, LABEL_VOID } from './amazon-kinds.ts';
import type { BoughtLabel, LabelFile } from './carrier.ts';
import { itemsOf } from './parcel.ts';
import { type Label, labelOfWrite, newestLabel, putLabel, say } from './store.ts';

/** The label's file under the document's number. */
export function keepFile(ctx: Ctx, doc: SelfDoc, label: Label, file: LabelFile): Promise<string> {
  const name = `面单-${doc.number}.${label.format === 'ZPL' ? 'zpl' : 'pdf'}`;
  return recordFile(ctx, file, { name, mediaType: file.mediaType, purpose: 'label' });
}

/**
 * A label is there: its carrier, number and price stand on the document, and its package counts as reported, so that nobody
 * reports it a second time. The document is locked.
 */
export async function settleBought(ctx: Ctx, doc: SelfDoc, label: Label, bought: BoughtLabel): Promise<void> {
  const { shipmentNo, trackingNo, file, charged = null, currency = label.currency } = bought;
  const carrier = (bought.carrier ?? label.carrier).slice(0, 60);
  const fileId = file && (await keepFile(ctx, doc, label, file));
  const problem = file ? '' : '没有面单文件，请在「面单」页签取回，或在卖家后台下载';
  await putLabel(ctx, label, 'bought', {
    problem,
    carrier,
    currency,
    charged,
    shipment_no: shipmentNo,
    tracking_no: trackingNo,
    file_id: fileId,
    settled_at: ctx.clock.now().toISOString(),
  });
  await sql`
    UPDATE shipping.self_doc SET carrier = ${carrier}, tracking_no = ${trackingNo},
           actual_fee = coalesce(${charged}::numeric, actual_fee), currency = ${currency}
     WHERE company_id = ${ctx.companyId} AND id = ${doc.id}`.execute(ctx.db);
  const [order] = (await lockOrders(ctx, doc.orders.map(orderRef))).values();
  if (order && label.write !== null) {
    const parcel = { order, carrier, service: label.service, trackingNumber: trackingNo, items: itemsOf(doc) };
    await notePackage(ctx, { ...parcel, write: label.write });
    await sql`UPDATE shipping.self_order SET write_id = ${label.write}
       WHERE company_id = ${ctx.companyId} AND doc_id = ${doc.id}`.execute(ctx.db);
  }
  await say(ctx, doc.id, '已出单', `${carrier} ${trackingNo}${charged === null ? '' : `，${charged} ${currency}`}`);
  await noted(ctx, doc, '已出单', { carrier, trackingNo, actualFee: charged, currency });
}

async function noted(ctx: Ctx, doc: SelfDoc, words: string, after: object): Promise<void> {
  const rest = { resource: selfDoc.name, resourceId: doc.id, after: { number: doc.number, ...after } };
  await audit(ctx, { action: `自发货单·面单${words}`, ...rest });
}

/** There is no label, and certainly none at the platform. The document is locked. */
export async function settleFailed(ctx: Ctx, doc: SelfDoc, label: Label, problem: string): Promise<void> {
  await putLabel(ctx, label, 'failed', { problem, settled_at: ctx.clock.now().toISOString() });
  await sql`UPDATE shipping.self_doc SET estimated_fee = NULL
     WHERE company_id = ${ctx.companyId} AND id = ${doc.id}`.execute(ctx.db);
  await say(ctx, doc.id, '申请运单失败', problem);
  await noted(ctx, doc, '失败', { problem });
}

/** Nobody knows whether there is one: it stays alive until somebody finds out. The document is locked. */
async function settleUnknown(ctx: Ctx, doc: SelfDoc, label: Label): Promise<void> {
  const words = '没有收到亚马逊的答复，订单上也没有找到这个包裹；请「核实」，或在卖家后台查看后选择结果';
  await putLabel(ctx, label, 'unknown', { problem: words });
  await say(ctx, doc.id, '运单结果未知', words);
  await noted(ctx, doc, '结果未知', { problem: words });
  await tell(ctx, doc, 'trouble', `运单结果未知：${words}`);
}

/** The money was asked back: the document is as one without a label. */
async function settleVoided(ctx: Ctx, doc: SelfDoc, label: Label): Promise<void> {
  await putLabel(ctx, label, 'voided', { settled_at: ctx.clock.now().toISOString() });
  await sql`UPDATE shipping.self_doc SET carrier = '', tracking_no = '', estimated_fee = NULL, actual_fee = NULL
     WHERE company_id = ${ctx.companyId} AND id = ${doc.id}`.execute(ctx.db);
  await sql`UPDATE shipping.self_order SET write_id = NULL
     WHERE company_id = ${ctx.companyId} AND doc_id = ${doc.id}`.execute(ctx.db);
  if (label.write !== null) await dropPackage(ctx, label.write);
  await say(ctx, doc.id, '面单已作废', `${label.carrier} ${label.trackingNo}`);
  await noted(ctx, doc, '已作废', { carrier: label.carrier, trackingNo: label.trackingNo });
}

type Ended = NonNullable<(typeof writeEnded)['payload']>;

async function afterPurchase(ctx: Ctx, doc: SelfDoc, label: Label, { state, problem, answer }: Ended): Promise<void> {
  if (label.state !== 'asking') return;
  if (state === 'done') return settleBought(ctx, doc, label, answer as BoughtLabel);
  if (state === 'unknown') return settleUnknown(ctx, doc, label);
  return settleFailed(ctx, doc, label, problem ?? '');
}

async function afterVoid(ctx: Ctx, doc: SelfDoc, label: Label, { state, problem }: Ended): Promise<void> {
  if (label.state !== 'voiding') return;
  if (state === 'done') return settleVoided(ctx, doc, label);
  const words = `作废没有成功：${problem ?? '请在卖家后台核实'}`;
  await putLabel(ctx, label, 'bought', { problem: words });
  await say(ctx, doc.id, '作废面单失败', words);
  await noted(ctx, doc, '作废失败', { problem: words });
  await tell(ctx, doc, 'trouble', words);
}

export const labelHandlers: Handler[] = [
  on(writeEnded, async (ctx, ended) => {
    if (ended.kind !== LABEL && ended.kind !== LABEL_VOID) return;
    const named = await labelOfWrite(ctx, ended.writeId);
    if (!named) return;
    const doc = await locked(ctx, named.docId);
    const label = await newestLabel(ctx, doc);
    if (label?.id !== named.id) return;
    await (ended.kind === LABEL ? afterPurchase : afterVoid)(ctx, doc, label, ended);
  }),
  // A purchase sent once more would be a second label: whoever wants one asks for it on the document.
  on(writeRetried, async (_ctx, { kind }) => {
    if (kind === LABEL || kind === LABEL_VOID) throw conflict('请在自发货单上重新申请或作废');
  }),
];
