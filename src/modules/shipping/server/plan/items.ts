import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, notFound } from '#kit/server/errors.ts';
import type { Transport } from '../../contract/fields.ts';

/** A planned item as its rules see it. */
export interface Item {
  id: string;
  account: string;
  marketplaceId: string;
  msku: string;
  warehouse: string;
  transport: Transport;
  qty: number;
  suggestedQty: number | null;
  plannedOn: string | null;
  remark: string;
  state: 'open' | 'submitted';
  version: number;
}

/** Items that are worked on at once. */
export const MOST = 2000;

interface Asked {
  /** These alone, or all that are open. */
  ids?: readonly string[] | undefined;
  /** Until the transaction ends. */
  lock?: boolean;
}

/** Items by the order of their making. With `ids` also those that were handed in; else what is open, 2000 at most. */
export async function itemsOf(ctx: Ctx, { ids, lock = false }: Asked): Promise<Item[]> {
  const { rows } = await sql<Item>`
    SELECT id, account_id AS account, marketplace_id AS "marketplaceId", msku, warehouse_id AS warehouse, transport, qty,
           suggested_qty AS "suggestedQty", planned_on AS "plannedOn", remark, state, version
      FROM shipping.plan_item
     WHERE company_id = ${ctx.companyId} AND ${ids ? sql`id = ANY (${[...ids]}::uuid[])` : sql`state = 'open'`}
     ORDER BY id LIMIT ${MOST} ${sql.raw(lock ? 'FOR UPDATE' : '')}`.execute(ctx.db);
  return rows;
}

/** An item that is still open, locked. @throws notFound, conflict for a stale version or one that was handed in */
export async function openItem(ctx: Ctx, id: string, version: number | undefined): Promise<Item> {
  const [item] = await itemsOf(ctx, { ids: [id], lock: true });
  if (!item) throw notFound('计划项不存在或已删除');
  if (item.state !== 'open') throw conflict('计划已提交，不能修改');
  if (version !== undefined && version !== item.version) throw conflict('计划已被他人修改，请刷新后重试');
  return item;
}

export interface NewItem extends Pick<Item, 'account' | 'marketplaceId' | 'msku' | 'warehouse' | 'transport' | 'qty'> {
  suggestedQty: number | null;
  plannedOn: string | null;
  remark: string;
}

type Key = Pick<Item, 'account' | 'marketplaceId' | 'msku' | 'warehouse' | 'transport'>;

const keyOf = ({ account, marketplaceId, msku, warehouse, transport }: Key) =>
  `${account} ${marketplaceId} ${warehouse} ${transport} ${msku}`;

/**
 * Writes items. One that is open for the same listing, warehouse and way gets the pieces on top (`add`), or these pieces
 * instead (`replace`). Answers their ids in the same order.
 */
export async function putItems(ctx: Ctx, items: readonly NewItem[], onOpen: 'add' | 'replace'): Promise<string[]> {
  const qty = sql.raw(onOpen === 'add' ? 'p.qty + excluded.qty' : 'excluded.qty');
  const { rows } = await sql<{ id: string } & Key>`
    INSERT INTO shipping.plan_item AS p (company_id, account_id, marketplace_id, msku, warehouse_id, transport, qty,
      suggested_qty, planned_on, remark, created_by_name)
    SELECT ${ctx.companyId}, r.account, r."marketplaceId", r.msku, r.warehouse, r.transport, r.qty, r."suggestedQty",
           r."plannedOn", r.remark, ${ctx.userName}
      FROM jsonb_to_recordset(${JSON.stringify(items)}::jsonb) AS r(account uuid, "marketplaceId" text, msku text,
        warehouse uuid, transport text, qty int, "suggestedQty" int, "plannedOn" date, remark text)
     ORDER BY 2, 3, 4, 5, 6
    ON CONFLICT (company_id, account_id, marketplace_id, msku, transport, warehouse_id) WHERE state = 'open' DO UPDATE
       SET qty = ${qty}, suggested_qty = coalesce(excluded.suggested_qty, p.suggested_qty),
           planned_on = coalesce(excluded.planned_on, p.planned_on),
           remark = CASE WHEN excluded.remark = '' THEN p.remark ELSE excluded.remark END, version = p.version + 1
    RETURNING id, account_id AS account, marketplace_id AS "marketplaceId", msku, warehouse_id AS warehouse, transport`.execute(
    ctx.db,
  );
  const ids = new Map(rows.map((row) => [keyOf(row), row.id]));
  return items.flatMap((item) => ids.get(keyOf(item)) ?? []);
}
