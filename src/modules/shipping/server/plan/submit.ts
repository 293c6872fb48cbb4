import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, refused } from '#kit/server/errors.ts';
import { nextNumber } from '#kit/server/sequence.ts';
import { MAX_LINES, MAX_PIECES, type PackType, type Transport } from '../../contract/fields.ts';
import { ShipInput } from '../../contract/order.ts';
import { saveOrder } from '../order/save.ts';
import { type Item, itemsOf, MOST } from './items.ts';
import { shipKey } from './preview.ts';

const NUMBER = 'FP{yyMMdd}{seq:4}';

interface Group {
  ids: readonly string[];
  warehouseId: string;
  transport: Transport;
  plannedOn: string | null;
  packType: PackType;
}

interface Chosen extends Item {
  packType: PackType;
}

/**
 * Items as they were chosen to go, locked.
 * @throws refused B1332 for an item twice, B1333 for too many; conflict where one was handed in or taken out in the meantime
 */
async function chosen(ctx: Ctx, groups: readonly Group[]): Promise<Chosen[]> {
  const ids = groups.flatMap((group) => group.ids);
  if (new Set(ids).size < ids.length) throw refused('同一计划项不能提交两次', 'B1332');
  if (ids.length > MOST) throw refused(`一次最多提交 ${MOST} 项，请分批提交`, 'B1333');
  const items = new Map((await itemsOf(ctx, { ids, lock: true })).map((item) => [item.id, item]));
  return groups.flatMap(({ ids: mine, warehouseId, transport, plannedOn, packType }) =>
    mine.map((id) => {
      const item = items.get(id);
      if (item?.state !== 'open') throw conflict('所选计划中有已提交或已删除的项，请刷新后重试');
      return { ...item, warehouse: warehouseId, transport, plannedOn, packType };
    }),
  );
}

/** The order of some items: pieces of the same SKU come on one line. */
function orderOf(items: readonly Chosen[], first: Chosen, batch: string): ShipInput {
  const pieces = new Map<string, number>();
  for (const { msku, qty } of items) pieces.set(msku, (pieces.get(msku) ?? 0) + qty);
  if (pieces.size > MAX_LINES) throw refused(`一张发货单最多 ${MAX_LINES} 个平台SKU，请分批提交`, 'B1333');
  const much = [...pieces].find(([, qty]) => qty > MAX_PIECES);
  if (much) throw refused(`平台SKU【${much[0]}】数量不能超过${MAX_PIECES}`, 'B1333');
  return ShipInput.parse({
    authid: first.account,
    marketplaceId: first.marketplaceId,
    warehouseId: first.warehouse,
    transport: first.transport,
    packType: first.packType,
    stockMode: 'NORMAL',
    plannedOn: items.flatMap((item) => item.plannedOn ?? []).sort()[0] ?? null,
    remark: `发货计划 ${batch}`,
    lines: [...pieces].map(([msku, qty]) => ({ msku, qty })),
  });
}

async function handedIn(ctx: Ctx, items: readonly Chosen[], batch: string, order: string): Promise<void> {
  await sql`
    UPDATE shipping.plan_item AS p
       SET state = 'submitted', batch = ${batch}, order_id = ${order}, submitted_at = kit.now(), version = p.version + 1,
           warehouse_id = r.warehouse, transport = r.transport, planned_on = r."plannedOn"
      FROM jsonb_to_recordset(${JSON.stringify(items)}::jsonb) AS r(id uuid, warehouse uuid, transport text, "plannedOn" date)
     WHERE p.company_id = ${ctx.companyId} AND p.id = r.id`.execute(ctx.db);
}

/**
 * Hands items in: a draft of a ship order for each store, site, warehouse and way, all of them or none.
 * @throws refused B1332, B1333 too much for one order, and as saveOrder(); conflict as chosen()
 */
export async function submitPlan(ctx: Ctx, groups: readonly Group[]) {
  const items = await chosen(ctx, groups);
  const batch = await nextNumber(ctx, NUMBER, ctx.clock.today());
  const orders: { id: string; number: string }[] = [];
  for (const mine of Map.groupBy(items, (item) => `${shipKey(item)} ${item.packType}`).values()) {
    const [first] = mine;
    if (!first) continue;
    const { id, number } = await saveOrder(ctx, orderOf(mine, first, batch));
    await handedIn(ctx, mine, batch, id);
    orders.push({ id, number });
  }
  await audit(ctx, {
    action: '提交发货计划',
    resource: 'shipping.plan',
    after: { batch, items: items.length, orders: orders.map((order) => order.number) },
  });
  return { batch, orders };
}
