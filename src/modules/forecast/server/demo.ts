import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { runAll } from './job.ts';
import { save } from './promotions/save.ts';
import { dayPlus } from './stocks.ts';

/** A promotion that is over and one that is planned, on the site that sells most. */
async function demoPromotions(ctx: Ctx): Promise<void> {
  const { rows } = await sql<{ site: string }>`
    SELECT marketplace_id || '-' || account_id AS site FROM sales.store_day WHERE company_id = ${ctx.companyId}
     GROUP BY marketplace_id, account_id ORDER BY sum(units) DESC LIMIT 1`.execute(ctx.db);
  const [best] = rows;
  if (!best) return;
  const today = ctx.clock.today();
  const at = (from: number, to: number) => ({ from: dayPlus(today, from), to: dayPlus(today, to) });
  const of = { site: best.site, skus: [] };
  await save(ctx, { promotion: { ...of, name: '夏季优惠券', kind: 'coupon', ...at(-24, -18) } });
  await save(ctx, { promotion: { ...of, name: '秋季会员日', kind: 'prime', expected: '2.2', ...at(16, 17) } });
}

/** Has everything that the demo company sells forecast soon, not only when its first night comes. */
export async function demoForecasts(runtime: Runtime, companyId: string): Promise<void> {
  await inTenant(runtime, systemPrincipal(companyId), demoPromotions);
  await inTenant(runtime, systemPrincipal(companyId), runAll);
}
