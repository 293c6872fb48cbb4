import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { loaded, type Order } from './load.ts';

/** The order of a number as it is now; undefined where there is none. */
export async function orderByNumber(ctx: Ctx, number: string): Promise<Order | undefined> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM purchase.purchase_order WHERE company_id = ${ctx.companyId} AND number = ${number}`.execute(ctx.db);
  return rows[0] && loaded(ctx, rows[0].id);
}
