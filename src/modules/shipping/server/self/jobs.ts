import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { type Handler, on } from '#kit/server/events.ts';
import { type CronItem, type JobDef, job } from '#kit/server/jobs/define.ts';
import { enqueue } from '#kit/server/jobs/enqueue.ts';
import { inSystem, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { ordersTouched, packageState, packagesMoved } from '#modules/order/server/index.ts';
import { inPosting } from '#modules/warehouse/server/index.ts';
import { act } from './act.ts';
import { FOLLOWED, follow } from './follow.ts';
import { labelHandlers } from './label/settle.ts';
import { tellDue } from './tell.ts';

interface Payload {
  companyId: string;
  accountId: string;
}

/** Looking after documents is work of its own: what stands in its way must not keep orders from being read. */
function later(ctx: Ctx, accountId: string): Promise<void> {
  const payload: Payload = { companyId: ctx.companyId, accountId };
  return enqueue(ctx, 'shipping.selfFollow', payload, { key: `selfFollow:${accountId}`, priority: 5 });
}

/** Accounts with documents that wait for their orders. */
async function waitingAccounts(ctx: Ctx): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT DISTINCT t.account_id AS id FROM pg_temp.touched_orders t
     WHERE EXISTS (SELECT FROM shipping.self_order s
                    WHERE s.company_id = ${ctx.companyId} AND s.account_id = t.account_id AND NOT s.over)`.execute(
    ctx.db,
  );
  return rows.map(({ id }) => id);
}

export const selfHandlers: Handler[] = [
  ...labelHandlers,
  on(packagesMoved, (ctx, { accountId }) => later(ctx, accountId)),
  on(ordersTouched, async (ctx) => {
    for (const accountId of await waitingAccounts(ctx)) await later(ctx, accountId);
  }),
];

/** 缺货, whoever is to be sent first comes first. */
async function shortOnes(ctx: Ctx): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM shipping.self_doc WHERE company_id = ${ctx.companyId} AND state = 'short'
     ORDER BY latest_ship_at NULLS LAST, id`.execute(ctx.db);
  return rows.map(({ id }) => id);
}

const REPORTED = packageState(sql.ref('s.company_id'), sql.ref('s.write_id'));

/**
 * Documents of an account of which something may have become: an order that the platform shows as sent, in part or whole, or
 * as called off, or a package that is no longer under way. Of the others of a large seller none is opened.
 */
async function movedOnes(ctx: Ctx, accountId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT d.id FROM shipping.self_doc AS d
     WHERE d.company_id = ${ctx.companyId} AND d.account_id = ${accountId} AND d.state = ANY (${[...FOLLOWED]}::text[])
       AND EXISTS (SELECT FROM shipping.self_order AS s
             JOIN "order".amazon_order AS o ON o.company_id = s.company_id AND o.selling_partner_id = s.selling_partner_id
              AND o.amazon_order_id = s.amazon_order_id
            WHERE s.company_id = d.company_id AND s.doc_id = d.id
              AND (o.status IN ('PARTIALLY_SHIPPED', 'SHIPPED', 'CANCELLED', 'UNFULFILLABLE')
                OR ${REPORTED} NOT IN ('queued', 'accepted')))
     ORDER BY d.id`.execute(ctx.db);
  return rows.map(({ id }) => id);
}

/** Each document by itself: one that cannot be worked at does not keep the others. */
async function each(
  runtime: Runtime,
  companyId: string,
  ids: readonly string[],
  work: (ctx: Ctx, id: string) => Promise<unknown>,
) {
  for (const id of ids) {
    try {
      await inPosting(runtime, systemPrincipal(companyId, '系统'), (ctx) => work(ctx, id));
    } catch (error) {
      runtime.log.warn({ err: error, docId: id }, 'a self-shipping document was left as it is');
    }
  }
}

/** One company: what was 缺货 is tried again, and what must leave soon is told. */
async function round(runtime: Runtime, companyId: string): Promise<void> {
  const ids = await inPosting(runtime, systemPrincipal(companyId), shortOnes);
  await each(runtime, companyId, ids, (ctx, id) => act(ctx, 'approve', { id }));
  await inPosting(runtime, systemPrincipal(companyId), tellDue);
}

export const selfJobs: JobDef[] = [
  job<Payload>('shipping.selfFollow', async (runtime, { companyId, accountId }) => {
    const ids = await inPosting(runtime, systemPrincipal(companyId), (ctx) => movedOnes(ctx, accountId));
    await each(runtime, companyId, ids, follow);
  }),
  job<object>('shipping.selfRound', async (runtime) => {
    const { rows } = await inSystem(runtime, (db) =>
      sql<{ id: string }>`SELECT company_id AS id FROM identity.company`.execute(db),
    );
    for (const { id } of rows) {
      try {
        await round(runtime, id);
      } catch (error) {
        runtime.log.error({ err: error, companyId: id }, 'a round of self-shipping documents failed');
      }
    }
  }),
];

export const SELF_CRON: CronItem = { pattern: '*/10 * * * *', job: 'shipping.selfRound' };
