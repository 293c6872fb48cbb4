import { sql } from 'kysely';
import type { z } from 'zod';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, notFound } from '#kit/server/errors.ts';
import { removalOrdersSelect } from '#modules/inventory/server/index.ts';
import { planFeed } from '#modules/marketplace/server/index.ts';
import type { RemovalLine, resubmitRemoval } from '../../contract/removals.ts';
import { checkStock, lockStock } from './stock.ts';

export const REMOVAL = 'returns.removal';
export const FEED_TYPE = 'POST_FLAT_FILE_FBA_CREATE_REMOVAL';

interface Request {
  id: string;
  number: string;
  accountId: string;
  marketplaceId: string;
}

/** Hands a request to the feed engine, which makes the call once and asks Amazon's list where an answer is lost. */
export async function send(ctx: Ctx, { id, number, accountId, marketplaceId }: Request): Promise<void> {
  const { feedId } = await planFeed(ctx, {
    accountId,
    marketplaceId,
    feedType: FEED_TYPE,
    origin: REMOVAL,
    title: '移除订单',
    messages: [{ sku: number, body: { removalId: id }, before: '', after: number }],
    urgent: true,
    alone: true,
  });
  await ctx.db
    .updateTable('returns.removal')
    .set({ feed_id: feedId, state: 'submitting', problem: '' })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .execute();
}

/** Whether the report of removal orders knows the number of a request `r`. */
export const toldOf = (ctx: Ctx) => sql<boolean>`EXISTS (
  SELECT FROM (${removalOrdersSelect()}) AS o
   WHERE o.company_id = ${ctx.companyId} AND o.order_id = r.number AND o.account_id = r.account_id)`;

/** The goods of a request in their order. */
export async function linesOf(ctx: Ctx, id: string): Promise<RemovalLine[]> {
  return ctx.db
    .selectFrom('returns.removal_line')
    .select(['seller_sku as sku', 'sellable', 'unsellable'])
    .where('company_id', '=', ctx.companyId)
    .where('removal_id', '=', id)
    .orderBy('line_no')
    .execute();
}

/**
 * Sends a request once more under its number. One that the report knows by now is taken; one without an answer is not held
 * against the stock, which may be without its pieces already: Amazon refuses a number that it knows.
 * @throws notFound, 409 where it is under way or taken, 400 where the pieces are not there any more
 */
export async function resubmit(ctx: Ctx, { id }: z.output<typeof resubmitRemoval.body>): Promise<{ sent: boolean }> {
  const { rows } = await sql<Request & { state: string; told: boolean }>`
    SELECT r.id, r.number, r.account_id AS "accountId", r.marketplace_id AS "marketplaceId", r.state, ${toldOf(ctx)} AS told
      FROM returns.removal AS r WHERE r.company_id = ${ctx.companyId} AND r.id = ${id} FOR UPDATE OF r`.execute(ctx.db);
  const [row] = rows;
  if (!row) throw notFound('移除申请不存在');
  if (row.state !== 'rejected' && row.state !== 'unknown') throw conflict('移除申请正在提交或已受理');
  await audit(ctx, { action: '重新提交移除', resource: REMOVAL, resourceId: id, after: { number: row.number } });
  if (row.told) {
    await ctx.db
      .updateTable('returns.removal')
      .set({ state: 'accepted', problem: '' })
      .where('company_id', '=', ctx.companyId)
      .where('id', '=', id)
      .execute();
    return { sent: false };
  }
  if (row.state === 'rejected') {
    await lockStock(ctx, row);
    await checkStock(ctx, row, await linesOf(ctx, id), id);
  }
  await send(ctx, row);
  return { sent: true };
}
