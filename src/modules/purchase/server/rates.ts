import { rateSources } from '#kit/server/approval.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { extensionsOf } from '#kit/server/extension.ts';

/** CNY for one unit of a currency on a company day. @throws refused B1021: a rate that is missing is never taken as 1 */
export async function rateOn(ctx: Ctx, currency: string, day: string): Promise<string> {
  if (currency === 'CNY') return '1';
  for (const source of extensionsOf(ctx.runtime.modules, rateSources)) {
    const rate = await source.rate(ctx, currency, day);
    if (rate !== undefined) return rate;
  }
  throw refused(`缺少${day}的${currency}汇率`, 'B1021');
}
