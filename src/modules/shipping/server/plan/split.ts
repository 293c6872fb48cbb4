import { sql } from 'kysely';
import type { Reply } from '#kit/contract/endpoint.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { stockOf, storeNames } from '#modules/marketplace/server/index.ts';
import { requireMove } from '#modules/warehouse/server/index.ts';
import type { Transport } from '../../contract/fields.ts';
import type { planItem } from '../../contract/plan-submit.ts';
import { itemsOf, openItem, putItems } from './items.ts';
import { requirePlannable } from './save.ts';

interface Part {
  marketplaceId: string;
  warehouseId: string;
  transport: Transport;
  qty: number;
}

/** @throws refused B1331 the same site, warehouse and way twice, B1330 parts that do not add up */
function requireSum(parts: readonly Part[], total: number): void {
  const keys = new Set(parts.map((part) => `${part.marketplaceId} ${part.warehouseId} ${part.transport}`));
  if (keys.size < parts.length) throw refused('拆分明细的站点、发货仓和运输方式重复', 'B1331');
  const sum = parts.reduce((all, part) => all + part.qty, 0);
  if (sum !== total) throw refused(`拆分数量合计 ${sum}，须等于计划数量 ${total}`, 'B1330');
}

/**
 * Divides an open item. Its parts add up to it; one for which the same is planned already is added there.
 * @throws refused B1330, B1331, as requirePlannable(); conflict as openItem()
 */
export async function splitPlan(
  ctx: Ctx,
  { id, version, parts }: { id: string; version?: number | undefined; parts: readonly Part[] },
): Promise<{ ids: string[] }> {
  const item = await openItem(ctx, id, version);
  requireMove(ctx, item.warehouse);
  requireSum(parts, item.qty);
  const made = parts.map(({ marketplaceId, warehouseId, transport, qty }) => ({
    ...item,
    marketplaceId,
    warehouse: warehouseId,
    transport,
    qty,
    suggestedQty: marketplaceId === item.marketplaceId ? item.suggestedQty : null,
  }));
  await requirePlannable(ctx, made);
  await sql`DELETE FROM shipping.plan_item WHERE company_id = ${ctx.companyId} AND id = ${id}`.execute(ctx.db);
  const ids = await putItems(ctx, made, 'add');
  await audit(ctx, {
    action: '拆分发货计划',
    resource: 'shipping.plan',
    resourceId: id,
    before: { msku: item.msku, qty: item.qty },
    after: { parts },
  });
  return { ids };
}

interface Offer {
  marketplaceId: string;
  name: string;
  image: string | null;
}

/** An open item and where it could go instead. @throws notFound */
export async function itemDetail(ctx: Ctx, id: string): Promise<Reply<typeof planItem>> {
  const [item] = await itemsOf(ctx, { ids: [id] });
  if (item?.state !== 'open') throw notFound('计划项不存在或已提交');
  const { rows } = await sql<Offer>`
    SELECT marketplace_id AS "marketplaceId", name, image FROM listing.product
     WHERE company_id = ${ctx.companyId} AND account_id = ${item.account} AND seller_sku = ${item.msku}
       AND fulfilled_by = 'AMAZON' AND state <> 'GONE' ORDER BY 1`.execute(ctx.db);
  const own = rows.find((row) => row.marketplaceId === item.marketplaceId);
  const stock = stockOf(item.marketplaceId);
  return {
    id,
    version: item.version,
    product: { name: own?.name ?? item.msku, code: item.msku, image: own?.image ?? null },
    store: { name: (await storeNames(ctx)).get(item.account) ?? '—', country: countryOf(item.marketplaceId) },
    marketplaceId: item.marketplaceId,
    warehouseId: item.warehouse,
    transport: item.transport,
    qty: item.qty,
    sites: rows.map(({ marketplaceId }) => ({
      marketplaceId,
      country: countryOf(marketplaceId),
      shared: stockOf(marketplaceId) === stock,
    })),
  };
}
