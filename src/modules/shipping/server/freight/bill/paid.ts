import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { PaidDocuments, Worth } from '#modules/finance/server/index.ts';
import { freightBill } from '../../../contract/freight/bill.ts';

/** Locks bills in the order of their ids. */
async function hold(ctx: Ctx, ids: readonly string[]): Promise<void> {
  await sql`
    SELECT FROM shipping.freight_bill
     WHERE company_id = ${ctx.companyId} AND id = ANY (${[...ids]}::uuid[]) ORDER BY id FOR UPDATE`.execute(ctx.db);
}

/** A bill comes to what is owed for it: nothing is paid before it is confirmed. */
async function worth(ctx: Ctx, ids: readonly string[]): Promise<Map<string, Worth>> {
  const { rows } = await sql<{ id: string; number: string; currency: string }>`
    SELECT id, number, currency FROM shipping.freight_bill
     WHERE company_id = ${ctx.companyId} AND id = ANY (${[...ids]}::uuid[]) AND state = 'confirmed'`.execute(ctx.db);
  return new Map(rows.map(({ id, ...bill }) => [id, { ...bill, ordered: '0' }]));
}

/** What finance asks about freight bills. */
export const paidFreight: PaidDocuments = { type: freightBill.name, hold, worth, moved: async () => {} };
