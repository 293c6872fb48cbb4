import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { closeGate } from './gate.ts';
import { type Priced, priceMonth, requireOrder, type Watch } from './month.ts';

export type PeriodState = 'OPEN' | 'CLOSED';

/** What a change of a month's state did; `priced` where its issues got their price now. */
export interface PeriodChange {
  /** The month was in this state before: nothing was changed. */
  repeated: boolean;
  priced: Priced | undefined;
}

/** @throws refused B0812 for a month (its first day) that is not over */
export async function requireOver(ctx: Ctx, month: string): Promise<void> {
  const { rows } = await sql<{ over: boolean }>`
    SELECT ${month}::date + interval '1 month' <= warehouse.today() AS over`.execute(ctx.db);
  if (!rows[0]?.over) throw refused('当月尚未结束，不能关账', 'B0812');
}

/** Whether the month (its first day) takes no more postings. */
export async function isClosed(ctx: Ctx, month: string): Promise<boolean> {
  const { rows } = await sql<{ state: PeriodState }>`
    SELECT state FROM warehouse.inventory_period WHERE company_id = ${ctx.companyId} AND month = ${month}::date`.execute(
    ctx.db,
  );
  return rows[0]?.state === 'CLOSED';
}

/**
 * Closes or opens a month for postings; `month` is its first day. A month closes only when it is over and those before it
 * need not be, unless issues are priced at its end: then they get their price now, which `watch` may follow. One
 * transaction: who reads the month sees all of it or nothing. @throws refused B0812, B0814 where another month comes first
 */
export async function setPeriod(ctx: Ctx, month: string, state: PeriodState, watch?: Watch): Promise<PeriodChange> {
  await closeGate(ctx);
  if ((await isClosed(ctx, month)) === (state === 'CLOSED')) return { repeated: true, priced: undefined };
  if (state === 'CLOSED') await requireOver(ctx, month);
  const valuation = await requireOrder(ctx, month, state);
  const priced = state === 'CLOSED' && valuation === 'MONTHLY' ? await priceMonth(ctx, month, watch) : undefined;
  await sql`
    INSERT INTO warehouse.inventory_period (company_id, month, state, valuation, changed_by_name)
    VALUES (${ctx.companyId}, ${month}::date, ${state}, ${valuation}, ${ctx.userName})
    ON CONFLICT (company_id, month) DO UPDATE
       SET state = excluded.state, valuation = excluded.valuation, changed_by_name = excluded.changed_by_name,
           changed_at = kit.now(), task_id = NULL`.execute(ctx.db);
  const action = state === 'CLOSED' ? '库存关账' : '库存反关账';
  await audit(ctx, {
    action,
    resource: 'warehouse.period',
    resourceId: month.slice(0, 7),
    after: { state, ...priced },
  });
  return { repeated: false, priced };
}
