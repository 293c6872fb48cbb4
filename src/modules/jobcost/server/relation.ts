import { type RawBuilder, sql } from 'kysely';
import { dayAfter } from '#kit/contract/day.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { Query } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { careSelect } from '#modules/analysis/server/index.ts';
import { atSites } from '#modules/listing/server/index.ts';
import { type SentPart, sentPartsSelect } from '#modules/shipping/server/index.ts';
import { type BatchSums, batchSumsSelect, sumsOfMoves } from '#modules/warehouse/server/index.ts';
import type { BatchFilter, BatchState } from '../contract/fields.ts';

/** What left for Amazon with the product that it is. */
export interface Sent extends SentPart {
  sku: string;
  name: string;
}

/** A batch as the database tells it: what left, and what the ledger says became of it. */
export interface Told extends Sent, BatchSums {
  state: BatchState;
}

/** Pieces that are gone count from their arrival on: what was lost on the way was never there to be issued. */
const STATE = sql<BatchState>`CASE WHEN b.way = 0 AND b.here = 0 THEN 'DONE'
  WHEN b.here = 0 AND b.gone = b.lost THEN 'WAITING' WHEN b.gone = b.lost THEN 'READY' ELSE 'RUNNING' END`;

/** Conditions that an index or a row of the order alone decides. */
function whereSent(ctx: Ctx, { stores, owners, shipped, keyword }: BatchFilter) {
  const all = [sql`true`];
  if (stores?.length) all.push(atSites('s', stores));
  // A day of the company begins at most a day before or after that of the database: the index takes the wider bounds.
  if (shipped?.from) {
    all.push(
      sql`s.shipped_at >= ${dayAfter(shipped.from, -1)}::timestamptz AND kit.day(s.shipped_at) >= ${shipped.from}`,
    );
  }
  if (shipped?.to) {
    all.push(sql`s.shipped_at < ${dayAfter(shipped.to, 2)}::timestamptz AND kit.day(s.shipped_at) <= ${shipped.to}`);
  }
  if (owners?.length) {
    all.push(sql`EXISTS (SELECT FROM (${careSelect(ctx)}) AS c
      WHERE c.account_id = s.account_id AND c.marketplace_id = s.marketplace_id AND c.seller_sku = s.msku
        AND c.owner_id = ANY (${owners}::uuid[]))`);
  }
  if (keyword) {
    const like = containing(keyword);
    all.push(
      sql`(s.number ILIKE ${like} OR s.shipment_nos ILIKE ${like} OR s.msku ILIKE ${like} OR p.sku ILIKE ${like})`,
    );
  }
  return sql.join(all, sql` AND `);
}

const sentOf = (ctx: Ctx, filter: BatchFilter) => sql`(${sentPartsSelect(ctx)}) AS s
  JOIN product.local_product AS p ON p.company_id = ${ctx.companyId} AND p.id = s.product_id
 WHERE ${whereSent(ctx, filter)}`;

/** SELECT of Sent: what left, as far as the ledger need not be asked for the filter. */
export const sentSelect = (ctx: Ctx, filter: BatchFilter) =>
  sql<Sent>`SELECT s.*, p.sku, p.name FROM ${sentOf(ctx, filter)}`;

/** Whether the ledger must be asked of every batch to know which are in the filter. */
export const asksLedger = ({ state, received }: BatchFilter): boolean =>
  state !== undefined || received?.from !== undefined || received?.to !== undefined;

function whereTold({ state, received }: BatchFilter) {
  const all = [sql`true`];
  if (state) all.push(sql`${STATE} = ${state}`);
  if (received?.from) all.push(sql`kit.day(b.received_at) >= ${received.from}`);
  if (received?.to) all.push(sql`kit.day(b.received_at) <= ${received.to}`);
  return sql.join(all, sql` AND `);
}

/** SELECT of Told: what the ledger says of batches, of those that the filter takes. `sent` is a SELECT of Sent; it is asked once. */
export function toldSelect(sent: RawBuilder<unknown> | Query<Sent>, filter: BatchFilter = {}) {
  return sql<Told>`
    WITH sent AS MATERIALIZED (${sent}),
    moved AS MATERIALIZED (SELECT s.id, s.posting_id, m.no AS move_no FROM sent AS s CROSS JOIN unnest(s.moves) AS m (no)),
    sums AS MATERIALIZED (
      SELECT v.id, ${sumsOfMoves}
        FROM moved AS v
        JOIN (${batchSumsSelect(sql`ARRAY(SELECT DISTINCT posting_id FROM sent)`)}) AS m
          ON m.posting_id = v.posting_id AND m.move_no = v.move_no
       GROUP BY v.id)
    SELECT s.*, b.way, b.here, b.gone, b.lost, b.received_at, b.rest, b.issued, b.variance, b.first_leg, b.late_leg, b.other,
           b.estimated, ${STATE} AS state
      FROM sent AS s JOIN sums AS b ON b.id = s.id WHERE ${whereTold(filter)}`;
}
