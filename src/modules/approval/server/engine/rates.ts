import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import { ratesOn } from '#kit/server/approval.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';

/** Currency in which the company counts. */
export async function baseOf(ctx: Ctx): Promise<string> {
  const { rows } = await sql<{ currency: string }>`
    SELECT base_currency AS currency FROM identity.company WHERE company_id = ${ctx.companyId}`.execute(ctx.db);
  return rows[0]?.currency ?? 'CNY';
}

/**
 * An amount in the company's currency by today's rate, half-up to two places; null for no amount.
 * @throws refused B0848 where nobody knows the rate
 */
export async function inBase(ctx: Ctx, amount: string | null, currency: string | null): Promise<string | null> {
  if (amount === null) return null;
  const base = await baseOf(ctx);
  if (currency === null || currency === base) return new Decimal(amount).toFixed(2);
  const rate = (await ratesOn(ctx, [currency], ctx.clock.today())).get(currency);
  if (rate === undefined) throw refused(`缺少${currency}汇率，无法提交审批`, 'B0848');
  return new Decimal(amount).times(rate).toFixed(2);
}
