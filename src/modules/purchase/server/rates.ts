import { ratesOn } from '#kit/server/approval.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';

/** CNY for one unit of a currency on a company day. @throws refused B1021: a rate that is missing is never taken as 1 */
export async function rateOn(ctx: Ctx, currency: string, day: string): Promise<string> {
  const rate = (await ratesOn(ctx, [currency], day)).get(currency);
  if (rate === undefined) throw refused(`缺少${day}的${currency}汇率`, 'B1021');
  return rate;
}
