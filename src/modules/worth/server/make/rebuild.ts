import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { dayAfter } from './days.ts';
import { rebuildLater } from './later.ts';

/** Days that one call makes anew at most. */
const MOST = 400;

/** Has the days from one on made anew in the background. @throws refused B1601 for a day that is not of the last 400 */
export async function rebuild(ctx: Ctx, from: string): Promise<{ days: number }> {
  const today = ctx.clock.today();
  if (from > today || from < dayAfter(today, -MOST)) throw refused(`起始日期应在最近 ${MOST} 天内`, 'B1601');
  await rebuildLater(ctx, from);
  const days = (Date.parse(today) - Date.parse(from)) / 86_400_000 + 1;
  await audit(ctx, { action: '补算库存货值', resource: 'worth.line', after: { from, days } });
  return { days };
}
