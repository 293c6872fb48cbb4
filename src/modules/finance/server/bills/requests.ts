import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import type { RequestMoved } from '../requests/act.ts';
import { followLines, lockBill } from './state.ts';

async function billsOf(ctx: Ctx, requestId: string): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom('finance.platform_bill_payment')
    .select('bill_id as id')
    .distinct()
    .where('company_id', '=', ctx.companyId)
    .where('request_id', '=', requestId)
    .where('live', '=', true)
    .orderBy('bill_id')
    .execute();
  return rows.map((row) => row.id);
}

/** A request that bills made moved: one that is void or reversed frees its lines; the last that is paid settles the bill. */
export async function onBillRequestMoved(ctx: Ctx, { requestId, step }: RequestMoved): Promise<void> {
  if (!['payAll', 'cancel', 'reverse'].includes(step)) return;
  for (const id of await billsOf(ctx, requestId)) {
    const bill = await lockBill(ctx, id);
    if (step !== 'payAll') {
      await sql`
        UPDATE finance.platform_bill_payment SET live = false
         WHERE company_id = ${ctx.companyId} AND request_id = ${requestId} AND bill_id = ${id} AND live`.execute(
        ctx.db,
      );
    }
    await followLines(ctx, bill);
  }
}

/** Its amount is that of lines of a bill. @throws refused B0958 while the request holds some */
export async function requireNotOfBill(ctx: Ctx, requestId: string): Promise<void> {
  const [bill] = await billsOf(ctx, requestId);
  if (bill) throw refused('由平台账单生成的请款单不能修改，请作废后在账单重新生成', 'B0958');
}
