import type { Ctx } from '#kit/server/context.ts';
import { inTenant, systemPrincipal } from '#kit/server/runtime.ts';
import type { Fetched, LandCounts, StreamDef, StreamRun } from '#modules/marketplace/server/index.ts';
import { listPage, type OrderHead, type ReadOrder, readOrder } from '../amazon/read.ts';
import { landOrder } from './order.ts';
import { askPackages, landTracking, openPackages } from './tracking.ts';

/** Orders are landed as they come, so that a long reading that is broken off has not been for nothing. */
const CHUNK = 20;
/** Packages that carriers are asked of in one run. */
const MOST_PACKAGES = 60;
const DAY_SEC = 86_400;

async function headsOf({ api, window }: StreamRun): Promise<OrderHead[]> {
  const all: OrderHead[] = [];
  let token: string | undefined;
  do {
    const page = await listPage(api, { since: window.from, token });
    all.push(...page.heads);
    token = page.token;
  } while (token);
  return all;
}

/** Numbers of the orders that stand otherwise here than Amazon tells, those that changed first first. */
async function changed(ctx: Ctx, accountId: string, heads: readonly OrderHead[]): Promise<string[]> {
  if (heads.length === 0) return [];
  const rows = await ctx.db
    .selectFrom('fulfillment.mcf_order')
    .select(['number', 'amazon_status', 'amazon_status_at'])
    .where('company_id', '=', ctx.companyId)
    .where('account_id', '=', accountId)
    .where(
      'number',
      'in',
      heads.map(({ number }) => number),
    )
    .execute();
  const known = new Map(rows.map((row) => [row.number, row]));
  const stands = ({ number, status, statusAt }: OrderHead) => {
    const row = known.get(number);
    return row?.amazon_status === status && Date.parse(row.amazon_status_at ?? '') === Date.parse(statusAt);
  };
  return heads.filter((head) => !stands(head)).map(({ number }) => number);
}

async function landChunk(run: StreamRun, numbers: readonly string[], counts: LandCounts): Promise<void> {
  const orders: (ReadOrder | undefined)[] = [];
  for (const number of numbers) orders.push(await readOrder(run.api, number));
  await inTenant(run.runtime, systemPrincipal(run.account.companyId), async (ctx) => {
    for (const order of orders) {
      if (!order) continue;
      const { isNew } = await landOrder(ctx, run.account.id, order);
      counts.rowsIn += 1;
      counts[isNew ? 'inserted' : 'updated'] += 1;
    }
  });
}

async function fetch(run: StreamRun): Promise<Fetched> {
  const { account, runtime } = run;
  const within = <T>(work: (ctx: Ctx) => Promise<T>) => inTenant(runtime, systemPrincipal(account.companyId), work);
  const heads = await headsOf(run);
  const numbers = await within((ctx) => changed(ctx, account.id, heads));
  const counts: LandCounts = { rowsIn: 0, inserted: 0, updated: 0, unchanged: heads.length - numbers.length };
  for (let at = 0; at < numbers.length; at += CHUNK) await landChunk(run, numbers.slice(at, at + CHUNK), counts);
  const packages = await within((ctx) => openPackages(ctx, { accountId: account.id }, MOST_PACKAGES));
  const told = await askPackages(run.api, packages);
  return {
    land: async (ctx) => {
      await landTracking(ctx, told);
      return counts;
    },
  };
}

/** Orders from elsewhere that Amazon sends, and where their packages are. */
export const mcfOrders: StreamDef = {
  code: 'fulfillment.orders',
  title: '多渠道订单',
  scope: 'account',
  cadenceSec: 1_800,
  overlapSec: 3_600,
  safetyLagSec: 0,
  maxWindowSec: 30 * DAY_SEC,
  historySec: 30 * DAY_SEC,
  priority: 6,
  sloMin: 120,
  fetch,
};
