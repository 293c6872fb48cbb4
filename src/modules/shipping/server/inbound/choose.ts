import { sql } from 'kysely';
import type { z } from 'zod';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Outcome } from '#kit/contract/document-calls.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { outcome } from '#kit/server/document-outcome.ts';
import { conflict, refused } from '#kit/server/errors.ts';
import { marketplaceNow } from '#modules/marketplace/server/index.ts';
import { requireMove } from '#modules/warehouse/server/index.ts';
import type * as calls from '../../contract/inbound.ts';
import { PREP_TYPES } from '../../contract/inbound.ts';
import { shipOrder } from '../../contract/order.ts';

import { isFixed } from './decide.ts';
import { lockView } from './load.ts';
import { drop, putInbound } from './put.ts';
import { after } from './stages/index.ts';
import type { StageKey, View, Way } from './types.ts';
import { wake } from './wake.ts';

type Input<C extends { body: z.ZodType }> = z.output<C['body']>;

/**
 * The way of an order, locked. `leaving`: also of one whose plan is being called off.
 * @throws notFound, conflict for one that does not go through the inbound API or is over
 */
export async function required(ctx: Ctx, id: string, leaving = false): Promise<View> {
  const view = await lockView(ctx, id);
  if (!view) throw conflict('该发货单不由系统处理平台货件');
  requireMove(ctx, view.order.warehouse);
  if (view.inbound.state === 'cancelled' || (view.inbound.wish === 'cancel' && !leaving)) {
    throw conflict('入库计划已取消');
  }
  return view;
}

/** Notes what somebody decided, wakes the way and answers. */
export async function decided(ctx: Ctx, view: View, title: string, after: object, body?: string): Promise<Outcome> {
  const { order } = view;
  await note(ctx, shipOrder.name, order.id, { kind: 'note', title, body });
  await audit(ctx, { action: `发货单·${title}`, resource: shipOrder.name, resourceId: order.id, after });
  await wake(ctx, order.id);
  return outcome(order, `${title}已提交`);
}

const isOver = (now: Date, expiresAt: string | null) => expiresAt !== null && Date.parse(expiresAt) <= now.getTime();

/**
 * Chooses where the goods go, for the fee that was shown. Amazon's choice is final: it goes to Amazon with the next turn.
 * @throws refused B1331 for an offer that is gone, expired or costs something else, conflict once one was confirmed
 */
export async function choosePlacement(ctx: Ctx, input: Input<typeof calls.choosePlacement>): Promise<Outcome> {
  const view = await required(ctx, input.id);
  const { inbound, operations } = view;
  const asked = operations.findLast(({ stage }) => stage === 'takePlacement');
  if (asked && !['failed', 'dropped'].includes(asked.state)) throw conflict('配送方案已确认，不能更改');
  const offer = inbound.placement?.find(({ optionId }) => optionId === input.optionId);
  if (!offer) throw refused('配送方案已变化，请刷新后重新选择', 'B1331');
  if (isOver(await marketplaceNow(ctx.runtime), offer.expiresAt)) {
    throw refused('方案已过期，请重新生成', 'B1331');
  }
  if (!new Decimal(offer.fee?.amount ?? 0).eq(input.fee))
    throw refused('配送方案费用已变化，请刷新后重新选择', 'B1331');
  await sql`
    UPDATE shipping.inbound
       SET chosen_placement = ${offer.optionId}, accepted_fee = ${offer.fee?.amount ?? '0'}, accepted_currency = ${offer.fee?.code ?? null}
     WHERE company_id = ${ctx.companyId} AND order_id = ${input.id}`.execute(ctx.db);
  const centers = offer.shipments.map(({ center }) => center).join('、');
  const fee = offer.fee ? `${offer.fee.amount} ${offer.fee.code}` : '无费用';
  return decided(ctx, view, '确认配送方案', { optionId: offer.optionId, fee, centers }, `${centers}，${fee}`);
}

function wayOf(now: Date, view: View, input: Input<typeof calls.chooseWays>['ways'][number]): Way {
  const { shipmentNo } = view.shipments.find(({ shipmentId }) => shipmentId === input.shipmentId) ?? {};
  if (shipmentNo === undefined) throw refused('货件不存在，请刷新后重试', 'B1332');
  const offer = view.inbound.transport?.find(
    (one) => one.optionId === input.optionId && one.shipmentId === input.shipmentId,
  );
  if (!offer) throw refused(`货件 ${shipmentNo}：承运方式已变化，请重新选择`, 'B1332');
  if (isOver(now, offer.expiresAt)) throw refused(`货件 ${shipmentNo}：承运报价已过期，请重新生成`, 'B1332');
  const window = view.inbound.windows?.[input.shipmentId]?.find(({ optionId }) => optionId === input.windowId);
  if (offer.needsWindow && !window) throw refused(`货件 ${shipmentNo}：请选择送达窗口`, 'B1332');
  if (window?.availability === 'BLOCKED') throw refused(`货件 ${shipmentNo}：所选送达窗口已满，请另选`, 'B1332');
  return {
    shipmentId: input.shipmentId,
    mode: offer.mode,
    solution: offer.solution,
    carrierCode: offer.carrierCode,
    cost: offer.cost,
    windowFrom: offer.needsWindow ? (window?.from ?? null) : null,
  };
}

/**
 * Chooses carrier and delivery window of every shipment at once; a partner's price is owed from then on.
 * @throws refused B1332, conflict once confirmed
 */
export async function chooseWays(ctx: Ctx, input: Input<typeof calls.chooseWays>): Promise<Outcome> {
  const view = await required(ctx, input.id);
  const asked = view.operations.findLast(({ stage }) => stage === 'takeTransport');
  if (asked && !['failed', 'dropped'].includes(asked.state)) throw conflict('承运已确认，不能更改');
  const now = await marketplaceNow(ctx.runtime);
  const ways = input.ways.map((way) => wayOf(now, view, way));
  const named = new Set(ways.map(({ shipmentId }) => shipmentId));
  if (named.size !== view.shipments.length || ways.length !== named.size) {
    throw refused('请为每个货件选择一种承运方式', 'B1332');
  }
  await putInbound(ctx, input.id, { ways });
  const body = ways.map(({ carrierCode, mode }) => `${carrierCode} ${mode}`).join('，');
  return decided(ctx, view, '确认承运', { ways }, body);
}

/** Says on which day the goods are ready: transport is offered anew for it. @throws conflict once confirmed, refused B1332 */
export async function setReady(ctx: Ctx, { id, readyOn }: Input<typeof calls.setReady>): Promise<Outcome> {
  const view = await required(ctx, id);
  if (isFixed(view, 'takeTransport')) throw conflict('承运已确认，不能更改');
  if (readyOn < view.today) throw refused('备货完成日不能早于今天', 'B1332');
  await sql`UPDATE shipping.inbound SET ready_on = ${readyOn}, ways = NULL
     WHERE company_id = ${ctx.companyId} AND order_id = ${id}`.execute(ctx.db);
  return decided(ctx, view, '备货完成日', { readyOn }, readyOn);
}

/** What Amazon fixes with the step that follows the offers. */
const FIXES: Readonly<Record<string, StageKey>> = {
  offerPacking: 'takePlacement',
  offerPlacement: 'takePlacement',
  offerTransport: 'takeTransport',
};

/** Has Amazon make its offers anew. @throws conflict once one was confirmed */
export async function offerAgain(ctx: Ctx, { id, stage }: Input<typeof calls.offerAgain>): Promise<Outcome> {
  const view = await required(ctx, id);
  if (isFixed(view, FIXES[stage] ?? 'takePlacement')) throw conflict('已确认，不能重新生成');
  await drop(ctx, view, [stage, ...after(stage)]);
  return decided(ctx, view, '重新生成', { stage });
}

/** Tries once more what failed or was given up, calling a plan off too. */
export async function retry(ctx: Ctx, { id }: Input<typeof calls.retryInbound>): Promise<Outcome> {
  const view = await required(ctx, id, true);
  return decided(ctx, view, '重试', { stage: view.inbound.stage });
}

/** Compares the plan with what Amazon shows now. */
export async function refresh(ctx: Ctx, { id }: Input<typeof calls.refreshInbound>): Promise<Outcome> {
  const view = await required(ctx, id);
  await sql`UPDATE shipping.inbound SET watched_at = NULL WHERE company_id = ${ctx.companyId} AND order_id = ${id}`.execute(
    ctx.db,
  );
  return decided(ctx, view, '核对平台', {});
}

/** Calls the plan off and begins another one of what the order says. @throws conflict once goods have left */
export async function redo(ctx: Ctx, { id, reason }: Input<typeof calls.redoInbound>): Promise<Outcome> {
  const view = await required(ctx, id);
  if (['shipped', 'receiving', 'done'].includes(view.order.state)) throw conflict('货物已发出，不能重建计划');
  await sql`DELETE FROM shipping.inbound_shipment WHERE company_id = ${ctx.companyId} AND order_id = ${id}`.execute(
    ctx.db,
  );
  await sql`UPDATE shipping.box SET shipment_id = NULL, amazon_box_id = NULL
     WHERE company_id = ${ctx.companyId} AND order_id = ${id}`.execute(ctx.db);
  await putInbound(ctx, id, { wish: 'redo' });
  return decided(ctx, view, '重建计划', { reason }, reason);
}

/** Says how products are prepared that Amazon has no category for. */
export async function setPreps(ctx: Ctx, { id, preps }: Input<typeof calls.setPreps>): Promise<Outcome> {
  const view = await required(ctx, id);
  const known = new Set(view.order.lines.map(({ msku }) => msku));
  const foreign = preps.find(({ msku }) => !known.has(msku));
  if (foreign) throw refused(`发货单没有平台SKU【${foreign.msku}】`, 'B1333');
  const wish = Object.fromEntries(
    preps.map(({ msku, category }) => [msku, { category, types: [...PREP_TYPES[category]] }]),
  );
  await putInbound(ctx, id, { prepWish: { ...view.inbound.prepWish, ...wish } });
  return decided(ctx, view, '预处理分类', { preps });
}

/** Writes tracking numbers; they go to Amazon once the goods have left. @throws refused B1334 for a box or shipment of another order */
export async function putTracking(ctx: Ctx, input: Input<typeof calls.putTracking>): Promise<Outcome> {
  const view = await required(ctx, input.id);
  const boxes = new Set(view.boxes.map(({ no }) => no));
  const shipments = new Set(view.shipments.map(({ shipmentId }) => shipmentId));
  const wrong = input.parcels.find(({ no }) => !boxes.has(no));
  if (wrong) throw refused(`没有第 ${wrong.no} 箱`, 'B1334');
  if (input.bills.some(({ shipmentId }) => !shipments.has(shipmentId)))
    throw refused('货件不存在，请刷新后重试', 'B1334');
  await sql`
    UPDATE shipping.box AS b SET tracking_no = r."trackingNo"
      FROM jsonb_to_recordset(${JSON.stringify(input.parcels)}::jsonb) AS r(no int, "trackingNo" text)
     WHERE b.company_id = ${ctx.companyId} AND b.order_id = ${input.id} AND b.box_no = r.no`.execute(ctx.db);
  await sql`
    UPDATE shipping.inbound_shipment AS s SET freight_bill = r."freightBill", lading = r.lading
      FROM jsonb_to_recordset(${JSON.stringify(input.bills)}::jsonb) AS r("shipmentId" text, "freightBill" text, lading text)
     WHERE s.company_id = ${ctx.companyId} AND s.order_id = ${input.id} AND s.shipment_id = r."shipmentId"`.execute(
    ctx.db,
  );
  return decided(ctx, view, '追踪号', { parcels: input.parcels.length, bills: input.bills.length });
}
