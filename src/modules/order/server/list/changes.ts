import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { AMOUNTS, type OrderChange } from '../../contract/orders.ts';
import { ORDER_TAGS, OrderStatus, type OrderTag } from '../../contract/status.ts';
import { findOrder, findOrders, type OrderKey } from './find.ts';

const FIELDS: Record<string, string> = {
  status: '订单状态',
  quantity: '数量',
  itemAmount: '商品金额',
  discountAmount: '折扣',
  orderTotal: '订单总金额',
  buyerCancelRequested: '买家申请取消',
  latestShipAt: '最晚发货',
  latestDeliverAt: '最晚送达',
  item: '商品单号被替换',
  remark: '备注',
  tags: '标记',
};
const MONEY = ['itemAmount', 'discountAmount', 'orderTotal'];
const SHOWN = 500;

const statuses = OrderStatus.meta()?.states ?? {};
const tagName = (tag: string): string => ORDER_TAGS[tag as OrderTag] ?? tag;

/** A stored value in the words of the page. */
function shown(field: string, value: string | null): string | null {
  if (value === null) return null;
  if (field === 'status') return statuses[value]?.title ?? value;
  if (field === 'buyerCancelRequested') return value === 'true' ? '是' : '否';
  if (field === 'tags') return value.split(',').filter(Boolean).map(tagName).join('、') || null;
  return value;
}

/** What changed on an order, newest first. Amounts only for those who may see them. */
export async function changesOf(ctx: Ctx, id: string): Promise<OrderChange[]> {
  const key = await findOrder(ctx, id);
  let query = ctx.db
    .selectFrom('order.order_change')
    .select(['id', 'at', 'source', 'field', 'old', 'new', 'actor_name'])
    .where('company_id', '=', ctx.companyId)
    .where('selling_partner_id', '=', key.selling_partner_id)
    .where('amazon_order_id', '=', key.amazon_order_id)
    .orderBy('id', 'desc')
    .limit(SHOWN);
  if (!can(ctx, AMOUNTS)) query = query.where('field', 'not in', MONEY);
  const rows = await query.execute();
  return rows.map((row) => ({
    id: row.id,
    at: row.at,
    source: row.source,
    field: row.field,
    title: FIELDS[row.field] ?? row.field,
    old: shown(row.field, row.old),
    new: shown(row.field, row.new),
    actorName: row.actor_name,
  }));
}

interface Edit {
  key: OrderKey;
  field: 'remark' | 'tags';
  before: string | null;
  after: string | null;
}

/** One entry per order in its own log, and one audit row for the whole act. */
async function note(ctx: Ctx, action: string, edits: readonly Edit[]): Promise<void> {
  if (edits.length === 0) return;
  await ctx.db
    .insertInto('order.order_change')
    .values(
      edits.map(({ key, field, before, after }) => ({
        company_id: ctx.companyId,
        ...key,
        source: 'user',
        field,
        old: before,
        new: after,
        actor_id: ctx.userId,
        actor_name: ctx.userName,
      })),
    )
    .execute();
  await audit(ctx, {
    action,
    resource: 'order',
    resourceId: edits.length === 1 ? (edits[0]?.key.amazon_order_id ?? null) : null,
    before: edits.map(({ key, before }) => ({ order: key.amazon_order_id, value: before })),
    after: edits.map(({ key, after }) => ({ order: key.amazon_order_id, value: after })),
  });
}

interface Editable extends OrderKey {
  remark: string | null;
  tags: string[];
}

/** Locks orders in one order for everybody, so that two batches over the same ones wait instead of blocking each other. */
async function locked(ctx: Ctx, ids: readonly string[]): Promise<Editable[]> {
  const keys = await findOrders(ctx, ids);
  const { rows } = await sql<Editable>`
    SELECT o.selling_partner_id, o.amazon_order_id, o.remark, o.tags
      FROM "order".amazon_order o
      JOIN jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) AS k (selling_partner_id text, amazon_order_id text)
     USING (selling_partner_id, amazon_order_id)
     WHERE o.company_id = ${ctx.companyId}
     ORDER BY o.amazon_order_id, o.selling_partner_id FOR UPDATE OF o`.execute(ctx.db);
  return rows;
}

async function write(ctx: Ctx, rows: readonly Editable[]): Promise<void> {
  await sql`
    UPDATE "order".amazon_order o SET remark = k.remark, tags = k.tags
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
           AS k (selling_partner_id text, amazon_order_id text, remark text, tags text[])
     WHERE o.company_id = ${ctx.companyId} AND o.selling_partner_id = k.selling_partner_id
       AND o.amazon_order_id = k.amazon_order_id`.execute(ctx.db);
}

async function edit(
  ctx: Ctx,
  ids: readonly string[],
  field: Edit['field'],
  title: string,
  change: (row: Editable) => Editable,
): Promise<number> {
  const text = (row: Editable): string | null => (field === 'remark' ? row.remark : row.tags.join(',') || null);
  const pairs = (await locked(ctx, ids)).map((before) => ({ before, after: change(before) }));
  const changed = pairs.filter(({ before, after }) => text(before) !== text(after));
  await write(
    ctx,
    changed.map(({ after }) => after),
  );
  await note(
    ctx,
    title,
    changed.map(({ before, after }) => ({
      key: { selling_partner_id: after.selling_partner_id, amazon_order_id: after.amazon_order_id },
      field,
      before: text(before),
      after: text(after),
    })),
  );
  return changed.length;
}

/** Puts one remark on orders; an empty one removes it. Returns how many changed. */
export function remarkOrders(ctx: Ctx, ids: readonly string[], remark: string): Promise<number> {
  return edit(ctx, ids, 'remark', '订单备注', (row) => ({ ...row, remark: remark === '' ? null : remark }));
}

/** Adds and removes marks; a mark that is in both lists is removed. Returns how many orders changed. */
export function tagOrders(
  ctx: Ctx,
  ids: readonly string[],
  add: readonly OrderTag[],
  remove: readonly OrderTag[],
): Promise<number> {
  const changed = (tags: readonly string[]): string[] =>
    [...new Set([...tags, ...add])].filter((tag) => !remove.includes(tag as OrderTag)).sort();
  return edit(ctx, ids, 'tags', '订单标记', (row) => ({ ...row, tags: changed(row.tags) }));
}
