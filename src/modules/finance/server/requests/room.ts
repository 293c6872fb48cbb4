import { sql } from 'kysely';
import { currencyScale, Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { lockParties, openItems } from '../payables/items.ts';
import type { Request } from './load.ts';

/** What other requests that are under way will still take of debts; of one that is partly paid no more than is left. */
async function claimed(ctx: Ctx, but: string, debts: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ debt: string; amount: string }>`
    SELECT l.payable_id AS debt, sum(least(l.amount, r.amount - r.paid_amount))::text AS amount
      FROM finance.payment_request_line AS l
      JOIN finance.payment_request AS r ON r.company_id = l.company_id AND r.id = l.request_id
     WHERE l.company_id = ${ctx.companyId} AND l.payable_id = ANY (${[...debts]}::uuid[]) AND r.id <> ${but}
       AND r.state IN ('submitted', 'approved', 'partly')
     GROUP BY 1`.execute(ctx.db);
  return new Map(rows.map((row) => [row.debt, row.amount]));
}

/**
 * A request reserves the debts that it names: all that are under way together never ask for more than is open of one.
 * Holds the party until the transaction ends. @throws refused B0928 with what may still be asked for
 */
export async function requireRoom(ctx: Ctx, doc: Request): Promise<void> {
  const debts = doc.lines.flatMap((line) => line.payableId ?? []);
  if (debts.length === 0) return;
  await lockParties(ctx, [doc.party.id]);
  const open = new Map((await openItems(ctx, { ids: debts })).map((item) => [item.id, item.open]));
  const taken = await claimed(ctx, doc.id, debts);
  for (const { payableId, amount, title } of doc.lines) {
    if (!payableId) continue;
    const left = Decimal.max(new Decimal(open.get(payableId) ?? 0).minus(taken.get(payableId) ?? 0), 0);
    if (left.lt(amount)) {
      throw refused(`请款合计超过应付金额，剩余可请${left.toFixed(currencyScale(doc.currency))}（${title}）`, 'B0928');
    }
  }
}
