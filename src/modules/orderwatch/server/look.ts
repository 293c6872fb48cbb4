import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { indexTemporary } from '#kit/server/db/statistics.ts';
import { on } from '#kit/server/events.ts';
import { job } from '#kit/server/jobs/define.ts';
import { enqueue } from '#kit/server/jobs/enqueue.ts';
import { inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { ordersTouched } from '#modules/order/server/index.ts';
import { moneyTouched } from '#modules/settlement/server/index.ts';
import { WATCH_CODES, type WatchCode } from '../contract/kinds.ts';
import { BY_MONEY, FINDS } from './kinds.ts';
import { rulesOf } from './rules-of.ts';
import { noteUsualPrices } from './usual.ts';

/** Orders and refunds that are older are history: nobody looks for what is odd about them. */
export const WATCHED_DAYS = 60;
/** Changes within so long are one reason to look. */
const GATHER_MS = 60_000;
const AT_ONCE = 500;
const TIMEOUT_MS = 10 * 60_000;

/** Has marked orders looked at soon; asked again before that, they are still looked at once. */
export async function lookSoon(ctx: Ctx, afterMs = GATHER_MS): Promise<void> {
  const key = `orderwatch.look:${ctx.companyId}`;
  await enqueue(
    ctx,
    'orderwatch.look',
    { companyId: ctx.companyId },
    { key, keyMode: 'preserve_run_at', queue: key, runAt: new Date(ctx.runtime.clock.ms() + afterMs) },
  );
}

const sinceDay = (ctx: Ctx): string =>
  new Date(ctx.runtime.clock.ms() - WATCHED_DAYS * 86_400_000).toISOString().slice(0, 10);

export const handlers = [
  on(ordersTouched, async (ctx) => {
    await sql`
      INSERT INTO orderwatch.dirty (company_id, account_id, marketplace_id, local_date)
      SELECT DISTINCT ${ctx.companyId}::uuid, account_id, marketplace_id, local_date FROM pg_temp.touched_orders
       WHERE local_date >= ${sinceDay(ctx)}::date`.execute(ctx.db);
    await lookSoon(ctx);
  }),
  on(moneyTouched, async (ctx, { documents }) => {
    await sql`
      INSERT INTO orderwatch.dirty (company_id, account_id, source_doc_id)
      SELECT company_id, account_id, id FROM settlement.source_doc
       WHERE company_id = ${ctx.companyId} AND id = ANY (${documents}::uuid[])`.execute(ctx.db);
    await lookSoon(ctx);
  }),
];

/** Marks all orders that are watched, because a rule changed. */
export async function markAll(ctx: Ctx): Promise<void> {
  await sql`
    INSERT INTO orderwatch.dirty (company_id, account_id, marketplace_id, local_date)
    SELECT DISTINCT company_id, account_id, marketplace_id, local_date FROM "order".amazon_order
     WHERE company_id = ${ctx.companyId} AND purchased_at >= ${sinceDay(ctx)}::timestamptz`.execute(ctx.db);
  await lookSoon(ctx, 0);
}

/** Takes marks off. How many there were. */
async function takeMarks(ctx: Ctx): Promise<number> {
  await sql`DROP TABLE IF EXISTS pg_temp.watch_mark`.execute(ctx.db);
  await sql`
    CREATE TEMP TABLE watch_mark (account_id uuid, marketplace_id text, local_date date, source_doc_id uuid) ON COMMIT DROP`.execute(
    ctx.db,
  );
  const { numAffectedRows } = await sql`
    WITH taken AS (
      DELETE FROM orderwatch.dirty WHERE company_id = ${ctx.companyId} AND id IN (
        SELECT id FROM orderwatch.dirty WHERE company_id = ${ctx.companyId} ORDER BY id LIMIT ${AT_ONCE})
      RETURNING account_id, marketplace_id, local_date, source_doc_id)
    INSERT INTO pg_temp.watch_mark SELECT * FROM taken`.execute(ctx.db);
  return Number(numAffectedRows ?? 0);
}

/** All orders of the marked days. */
const OF_DAYS = (ctx: Ctx) => sql`
  SELECT o.company_id, o.account_id, o.marketplace_id, o.selling_partner_id, o.amazon_order_id
    FROM (SELECT DISTINCT account_id, marketplace_id, local_date FROM pg_temp.watch_mark WHERE local_date IS NOT NULL) AS k
    JOIN "order".amazon_order AS o
      ON o.company_id = ${ctx.companyId} AND o.account_id = k.account_id AND o.marketplace_id = k.marketplace_id
     AND o.local_date = k.local_date`;

/** Orders that marked documents tell a refund of. */
const OF_REFUNDS = (ctx: Ctx) => sql`
  SELECT DISTINCT o.company_id, o.account_id, o.marketplace_id, o.selling_partner_id, o.amazon_order_id
    FROM pg_temp.watch_mark AS k
    JOIN settlement.money_line AS m ON m.company_id = ${ctx.companyId} AND m.source_doc_id = k.source_doc_id
    JOIN "order".amazon_order AS o
      ON o.company_id = m.company_id AND o.amazon_order_id = m.order_id AND o.account_id = m.account_id
   WHERE m.fee_code = 'REFUND_PRINCIPAL' AND m.posted_date >= ${sinceDay(ctx)}::date`;

async function watch(ctx: Ctx, orders: RawBuilder<unknown>): Promise<void> {
  await sql`DROP TABLE IF EXISTS pg_temp.watched`.execute(ctx.db);
  await sql`CREATE TEMP TABLE watched ON COMMIT DROP AS ${orders}`.execute(ctx.db);
  await indexTemporary(ctx, 'watched', 'selling_partner_id, amazon_order_id');
}

/**
 * Writes what a kind finds among the noted orders. What was seen to comes back only when it got worse; what is to be left alone
 * stays so; an open finding that no longer holds is gone.
 */
async function putFindings(ctx: Ctx, kind: WatchCode, threshold: string | null): Promise<void> {
  const found = threshold === null ? sql`SELECT * FROM (${FINDS[kind]}) AS f WHERE false` : FINDS[kind];
  await sql`
    WITH found AS MATERIALIZED (
      SELECT w.account_id, w.marketplace_id, f.* FROM (${found}) AS f
        JOIN pg_temp.watched AS w USING (selling_partner_id, amazon_order_id)
       WHERE f.figure >= ${threshold ?? '0'}::numeric
    ), gone AS (
      UPDATE orderwatch.finding AS x SET state = 'GONE'
        FROM pg_temp.watched AS w
       WHERE x.company_id = ${ctx.companyId} AND x.kind = ${kind} AND x.state = 'OPEN'
         AND x.selling_partner_id = w.selling_partner_id AND x.amazon_order_id = w.amazon_order_id
         AND NOT EXISTS (SELECT FROM found WHERE found.selling_partner_id = x.selling_partner_id
                            AND found.amazon_order_id = x.amazon_order_id)
    )
    INSERT INTO orderwatch.finding AS x
      (company_id, kind, account_id, marketplace_id, selling_partner_id, amazon_order_id, figure, threshold, words)
    SELECT ${ctx.companyId}::uuid, ${kind}, account_id, marketplace_id, selling_partner_id, amazon_order_id,
           round(figure, 4), ${threshold ?? '0'}::numeric, words FROM found
    ON CONFLICT (company_id, selling_partner_id, amazon_order_id, kind) DO UPDATE
       SET figure = excluded.figure, threshold = excluded.threshold, words = excluded.words,
           state = CASE WHEN x.state = 'GONE' OR (x.state = 'HANDLED' AND excluded.figure > x.figure) THEN 'OPEN' ELSE x.state END
     WHERE (x.figure, x.threshold, x.words) IS DISTINCT FROM (excluded.figure, excluded.threshold, excluded.words)
        OR x.state = 'GONE'`.execute(ctx.db);
}

/** Looks at marked orders in the caller's transaction. How many marks were taken off. */
export async function lookAtSome(ctx: Ctx): Promise<number> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`orderwatch:${ctx.companyId}`}, 0))`.execute(ctx.db);
  const taken = await takeMarks(ctx);
  if (taken === 0) return 0;
  const rules = await rulesOf(ctx);
  const put = async (kinds: readonly WatchCode[]) => {
    for (const kind of kinds) await putFindings(ctx, kind, rules[kind].enabled ? rules[kind].threshold : null);
  };
  await watch(ctx, OF_DAYS(ctx));
  await noteUsualPrices(ctx);
  await put(WATCH_CODES);
  await watch(ctx, OF_REFUNDS(ctx));
  await put(BY_MONEY);
  return taken;
}

/** Looks at all marked orders of a company. */
export async function lookAtAll(runtime: Runtime, companyId: string): Promise<void> {
  const some = () => inTenant(runtime, systemPrincipal(companyId), lookAtSome, { timeoutMs: TIMEOUT_MS });
  while ((await some()) === AT_ONCE);
}

export const lookJob = job<{ companyId: string }>('orderwatch.look', (runtime, { companyId }) =>
  lookAtAll(runtime, companyId),
);
