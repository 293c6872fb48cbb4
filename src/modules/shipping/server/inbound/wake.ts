import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { ShipOrder } from '../order/load.ts';
import { enqueueInbound } from './job.ts';

/** The order was agreed to: its way through the inbound API begins. */
export async function beginInbound(ctx: Ctx, order: ShipOrder): Promise<void> {
  await sql`
    INSERT INTO shipping.inbound (company_id, order_id, state, stage)
    VALUES (${ctx.companyId}, ${order.id}, 'working', 'readPrep')
    ON CONFLICT (company_id, order_id) DO NOTHING`.execute(ctx.db);
  await enqueueInbound(ctx, order.id);
}

/**
 * Somebody did something that the way may have waited for, or wants it tried once more: what failed is forgotten, an
 * operation that was given up is looked after again, and the next turn decides anew.
 */
export async function wake(ctx: Ctx, orderId: string): Promise<void> {
  const { rows } = await sql`
    UPDATE shipping.inbound
       SET state = 'working', next_at = kit.now(), woken = woken + 1, updated_at = kit.now()
     WHERE company_id = ${ctx.companyId} AND order_id = ${orderId} AND state <> 'cancelled' RETURNING order_id`.execute(
    ctx.db,
  );
  if (rows.length === 0) return;
  await sql`
    UPDATE shipping.inbound_operation
       SET state = CASE WHEN state = 'failed' THEN 'dropped' ELSE state END, asked_at = kit.now(), polls = 0
     WHERE company_id = ${ctx.companyId} AND order_id = ${orderId} AND state IN ('failed', 'asked')`.execute(ctx.db);
  await enqueueInbound(ctx, orderId);
}

/** The order is given up: its plan is called off at Amazon, whatever has become of it. */
export async function callOff(ctx: Ctx, orderId: string): Promise<void> {
  await sql`UPDATE shipping.inbound SET wish = 'cancel' WHERE company_id = ${ctx.companyId} AND order_id = ${orderId}`.execute(
    ctx.db,
  );
  await wake(ctx, orderId);
}
