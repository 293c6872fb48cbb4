import { type Ctx, can } from '#kit/server/context.ts';
import type { Posted, Posting } from './types.ts';
import { callLedger, operatorOf, wireMoves } from './wire.ts';

/** How many days back the caller may date a posting. */
async function backdateDays(ctx: Ctx): Promise<number> {
  if (!can(ctx, 'erp:inv:backdate')) return 0;
  const row = await ctx.db
    .selectFrom('warehouse.setting')
    .select('backdate_days')
    .where('company_id', '=', ctx.companyId)
    .executeTakeFirst();
  return row?.backdate_days ?? 3;
}

/**
 * Posts one event of a document: the only way in which stock moves. All moves happen or none, in the caller's
 * transaction; a second call with the same source changes nothing and answers with the first posting. The posting is
 * made for the whole company: whether the caller may touch these warehouses is checked with the document.
 *
 * Moves of one posting see the stock as it was before all of them: what one brings, another cannot take.
 * @throws refused B0801 not enough stock, B0802 a place that cannot hold it, B0803 frozen by a count, B0804 reservation,
 * B0805 day or period, B0806 a past day would be short, B0809 to B0811 bad input
 */
export async function post(ctx: Ctx, { source, moves, day, note }: Posting): Promise<Posted> {
  return callLedger(ctx, 'post', {
    type: source.type,
    id: source.id,
    event: source.event,
    seq: source.seq ?? 0,
    number: source.number,
    date: day ?? null,
    backdate: day === undefined ? 0 : await backdateDays(ctx),
    ...operatorOf(ctx, note),
    moves: wireMoves(ctx.companyId, moves),
  });
}

/**
 * Takes a posting back: the opposite movements dated today, and every layer as it was, to the last unit. A second call
 * answers with the first reversal. @throws refused B0807 with the documents that have used what it brought
 */
export function reverse(ctx: Ctx, postingId: string, note?: string): Promise<Posted> {
  return callLedger(ctx, 'reverse', { posting: postingId, ...operatorOf(ctx, note) });
}
