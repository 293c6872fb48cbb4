import { sql } from 'kysely';
import type { Outcome } from '#kit/contract/document-calls.ts';
import type { Reply } from '#kit/contract/endpoint.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { outcome, requireFresh } from '#kit/server/document-outcome.ts';
import { conflict, refused } from '#kit/server/errors.ts';
import type { OrderChargeRow, orderFreight } from '../../contract/freight/report.ts';
import { shipOrder } from '../../contract/order.ts';
import { touch } from '../order/act.ts';
import { loaded, locked } from '../order/load.ts';
import { estimateSent } from './estimate.ts';
import { feesOfOrder } from './fees.ts';
import { matchesOf } from './matches.ts';

const LEFT: readonly string[] = ['shipped', 'receiving', 'done'];

async function chargesOf(ctx: Ctx, orderId: string): Promise<OrderChargeRow[]> {
  const { rows } = await sql<OrderChargeRow>`
    SELECT c.id, b.id AS "billId", coalesce(b.number, CASE WHEN c.answer_id IS NULL THEN '出库预估' ELSE '物流报价' END) AS bill, coalesce(b.day, c.rate_day) AS day, c.kind,
           trim_scale(c.billed_weight)::text AS "billedWeight", c.amount::text AS amount, c.currency,
           trim_scale(c.rate)::text AS rate, c.amount_cny::text AS "amountCny", c.remark,
           CASE WHEN b.state = 'confirmed' THEN 'billed' WHEN b.id IS NULL AND c.rate IS NULL THEN 'unrated'
                ELSE 'estimated' END AS state
      FROM shipping.freight_charge AS c
      LEFT JOIN shipping.freight_bill AS b ON b.company_id = c.company_id AND b.id = c.bill_id
     WHERE c.company_id = ${ctx.companyId} AND c.order_id = ${orderId}
       AND (b.id IS NULL OR b.state NOT IN ('cancelled', 'reversed'))
     ORDER BY b.id NULLS FIRST, c.line_no`.execute(ctx.db);
  return rows;
}

/** 费用 of a ship order: what was expected, what is billed, and what of it went to its lines. CNY. @throws notFound */
export async function freightOf(ctx: Ctx, orderId: string): Promise<Reply<typeof orderFreight>> {
  const order = await loaded(ctx, orderId);
  const [match] = await matchesOf(ctx, [orderId]);
  const charges = await chargesOf(ctx, orderId);
  const hasLeft = LEFT.includes(order.state);
  return {
    charges,
    lines: await feesOfOrder(ctx, orderId),
    expectedTotal: match?.estimated ?? null,
    billedTotal: match?.billed ?? '0',
    match: match?.state ?? 'unknown',
    why: hasLeft && !charges.some(({ billId }) => billId === null) ? (match?.why ?? '') : '',
  };
}

/**
 * Works out once more what the order's card asks, by the card and rate of today.
 * @throws conflict before it has left or for a stale version, refused B1359 where there is no estimate, notFound
 */
export async function estimateAgain(ctx: Ctx, input: { id: string; version?: number | undefined }): Promise<Outcome> {
  const order = await locked(ctx, input.id);
  requireFresh(order, input.version);
  if (!LEFT.includes(order.state)) throw conflict('发货单还没有出库，出库时自动预估');
  const problem = await estimateSent(ctx, order.id);
  if (problem) throw refused(`头程费用无法预估：${problem.why}`, 'B1359');
  await audit(ctx, {
    action: '重算头程预估',
    resource: shipOrder.name,
    resourceId: order.id,
    after: { number: order.number },
  });
  return outcome({ ...order, version: await touch(ctx, order.id) }, '头程预估已重算');
}
