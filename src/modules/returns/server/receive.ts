import { sql } from 'kysely';
import type { z } from 'zod';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { invalid, notFound, refused } from '#kit/server/errors.ts';
import { unscoped } from '#kit/server/scope.ts';
import { nextNumber } from '#kit/server/sequence.ts';
import { type ListingPart, partsOfListings } from '#modules/product/server/index.ts';
import { type Move, mayMove, post, requireMove, reverse, warehouses } from '#modules/warehouse/server/index.ts';
import type { cancelReceipt, receiveIncoming, settleIncoming } from '../contract/receipts.ts';
import { type Incoming, incomingSelect } from './incoming.ts';

/** What stands behind the ledger's entries of a receipt. */
export const RECEIPT = 'returns.receipt';

/** Goods on their way by their key, locked: whoever else receives of them waits. @throws notFound */
async function lockIncoming(ctx: Ctx, id: string): Promise<Incoming> {
  const [kind = '', account = '', day = '', row = ''] = id.split('.');
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`returns.incoming:${ctx.companyId}:${id}`}, 0))`.execute(
    ctx.db,
  );
  const { rows } = await incomingSelect(ctx, [
    sql`f.kind = ${kind}`,
    sql`f.account_id = ${account}::uuid`,
    sql`f.day = ${day}::date`,
    sql`f.row_id = ${row}::uuid`,
  ]).execute(ctx.db);
  const [found] = rows;
  if (!found) throw notFound('退件不存在，请刷新后重试');
  return found;
}

type Grade = 'GOOD' | 'DEFECTIVE';
const WORDS = { GOOD: '良品仓库', DEFECTIVE: '次品仓库' } as const;
const FIELDS = { GOOD: 'warehouseId', DEFECTIVE: 'repairWarehouseId' } as const;

/** Warehouses that pieces of a grade can be put into by the caller; Amazon's own are none. */
async function placesOf(ctx: Ctx, grade: Grade) {
  return [...(await warehouses(ctx)).values()].filter(
    (one) =>
      one.quality === grade && !one.disabled && !['FBA', 'AWD', 'TRANSIT'].includes(one.kind) && mayMove(ctx, one.id),
  );
}

/** Where sound and broken pieces can be put by the caller. */
export async function places(ctx: Ctx) {
  const of = async (grade: Grade) => (await placesOf(ctx, grade)).map(({ id, name }) => ({ id, name }));
  return { good: await of('GOOD'), repair: await of('DEFECTIVE') };
}

/** The warehouse for pieces of a grade; null where there are none. @throws invalid by field */
async function placeFor(ctx: Ctx, grade: Grade, count: number, named: string | undefined): Promise<string | null> {
  if (count === 0) return null;
  const [field, title] = [FIELDS[grade], WORDS[grade]];
  if (named === undefined) throw invalid([{ field, title, msg: `请选择${title}` }]);
  requireMove(ctx, named);
  const all = await placesOf(ctx, grade);
  if (!all.some(({ id }) => id === named)) throw invalid([{ field, title, msg: `所选仓库不是可用的${title}` }]);
  return named;
}

/** Where the listing of goods on their way is: a buyer's return names the marketplace of its account, his order its own. */
async function siteOf(ctx: Ctx, row: Incoming): Promise<string> {
  if (row.kind === 'REMOVAL') return row.marketplace_id;
  const { rows } = await sql<{ site: string }>`
    SELECT o.marketplace_id AS site FROM "order".amazon_order AS o
     WHERE o.company_id = ${ctx.companyId} AND o.amazon_order_id = ${row.order_id} AND o.account_id = ${row.account_id}
     LIMIT 1`.execute(ctx.db);
  return rows[0]?.site ?? row.marketplace_id;
}

/** What pieces of a listing are, each with how many of it are in one, as it is matched today. @throws B2601 */
async function partsOf(ctx: Ctx, row: Incoming): Promise<ListingPart[]> {
  const { account_id: account, seller_sku: sku } = row;
  const parts = (await partsOfListings(ctx, account, await siteOf(ctx, row), [sku])).get(sku);
  if (!parts?.length) throw refused(`MSKU【${sku}】还没有配对本地产品，请先配对`, 'B2601');
  return parts;
}

/**
 * Takes in pieces of goods on their way by grade: sound ones are stock that can be sold, those to repair are defective stock, and
 * what is thrown away never becomes stock. They are worth what the last layer of the product cost a piece.
 * @throws invalid by field where more comes than was sent, B2601 where nobody knows which product it is
 */
export async function receive(ctx: Ctx, input: z.output<typeof receiveIncoming.body>) {
  const { id, good, repair, scrap, remark } = input;
  const row = await lockIncoming(ctx, id);
  const pieces = good + repair + scrap;
  const open = row.sent - row.good - row.repair - row.scrap;
  const field = good > 0 ? 'good' : repair > 0 ? 'repair' : 'scrap';
  const title = { good: '良品', repair: '待返修', scrap: '报废' }[field];
  if (pieces === 0) throw invalid([{ field: 'good', title: '良品', msg: '请填写收到的件数' }]);
  if (pieces > open) {
    throw invalid([{ field, title, msg: `最多还可收 ${open} 件` }]);
  }
  const warehouse = await placeFor(ctx, 'GOOD', good, input.warehouseId);
  const repairWarehouse = await placeFor(ctx, 'DEFECTIVE', repair, input.repairWarehouseId);
  const parts = good + repair > 0 ? await partsOf(ctx, row) : [];
  const into = (place: string | null, status: 'AVAILABLE' | 'DEFECTIVE', count: number): Move[] =>
    place === null
      ? []
      : parts.map(({ productId, qty }) => ({
          product: productId,
          qty: qty * count,
          from: 'CUSTOMER',
          to: { warehouse: place, status },
        }));
  const moves = [...into(warehouse, 'AVAILABLE', good), ...into(repairWarehouse, 'DEFECTIVE', repair)];
  const number = await nextNumber(ctx, 'TJ{yyMMdd}{seq:4}', ctx.clock.today());
  const { rows } = await sql<{ id: string }>`SELECT uuidv7() AS id`.execute(ctx.db);
  const receipt = rows[0]?.id ?? '';
  const source = { type: RECEIPT, id: receipt, event: 'receive', number };
  const posting = moves.length === 0 ? null : (await unscoped(ctx, () => post(ctx, { source, moves }))).id;
  await ctx.db
    .insertInto('returns.receipt')
    .values({
      company_id: ctx.companyId,
      id: receipt,
      number,
      kind: row.kind,
      account_id: row.account_id,
      day: row.day,
      row_id: row.row_id,
      order_id: row.order_id,
      tracking: row.tracking,
      marketplace_id: row.marketplace_id,
      seller_sku: row.seller_sku,
      good,
      repair,
      scrap,
      warehouse_id: warehouse,
      repair_warehouse_id: repairWarehouse,
      posting_id: posting,
      remark: remark ?? '',
      received_on: ctx.clock.today(),
      created_by: ctx.userId,
      created_by_name: ctx.userName,
    })
    .execute();
  await audit(ctx, {
    action: '登记退件收货',
    resource: RECEIPT,
    resourceId: receipt,
    after: { number, orderId: row.order_id, tracking: row.tracking, sku: row.seller_sku, good, repair, scrap, remark },
  });
  return { id: receipt, number };
}

/** Says that what is missing of goods on their way will not come. @throws B2602 where nothing is missing */
export async function settle(ctx: Ctx, { id, reason }: z.output<typeof settleIncoming.body>) {
  const row = await lockIncoming(ctx, id);
  const difference = row.sent - row.good - row.repair - row.scrap;
  if (difference === 0) throw refused('已全部收到，没有差异', 'B2602');
  await sql`
    INSERT INTO returns.settled AS s (company_id, account_id, kind, day, row_id, reason, by_name)
    VALUES (${ctx.companyId}, ${row.account_id}, ${row.kind}, ${row.day}, ${row.row_id}, ${reason}, ${ctx.userName})
    ON CONFLICT (company_id, account_id, kind, day, row_id) DO UPDATE
       SET reason = excluded.reason, by_name = excluded.by_name, at = kit.now()`.execute(ctx.db);
  await audit(ctx, {
    action: '标记退件差异',
    resource: RECEIPT,
    resourceId: id,
    after: { orderId: row.order_id, tracking: row.tracking, sku: row.seller_sku, difference, reason },
  });
  return { difference };
}

/** Takes a receipt back with the stock that it brought. @throws notFound, B2603 twice, B0807 where its stock was used */
export async function cancel(ctx: Ctx, { id }: z.output<typeof cancelReceipt.body>) {
  const { rows } = await sql<{
    number: string;
    posting_id: string | null;
    warehouse_id: string | null;
    repair_warehouse_id: string | null;
    cancelled: boolean;
  }>`
    SELECT number, posting_id, warehouse_id, repair_warehouse_id, cancelled_at IS NOT NULL AS cancelled FROM returns.receipt
     WHERE company_id = ${ctx.companyId} AND id = ${id} FOR UPDATE`.execute(ctx.db);
  const [receipt] = rows;
  if (!receipt) throw notFound('收货单不存在');
  const { number, posting_id: posting } = receipt;
  if (receipt.cancelled) throw refused('收货单已撤销', 'B2603');
  for (const place of [receipt.warehouse_id, receipt.repair_warehouse_id]) requireMove(ctx, place);
  if (posting !== null) await unscoped(ctx, () => reverse(ctx, posting));
  await sql`
    UPDATE returns.receipt SET cancelled_at = kit.now(), cancelled_by_name = ${ctx.userName}
     WHERE company_id = ${ctx.companyId} AND id = ${id}`.execute(ctx.db);
  await audit(ctx, { action: '撤销退件收货', resource: RECEIPT, resourceId: id, after: { number } });
  return { number };
}
