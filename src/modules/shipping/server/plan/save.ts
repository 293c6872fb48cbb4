import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, forbidden, notFound, refused } from '#kit/server/errors.ts';
import { accountOf } from '#modules/marketplace/server/index.ts';
import { requireMove } from '#modules/warehouse/server/index.ts';
import type { PlanInput } from '../../contract/plan.ts';
import { requirePlace } from '../order/save.ts';
import { itemsOf, type NewItem, openItem, putItems } from './items.ts';

type Place = Pick<NewItem, 'account' | 'marketplaceId' | 'msku' | 'warehouse'>;

/** @throws refused B1301 for a store that is not there any more; forbidden for one out of the caller's data rights */
async function requireAccount(ctx: Ctx, id: string): Promise<void> {
  if (!(await accountOf(ctx.db, ctx.companyId, id))) throw refused('店铺不存在或已取消授权', 'B1301');
  const reach = ctx.dataScope?.write.account;
  if (ctx.dataScope && reach !== null && !reach?.includes(id)) throw forbidden('data');
}

type Offer = Pick<NewItem, 'account' | 'marketplaceId' | 'msku'>;

/** Those of some listings that their site does not offer through Amazon. */
export async function unplannable(ctx: Ctx, items: readonly Offer[]): Promise<Offer[]> {
  const { rows } = await sql<Offer>`
    SELECT a.account, a.site AS "marketplaceId", a.msku
      FROM unnest(${items.map((item) => item.account)}::uuid[], ${items.map((item) => item.marketplaceId)}::text[],
        ${items.map((item) => item.msku)}::text[]) AS a (account, site, msku)
     WHERE NOT EXISTS (
       SELECT FROM listing.product AS l
        WHERE l.company_id = ${ctx.companyId} AND l.account_id = a.account AND l.marketplace_id = a.site
          AND l.seller_sku = a.msku AND l.fulfilled_by = 'AMAZON' AND l.state <> 'GONE')`.execute(ctx.db);
  return rows;
}

/**
 * What may be planned: listings that Amazon ships, from warehouses that can send.
 * @throws refused B1301 store, B1302 warehouse, B1304 a SKU that the site does not offer through Amazon
 */
export async function requirePlannable(ctx: Ctx, items: readonly Place[]): Promise<void> {
  for (const id of new Set(items.map((item) => item.account))) await requireAccount(ctx, id);
  for (const id of new Set(items.map((item) => item.warehouse))) await requirePlace(ctx, id);
  const [first] = await unplannable(ctx, items);
  if (first) throw refused(`站点没有由亚马逊配送的平台SKU【${first.msku}】`, 'B1304');
}

const newItem = (input: PlanInput): NewItem => ({
  account: input.authid,
  marketplaceId: input.marketplaceId,
  msku: input.msku,
  warehouse: input.warehouseId,
  transport: input.transport,
  qty: input.qty,
  suggestedQty: input.suggestedQty,
  plannedOn: input.plannedOn,
  remark: input.remark,
});

/** Changes an item; its listing stays. @throws conflict where the same is planned for that warehouse and way already */
async function changed(ctx: Ctx, id: string, input: PlanInput): Promise<void> {
  const before = await openItem(ctx, id, input.version);
  requireMove(ctx, before.warehouse);
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM shipping.plan_item
     WHERE company_id = ${ctx.companyId} AND state = 'open' AND id <> ${id} AND account_id = ${before.account}
       AND marketplace_id = ${before.marketplaceId} AND msku = ${before.msku} AND warehouse_id = ${input.warehouseId}
       AND transport = ${input.transport}`.execute(ctx.db);
  if (rows.length > 0) throw conflict('该发货仓和运输方式已有同一平台SKU的计划，请修改那一项');
  await sql`
    UPDATE shipping.plan_item SET warehouse_id = ${input.warehouseId}, transport = ${input.transport}, qty = ${input.qty},
           planned_on = ${input.plannedOn}, remark = ${input.remark}, version = version + 1,
           suggested_qty = coalesce(${input.suggestedQty}::int, suggested_qty)
     WHERE company_id = ${ctx.companyId} AND id = ${id}`.execute(ctx.db);
}

/**
 * Writes what is planned. Without an id a listing's item for that warehouse and way is made, or gets these pieces.
 * @throws refused as requirePlannable(), B1303 for the same listing, warehouse and way twice; conflict as openItem()
 */
export async function savePlan(ctx: Ctx, items: readonly PlanInput[]): Promise<{ ids: string[] }> {
  const seen = new Set<string>();
  for (const one of items) {
    const key = `${one.authid} ${one.marketplaceId} ${one.warehouseId} ${one.transport} ${one.msku}`;
    if (seen.has(key)) throw refused(`平台SKU【${one.msku}】的发货仓和运输方式重复`, 'B1303');
    seen.add(key);
  }
  await requirePlannable(ctx, items.map(newItem));
  const ids: string[] = [];
  for (const one of items) {
    if (one.id === undefined) continue;
    await changed(ctx, one.id, one);
    ids.push(one.id);
  }
  const fresh = items.filter((one) => one.id === undefined).map(newItem);
  if (fresh.length > 0) ids.push(...(await putItems(ctx, fresh, 'replace')));
  await audit(ctx, { action: '保存FBA发货规划', resource: 'shipping.plan', after: { items } });
  return { ids };
}

/** Takes items out of the plan, or all that are open; what was handed in stays. @throws notFound where none is open */
export async function clearPlan(ctx: Ctx, ids: readonly string[] | undefined): Promise<{ removed: number }> {
  const open = (await itemsOf(ctx, { ids, lock: true })).filter((item) => item.state === 'open');
  if (open.length === 0) throw notFound('没有待提交的计划');
  for (const place of new Set(open.map((item) => item.warehouse))) requireMove(ctx, place);
  const gone = open.map((item) => item.id);
  await sql`DELETE FROM shipping.plan_item WHERE company_id = ${ctx.companyId} AND id = ANY (${gone}::uuid[])`.execute(
    ctx.db,
  );
  await audit(ctx, {
    action: '清空FBA发货规划',
    resource: 'shipping.plan',
    before: { items: open.map(({ msku, marketplaceId, transport, qty }) => ({ msku, marketplaceId, transport, qty })) },
  });
  return { removed: open.length };
}
