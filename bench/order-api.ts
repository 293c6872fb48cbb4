import { inTenant } from '#kit/server/runtime.ts';
import { planOf } from '#modules/marketplace/server/api/limits.ts';
import { accountOf } from '#modules/marketplace/server/index.ts';
import { fetchOf } from '#modules/marketplace/server/sync/fetch.ts';
import { startSandbox } from '#sandbox/index.ts';
import { sandboxAddresses } from '#src/app/sandbox.ts';
import { writeConsents } from '#test/support/consents.ts';
import { progress, report, step, timed } from './support/measure.ts';
import type { BenchWorld } from './support/world.ts';

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 2, 1);
const DAYS = 120;
/** Orders of one answer. */
const PAGE = 100;
/** Nobody's plan: here the product is measured, not the limit. */
const NO_LIMIT = 1_000_000;

/** Orders that were changed in `days` days, read through the API a day at a time and landed, against the usage plan. */
export async function orderApi(world: BenchWorld, days: number): Promise<void> {
  const sandbox = await startSandbox({
    scenario: 'demo',
    startAt: START,
    clock: { mode: 'frozen', at: START + DAYS * DAY_MS },
    rateFactor: NO_LIMIT,
  });
  try {
    const principal = await world.company();
    const [seller] = sandbox.business.accounts;
    if (!seller) throw new Error('nobody sells');
    const consent = { ...seller, companyId: principal.companyId };
    await writeConsents(world.admin, world.runtime.secrets, sandbox, [consent]);
    const marketplace = sandboxAddresses(sandbox.url);
    const runtime = { ...world.runtime, config: { ...world.runtime.config, marketplace, retryBaseMs: 40 } };
    const { rows } = await world.admin.query<{ id: string }>('SELECT id FROM marketplace.seller_account');
    const account = await inTenant(runtime, principal, (ctx) =>
      accountOf(ctx.db, principal.companyId, rows[0]?.id ?? ''),
    );
    const usage = { calls: 0, throttled: 0 };
    const reader = account && fetchOf(runtime, account, { stream: 'orders.live', marketplaceId: '' }, usage);
    if (!reader) throw new Error('nobody reads orders');
    const read = async (back: number): Promise<number> => {
      const to = START + (DAYS - back) * DAY_MS;
      const window = { from: new Date(to - DAY_MS).toISOString(), to: new Date(to).toISOString() };
      const fetched = await reader.fetch(window);
      const counts = await inTenant(runtime, principal, (ctx) => fetched.land(ctx), { timeoutMs: 600_000 });
      return counts.rowsIn;
    };
    // The business of the days is simulated when it is first asked for.
    await step('first day', () => read(1));
    const { ms, cpuMs, result } = await timed(world, async () => {
      let orders = 0;
      for (let back = 2; back < 2 + days; back += 1) orders += await read(back);
      return orders;
    });
    const limit = planOf('searchOrders').rate * PAGE;
    progress(
      `${result} orders in ${usage.calls} calls, ${(cpuMs / result).toFixed(1)} ms of processor each, the sandbox's own included`,
    );
    report(
      'orders through the API, per second',
      (result / ms) * 1000,
      limit,
      '/s',
      '>= 1',
      'baseline: what one account may read for ever',
    );
  } finally {
    await sandbox.close();
  }
}
