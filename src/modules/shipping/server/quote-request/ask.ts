import { sql } from 'kysely';
import type { z } from 'zod';
import type { Outcome } from '#kit/contract/document-calls.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { outcome, requireFresh } from '#kit/server/document-outcome.ts';
import { conflict, notFound, refused } from '#kit/server/errors.ts';
import { nextNumber } from '#kit/server/sequence.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { requireMove } from '#modules/warehouse/server/index.ts';
import { shipOrder } from '../../contract/order.ts';
import type { extendQuotes } from '../../contract/quote-request/calls.ts';
import { MAX_ASKED } from '../../contract/quote-request/fields.ts';
import { type QuoteRequestInput, quoteRequest } from '../../contract/quote-request/request.ts';
import { loaded, type ShipOrder } from '../order/load.ts';
import { orderGoods } from './goods.ts';
import { lockedRequest, touchRequest } from './load.ts';

/** Planned or packed, and not gone. */
const ASKABLE: readonly string[] = ['pending', 'held', 'picking', 'packing', 'ready'];

/** Why nobody can be asked for an order, in words; undefined where they can. */
export function notAskable(order: Pick<ShipOrder, 'state' | 'number'>): string | undefined {
  if (ASKABLE.includes(order.state)) return undefined;
  const { title } = shipOrder.states[order.state as 'draft'];
  return `发货单 ${order.number} 状态为【${title}】，只有待审核到待出库的发货单可以询价`;
}

/** The orders in the order of their numbers. @throws notFound, refused B1371 for those that leave elsewhere, B1372 not askable */
async function ordersOf(ctx: Ctx, ids: readonly string[]): Promise<ShipOrder[]> {
  const orders: ShipOrder[] = [];
  for (const id of new Set(ids)) orders.push(await loaded(ctx, id));
  orders.sort((a, b) => (a.number < b.number ? -1 : 1));
  for (const order of orders) {
    const why = notAskable(order);
    if (why) throw refused(why, 'B1372');
    requireMove(ctx, order.warehouse);
  }
  if (new Set(orders.map((order) => order.warehouse)).size > 1) {
    throw refused('一张询价单的发货单须从同一个仓库发出', 'B1371');
  }
  if (new Set(orders.map((order) => countryOf(order.marketplaceId))).size > 1) {
    throw refused('一张询价单的发货单须发往同一个国家', 'B1371');
  }
  return orders;
}

/** Writes who is asked. @throws notFound for a carrier that is not the company's, refused B1371 for one that is disabled */
async function putAsked(ctx: Ctx, requestId: string, carriers: readonly string[]): Promise<void> {
  const ids = [...new Set(carriers)];
  const { rows } = await sql<{ id: string; name: string; disabled: boolean }>`
    SELECT id, name, disabled FROM shipping.carrier
     WHERE company_id = ${ctx.companyId} AND id = ANY (${ids}::uuid[])`.execute(ctx.db);
  if (rows.length < ids.length) throw notFound('物流商不存在');
  const off = rows.find((row) => row.disabled);
  if (off) throw refused(`物流商【${off.name}】已停用，不能询价`, 'B1371');
  await sql`
    INSERT INTO shipping.quote_ask (company_id, request_id, carrier_id)
    SELECT ${ctx.companyId}, ${requestId}, c FROM unnest(${ids}::uuid[]) AS c ON CONFLICT DO NOTHING`.execute(ctx.db);
}

/** @throws refused B1371 for a day that is over */
function requireToCome(ctx: Ctx, until: string): void {
  if (until < ctx.clock.today()) throw refused('截止不能早于今天', 'B1371');
}

/**
 * 发起询价: writes down what is asked, with the goods as they are now. Weights in kg, volume in m³.
 * @throws refused B1371 orders that leave elsewhere, a day that is over or a carrier that is disabled, B1372 an order that
 *   has left or was not handed in; notFound, forbidden for a warehouse out of reach
 */
export async function askForQuotes(ctx: Ctx, input: QuoteRequestInput): Promise<Outcome> {
  requireToCome(ctx, input.until);
  const orders = await ordersOf(ctx, input.orderIds);
  const [first] = orders;
  if (!first) throw refused('请选择发货单', 'B1371');
  const number = await nextNumber(ctx, quoteRequest.number, ctx.clock.today());
  const accounts = [...new Set(orders.map((order) => order.account))];
  const { rows } = await sql<{ id: string }>`
    INSERT INTO shipping.quote_request (company_id, number, state, warehouse_id, account_ids, country, postal_code, mode,
      divisor, ready_on, until, remark, created_by, created_by_name, updated_by_name)
    VALUES (${ctx.companyId}, ${number}, ${quoteRequest.initial}, ${first.warehouse}, ${accounts}::uuid[],
      ${countryOf(first.marketplaceId)}, ${input.postalCode}, ${input.mode}, ${input.divisor}, ${input.readyOn}::date,
      ${input.until}::date, ${input.remark}, ${ctx.userId}, ${ctx.userName}, ${ctx.userName})
    RETURNING id`.execute(ctx.db);
  const id = rows[0]?.id ?? '';
  const lines = [];
  for (const [index, order] of orders.entries()) {
    lines.push({ n: index + 1, order: order.id, ...(await orderGoods(ctx, order, input.divisor)) });
  }
  await sql`
    INSERT INTO shipping.quote_request_order (company_id, request_id, order_id, line_no, center, boxes, pieces, weight,
      volumetric, volume, estimated, specs)
    SELECT ${ctx.companyId}, ${id}, r."order", r.n, r.center, r.boxes, r.pieces, r.weight, r.volumetric, r.volume,
           r.estimated, r.specs
      FROM jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) AS r("order" uuid, n int, center text, boxes int, pieces int,
        weight numeric, volumetric numeric, volume numeric, estimated boolean, specs jsonb)`.execute(ctx.db);
  await putAsked(ctx, id, input.carrierIds);
  await note(ctx, quoteRequest.name, id, { kind: 'note', title: '发起询价', to: quoteRequest.initial });
  await audit(ctx, {
    action: '物流询价·发起',
    resource: quoteRequest.name,
    resourceId: id,
    after: {
      number,
      orders: orders.map((order) => order.number),
      carrierIds: input.carrierIds.length,
      until: input.until,
    },
  });
  return outcome({ id, number, state: quoteRequest.initial, version: 0 }, `物流询价${number}已发起`);
}

/**
 * Another day to answer until, and more forwarders that are asked.
 * @throws conflict once an answer is chosen or the request closed, refused B1371, notFound
 */
export async function extendRequest(ctx: Ctx, input: z.output<typeof extendQuotes.body>): Promise<Outcome> {
  const request = await lockedRequest(ctx, input.id);
  requireFresh(request, input.version);
  if (request.state !== 'asking') {
    throw conflict(`询价单状态为【${quoteRequest.states[request.state as 'closed'].title}】，不能修改`);
  }
  if (input.until !== request.until) requireToCome(ctx, input.until);
  await putAsked(ctx, request.id, input.carrierIds);
  const { rows } = await sql<{ n: number }>`
    SELECT count(*)::int AS n FROM shipping.quote_ask
     WHERE company_id = ${ctx.companyId} AND request_id = ${request.id}`.execute(ctx.db);
  if ((rows[0]?.n ?? 0) > MAX_ASKED) throw refused(`一次最多询问${MAX_ASKED}家物流商`, 'B1371');
  await sql`UPDATE shipping.quote_request SET until = ${input.until}::date
     WHERE company_id = ${ctx.companyId} AND id = ${request.id}`.execute(ctx.db);
  const body = [`截止 ${input.until}`, input.carrierIds.length > 0 ? `增加 ${input.carrierIds.length} 家物流商` : '']
    .filter(Boolean)
    .join('，');
  await note(ctx, quoteRequest.name, request.id, { kind: 'note', title: '延期与加询', body });
  await audit(ctx, {
    action: '物流询价·延期与加询',
    resource: quoteRequest.name,
    resourceId: request.id,
    before: { until: request.until },
    after: { until: input.until, carrierIds: input.carrierIds.length },
  });
  return outcome({ ...request, version: await touchRequest(ctx, request.id) }, `物流询价${request.number}已修改`);
}
