import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import type { McfState } from '../../contract/states.ts';

/** The row of an order, locked until the transaction ends. @throws 404 */
export async function lockMcf(ctx: Ctx, id: string) {
  const row = await ctx.db
    .selectFrom('fulfillment.mcf_order')
    .selectAll()
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw notFound('多渠道订单不存在');
  return { ...row, state: row.state as McfState };
}
export type McfRecord = Awaited<ReturnType<typeof lockMcf>>;

/** The row of a number at an account, locked; undefined where there is none. */
export async function lockByNumber(ctx: Ctx, accountId: string, number: string) {
  return ctx.db
    .selectFrom('fulfillment.mcf_order')
    .selectAll()
    .where('company_id', '=', ctx.companyId)
    .where('account_id', '=', accountId)
    .where('number', '=', number)
    .forUpdate()
    .executeTakeFirst();
}

/** Changes what stands of an order. */
export async function put(
  ctx: Ctx,
  id: string,
  change: { state?: McfState; problem?: string | null; cancelling?: boolean },
): Promise<void> {
  await ctx.db
    .updateTable('fulfillment.mcf_order')
    .set(change)
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .execute();
}

/** The lines of an order as they are sent. */
export async function linesOf(ctx: Ctx, id: string) {
  return ctx.db
    .selectFrom('fulfillment.mcf_line')
    .select(['item_id as itemId', 'seller_sku as sku', 'quantity'])
    .where('company_id', '=', ctx.companyId)
    .where('mcf_id', '=', id)
    .orderBy('line_no')
    .execute();
}
