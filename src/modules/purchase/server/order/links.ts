import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { unscoped } from '#kit/server/scope.ts';
import type { LinkKind, OrderLink } from '../../contract/parts.ts';

interface Numbered {
  id: string;
  number: string;
}

const OTHER_WAY: Record<LinkKind, LinkKind> = {
  SPLIT_FROM: 'SPLIT_INTO',
  SPLIT_INTO: 'SPLIT_FROM',
  MERGED_FROM: 'MERGED_INTO',
  MERGED_INTO: 'MERGED_FROM',
};

/** Says of two orders what the second is to the first, so that both show it. */
export async function link(ctx: Ctx, order: Numbered, kind: LinkKind, other: Numbered): Promise<void> {
  const row = (mine: Numbered, as: LinkKind, theirs: Numbered) => ({
    company_id: ctx.companyId,
    order_id: mine.id,
    kind: as,
    other_id: theirs.id,
    other_number: theirs.number,
    by_name: ctx.userName,
  });
  await unscoped(ctx, () =>
    ctx.db
      .insertInto('purchase.order_link')
      .values([row(order, kind, other), row(other, OTHER_WAY[kind], order)])
      .execute(),
  );
}

/** Orders that an order was split or merged with, the oldest tie first; one out of the caller's reach has no stage. */
export async function linksOf(ctx: Ctx, orderId: string): Promise<OrderLink[]> {
  const { rows } = await sql<OrderLink>`
    SELECT k.other_id AS id, k.kind, k.other_number AS number, o.stage
      FROM purchase.order_link AS k
      LEFT JOIN purchase.purchase_order AS o ON o.company_id = k.company_id AND o.id = k.other_id
     WHERE k.company_id = ${ctx.companyId} AND k.order_id = ${orderId} ORDER BY k.id`.execute(ctx.db);
  return rows;
}

/** Whether an order was split or merged: no flow has approved it as it is. */
export async function isLinked(ctx: Ctx, orderId: string): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('purchase.order_link')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('order_id', '=', orderId)
    .executeTakeFirst();
  return row !== undefined;
}
