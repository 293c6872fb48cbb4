import { sql } from 'kysely';
import { job } from '#kit/server/jobs/define.ts';
import { enqueue } from '#kit/server/jobs/enqueue.ts';
import { inSystem, inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { arrived, gaveUp } from './arrive.ts';
import { createPlatform } from './client.ts';
import { remindOfExpiry } from './expiry.ts';
import { reprice } from './lines.ts';
import { lastLook, lookLater } from './look.ts';
import { ConsentLost, type Platform, PlatformRefused, type RemoteOrder, Unanswered } from './port.ts';
import { followPrice } from './price.ts';
import { statusOf } from './status.ts';
import type { BuyerRef } from './tokens.ts';

/** Changes are read with so much overlap: those of the last minutes may appear late. */
const OVERLAP_MS = 10 * 60_000;

interface Known {
  id: string;
  orderId: string;
  outOrderId: string;
  platformId: string | null;
  status: string;
  tracked: boolean;
  units: number;
}

async function knownOf(runtime: Runtime, buyer: BuyerRef, numbers: readonly string[]): Promise<Known[]> {
  return inTenant(runtime, systemPrincipal(buyer.companyId), async (ctx) => {
    const { rows } = await sql<Known>`
      SELECT t.id, t.order_id AS "orderId", t.out_order_id AS "outOrderId", t.platform_id AS "platformId", t.status, t.tracking_no <> '' AS tracked,
             (SELECT coalesce(sum(l.units), 0)::int FROM alibaba.trade_line AS l
               WHERE l.company_id = t.company_id AND l.trade_id = t.id) AS units
        FROM alibaba.trade AS t
       WHERE t.company_id = ${ctx.companyId} AND t.buyer_id = ${buyer.id}
         AND t.out_order_id = ANY (${numbers}::text[])`.execute(ctx.db);
    return rows;
  });
}

/** Takes over an order as the platform has it; what is older than what is known changes nothing. */
async function take(runtime: Runtime, companyId: string, known: Known, order: RemoteOrder): Promise<number> {
  return inTenant(runtime, systemPrincipal(companyId), async (ctx) => {
    ctx.audited = true;
    const { numAffectedRows } = await sql`
      UPDATE alibaba.trade
         SET status = ${statusOf(order.status)}, total = ${order.total}::numeric, freight = ${order.freight}::numeric,
             refund = ${order.refund}::numeric, paid_at = ${order.paidAt}::timestamptz,
             modified_at = ${order.modifiedAt}::timestamptz
       WHERE company_id = ${companyId} AND id = ${known.id} AND status <> 'sending'
         AND coalesce(modified_at, '-infinity') < ${order.modifiedAt}::timestamptz`.execute(ctx.db);
    const changed = Number(numAffectedRows ?? 0);
    if (changed > 0) await reprice(ctx, known.id, order);
    return changed;
  });
}

async function follow(runtime: Runtime, platform: Platform, companyId: string, known: Known, order: RemoteOrder) {
  const trace = await platform.trace(order.id);
  if (!trace) return;
  await inTenant(runtime, systemPrincipal(companyId), async (ctx) => {
    ctx.audited = true;
    await ctx.db
      .updateTable('alibaba.trade')
      .set({ tracking_no: trace.trackingNo, steps: JSON.stringify(trace.steps) })
      .where('company_id', '=', companyId)
      .where('id', '=', known.id)
      .execute();
  });
}

/** Whether the platform made other orders of a call than are known, or put other pieces into one. */
function isNews(order: RemoteOrder, known: readonly Known[]): boolean {
  const mine = known.find((row) => row.platformId === order.id);
  const units = order.items.reduce((total, item) => total + item.quantity, 0);
  return mine === undefined || (units > 0 && units !== mine.units);
}

async function takeAll(runtime: Runtime, platform: Platform, buyer: BuyerRef, orders: readonly RemoteOrder[]) {
  const numbers = [...new Set(orders.map((order) => order.outOrderId).filter(Boolean))];
  let known = await knownOf(runtime, buyer, numbers);
  const ours = orders.filter((order) => known.some((row) => row.outOrderId === order.outOrderId));
  const news = new Set(ours.filter((order) => isNews(order, known)).map((order) => order.outOrderId));
  for (const number of news) {
    // A page may hold some orders of a call only: what they share is dealt out among all of them.
    await arrived(runtime, buyer.companyId, number, await platform.findByOwnNumber(number));
  }
  if (news.size > 0) known = await knownOf(runtime, buyer, numbers);
  const repriced = new Set<string>();
  let changed = 0;
  for (const order of ours) {
    const mine = known.find((row) => row.platformId === order.id);
    if (!mine) continue;
    const taken = await take(runtime, buyer.companyId, mine, order);
    changed += taken;
    if (taken > 0) repriced.add(mine.orderId);
    const sent = ['waitbuyerreceive', 'success'].includes(statusOf(order.status));
    if (sent && (taken > 0 || !mine.tracked)) await follow(runtime, platform, buyer.companyId, mine, order);
  }
  for (const orderId of repriced) await followPrice(runtime, buyer.companyId, orderId);
  return changed;
}

async function sinceOf(runtime: Runtime, buyer: BuyerRef): Promise<string> {
  const row = await inTenant(runtime, systemPrincipal(buyer.companyId), (ctx) =>
    ctx.db
      .selectFrom('alibaba.buyer')
      .select(['synced_until', 'bound_at'])
      .where('company_id', '=', ctx.companyId)
      .where('id', '=', buyer.id)
      .executeTakeFirst(),
  );
  const from = row?.synced_until ?? row?.bound_at ?? runtime.clock.now().toISOString();
  return new Date(Date.parse(from) - OVERLAP_MS).toISOString();
}

async function mark(runtime: Runtime, buyer: BuyerRef, until: string | null, error: string | null): Promise<void> {
  await inTenant(runtime, systemPrincipal(buyer.companyId), async (ctx) => {
    ctx.audited = true;
    await sql`
      UPDATE alibaba.buyer SET synced_until = greatest(synced_until, ${until}::timestamptz), sync_error = ${error},
             synced_at = CASE WHEN ${error}::text IS NULL THEN kit.now() ELSE synced_at END
       WHERE company_id = ${ctx.companyId} AND id = ${buyer.id}`.execute(ctx.db);
  });
}

/**
 * Reads what changed of a buyer's orders since the last time, ten minutes of overlap included, and moves the mark when
 * all of it is stored: a run that dies is made up for by the next. @returns how many of our orders changed
 */
export async function syncBuyer(runtime: Runtime, buyer: BuyerRef): Promise<number> {
  const platform = createPlatform(runtime, buyer);
  const since = await sinceOf(runtime, buyer);
  let changed = 0;
  let until: string | null = null;
  try {
    for (let page = 1, more = true; more; page += 1) {
      const found = await platform.changedSince(since, page);
      changed += await takeAll(runtime, platform, buyer, found.orders);
      until = found.orders.at(-1)?.modifiedAt ?? until;
      more = found.more;
    }
    await mark(runtime, buyer, until, null);
  } catch (error) {
    const expected = [ConsentLost, PlatformRefused, Unanswered].some((kind) => error instanceof kind);
    if (!expected) throw error;
    await mark(runtime, buyer, null, error instanceof Error ? error.message : String(error));
  }
  return changed;
}

/** Buyers of a company that are bound. */
export async function boundBuyers(runtime: Runtime, companyId: string): Promise<BuyerRef[]> {
  const rows = await inTenant(runtime, systemPrincipal(companyId), (ctx) =>
    ctx.db
      .selectFrom('alibaba.buyer')
      .select('id')
      .where('company_id', '=', companyId)
      .where('state', '=', 'active')
      .execute(),
  );
  return rows.map(({ id }) => ({ companyId, id }));
}

interface Look {
  companyId: string;
  tradeId: string;
  tries: number;
}

/** Asks the platform whether an order that it never answered is there; after the last time it is held not to be. */
export async function resolveTrade(runtime: Runtime, { companyId, tradeId, tries }: Look): Promise<void> {
  const trade = await inTenant(runtime, systemPrincipal(companyId), (ctx) =>
    ctx.db
      .selectFrom('alibaba.trade')
      .select(['buyer_id', 'out_order_id', 'status'])
      .where('company_id', '=', companyId)
      .where('id', '=', tradeId)
      .executeTakeFirst(),
  );
  if (trade?.status !== 'sending') return;
  try {
    const platform = createPlatform(runtime, { companyId, id: trade.buyer_id });
    const found = await platform.findByOwnNumber(trade.out_order_id);
    if (found.length > 0) return arrived(runtime, companyId, trade.out_order_id, found);
    if (lastLook(tries)) return gaveUp(runtime, companyId, tradeId, '1688没有这笔订单，可以重新下单');
  } catch (error) {
    // Nobody knows: the order stays in doubt, and is asked for again.
    runtime.log.warn({ err: error, tradeId }, 'order at 1688 could not be looked for');
  }
  const next = Math.min(tries + 1, 2);
  await inTenant(runtime, systemPrincipal(companyId), (ctx) => lookLater(ctx, tradeId, next));
}

export const resolveJob = job<Look>('alibaba.resolve', resolveTrade);
export const syncJob = job<{ companyId: string; buyerId: string }>('alibaba.sync', async (runtime, payload) => {
  await syncBuyer(runtime, { companyId: payload.companyId, id: payload.buyerId });
});

/** Every few minutes each bound buyer's orders are read. */
export const scheduleJob = job<object>('alibaba.schedule', async (runtime) => {
  if (!runtime.config.alibaba) return;
  const companies = await inSystem(runtime, (db) =>
    sql<{ id: string }>`SELECT company_id AS id FROM identity.company`.execute(db),
  );
  for (const { id: companyId } of companies.rows) {
    await inTenant(runtime, systemPrincipal(companyId), remindOfExpiry);
    for (const buyer of await boundBuyers(runtime, companyId)) {
      await inTenant(runtime, systemPrincipal(companyId), (ctx) =>
        enqueue(ctx, 'alibaba.sync', { companyId, buyerId: buyer.id }, { key: `alibaba.sync:${buyer.id}` }),
      );
    }
  }
});
