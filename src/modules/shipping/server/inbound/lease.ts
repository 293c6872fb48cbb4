import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { type AccountRef, accountOf, createSpApi, type SpApi } from '#modules/marketplace/server/index.ts';
import { enqueueInbound, enqueueLook } from './job.ts';
import { loadView } from './load.ts';
import { tellTrouble } from './tell.ts';
import type { StageKey, View } from './types.ts';

/** One turn of a worker: what it saw, and the hold under which it may write. */
export interface Turn {
  runtime: Runtime;
  companyId: string;
  orderId: string;
  view: View;
  fence: number;
  account: AccountRef;
  api: SpApi;
}

/** Another worker holds the plan since: what this one found out is worth nothing. */
export class Overtaken extends Error {}

const named = (companyId: string) => systemPrincipal(companyId, '亚马逊');

/** Takes hold of an order's way, if it is due and nobody else has it. */
export async function takeTurn(runtime: Runtime, companyId: string, orderId: string): Promise<Turn | undefined> {
  return inTenant(runtime, named(companyId), async (ctx) => {
    await holdOrder(ctx, orderId);
    const { rows } = await sql<{ fence: number }>`
      UPDATE shipping.inbound
         SET fence = fence + 1, lease_until = kit.now() + make_interval(secs => ${runtime.config.leaseSec})
       WHERE company_id = ${companyId} AND order_id = ${orderId} AND (lease_until IS NULL OR lease_until <= kit.now())
         AND next_at <= kit.now() AND state IN ('working', 'waiting')
      RETURNING fence`.execute(ctx.db);
    const [row] = rows;
    if (!row) {
      await lookLater(ctx, orderId);
      return undefined;
    }
    // Read, not locked: people's steps lock the order first and its way then, and the two would wait for each other.
    const view = await loadView(ctx, orderId);
    if (!view) return undefined;
    const account = await accountOf(ctx.db, companyId, view.order.account);
    if (!account) {
      const ending: Ending = { state: 'trouble', stage: view.inbound.stage, words: '店铺授权已删除' };
      await settle(ctx, orderId, row.fence, view.inbound.woken, ending);
      return undefined;
    }
    const api = createSpApi(runtime, account, { calls: 0, throttled: 0 });
    return { runtime, companyId, orderId, view, fence: row.fence, account, api };
  });
}

/**
 * Whoever holds a way queues its next turn, unless he was killed: his job comes back to the queue before his hold is over, and
 * whoever takes it then must not let it end with nothing to follow.
 */
async function lookLater(ctx: Ctx, orderId: string): Promise<void> {
  const { rows } = await sql<{ ms: number }>`
    SELECT ceil(extract(epoch FROM lease_until - kit.now()) * 1000)::int AS ms FROM shipping.inbound
     WHERE company_id = ${ctx.companyId} AND order_id = ${orderId} AND lease_until > kit.now()
       AND state IN ('working', 'waiting')`.execute(ctx.db);
  const [held] = rows;
  if (held) await enqueueLook(ctx, orderId, new Date(ctx.runtime.clock.ms() + held.ms));
}

/**
 * Holds the order's row as a foreign key does, before anything of its way is written. A row that a transaction writes twice is
 * checked against the order once more, and people's steps hold the order first and its way then: without this the two would
 * wait for each other.
 */
async function holdOrder(ctx: Ctx, orderId: string): Promise<void> {
  await sql`SELECT FROM shipping.ship_order WHERE company_id = ${ctx.companyId} AND id = ${orderId} FOR KEY SHARE`.execute(
    ctx.db,
  );
}

export interface Ending {
  state?: View['inbound']['state'];
  stage?: StageKey;
  words?: string;
  /** When to go on; at once where left out. */
  afterMs?: number;
}

/** Lets go of the hold and says when it goes on: at once where people did something that the turn has not seen. */
async function settle(
  ctx: Ctx,
  orderId: string,
  fence: number,
  woken: number,
  { state = 'working', stage, words = '', afterMs = 0 }: Ending,
) {
  const { rows } = await sql<{ missed: boolean }>`
    UPDATE shipping.inbound
       SET state = CASE WHEN woken > ${woken} THEN 'working' ELSE ${state} END,
           stage = coalesce(${stage ?? null}, stage), words = ${words}, lease_until = NULL,
           next_at = kit.now() + make_interval(secs => CASE WHEN woken > ${woken} THEN 0 ELSE ${afterMs / 1000}::float8 END),
           updated_at = kit.now()
     WHERE company_id = ${ctx.companyId} AND order_id = ${orderId} AND fence = ${fence}
    RETURNING woken > ${woken} AS missed`.execute(ctx.db);
  const [row] = rows;
  if (!row) throw new Overtaken();
  const runAt = row.missed || afterMs <= 0 ? undefined : new Date(ctx.runtime.clock.ms() + afterMs);
  if (row.missed || state === 'working' || state === 'waiting') await enqueueInbound(ctx, orderId, runAt);
  else if (state === 'trouble') await tellTrouble(ctx, orderId, words);
}

/**
 * Ends a turn in one transaction: what was found out, and how it goes on. Where somebody changed the plan or the order
 * meanwhile that only means that the next turn decides anew.
 * @throws Overtaken
 */
export function endTurn(turn: Turn, ending: Ending, write?: (ctx: Ctx) => Promise<void>): Promise<void> {
  return inTenant(turn.runtime, named(turn.companyId), async (ctx) => {
    await holdOrder(ctx, turn.orderId);
    await settle(ctx, turn.orderId, turn.fence, turn.view.inbound.woken, ending);
    await write?.(ctx);
  });
}

/** Writes while the turn goes on: that a call is about to leave. @throws Overtaken */
export function during(turn: Turn, write: (ctx: Ctx) => Promise<void>): Promise<void> {
  return inTenant(turn.runtime, named(turn.companyId), async (ctx) => {
    await holdOrder(ctx, turn.orderId);
    const { rows } = await sql`
      UPDATE shipping.inbound
         SET lease_until = kit.now() + make_interval(secs => ${turn.runtime.config.leaseSec})
       WHERE company_id = ${ctx.companyId} AND order_id = ${turn.orderId} AND fence = ${turn.fence}
      RETURNING order_id`.execute(ctx.db);
    if (rows.length === 0) throw new Overtaken();
    await write(ctx);
  });
}
