import { sql } from 'kysely';
import type { Outcome } from '#kit/contract/document-calls.ts';
import { requireUnlocked } from '#kit/server/approval.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { outcome, requireFresh } from '#kit/server/document-outcome.ts';
import { conflict, forbidden, refused } from '#kit/server/errors.ts';
import { nextNumber } from '#kit/server/sequence.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { accountOf, shipFromAddresses } from '#modules/marketplace/server/index.ts';
import { partsOfListings } from '#modules/product/server/index.ts';
import { requireMove, warehouseOf } from '#modules/warehouse/server/index.ts';
import { type ShipInput, shipOrder } from '../../contract/order.ts';

import { listingsBySku } from './listings.ts';
import { locked } from './load.ts';

/** @throws refused B1302 for a warehouse that cannot send */
export async function requirePlace(ctx: Ctx, id: string): Promise<void> {
  const place = await warehouseOf(ctx, id);
  requireMove(ctx, place.id);
  if (place.disabled) throw refused(`仓库【${place.name}】已停用`, 'B1302');
  if (place.quality !== 'GOOD') throw refused('发货仓须为正品仓', 'B1302');
  if (place.kind === 'FBA' || place.kind === 'AWD')
    throw refused(`【${place.name}】的库存由平台管理，不能作为发货仓`, 'B1302');
}

/** The store of the account. @throws refused B1301 for a store or site that is not the caller's */
async function requireSite(ctx: Ctx, input: ShipInput): Promise<string> {
  const account = await accountOf(ctx.db, ctx.companyId, input.authid);
  if (!account) throw refused('店铺不存在或已取消授权', 'B1301');
  const reach = ctx.dataScope?.write.account;
  if (ctx.dataScope && reach !== null && !reach?.includes(input.authid)) throw forbidden('data');
  if (!account.marketplaceIds.includes(input.marketplaceId)) {
    throw refused(`店铺没有启用【${countryOf(input.marketplaceId)}】站点`, 'B1301');
  }
  return account.storeId;
}

/** @throws refused B1301 for an address of another store */
async function requireAddress(ctx: Ctx, store: string, id: string | null): Promise<void> {
  if (id === null) return;
  const known = await shipFromAddresses(ctx);
  if (!known.some((one) => one.id === id && one.storeId === store)) throw refused('发货地址不存在或已停用', 'B1301');
}

interface Goods {
  listings: Awaited<ReturnType<typeof listingsBySku>>;
  parts: Awaited<ReturnType<typeof partsOfListings>>;
}

/** @throws refused B1303 a SKU twice, B1304 no such listing, B1305 one that is matched with no product */
async function goodsOf(ctx: Ctx, input: ShipInput): Promise<Goods> {
  const mskus = input.lines.map((line) => line.msku);
  const seen = new Set<string>();
  for (const [index, msku] of mskus.entries()) {
    if (seen.has(msku)) throw refused(`第 ${index + 1} 行：不能重复添加平台SKU【${msku}】`, 'B1303');
    seen.add(msku);
  }
  const listings = await listingsBySku(ctx, input.authid, input.marketplaceId, mskus);
  const parts = await partsOfListings(ctx, input.authid, input.marketplaceId, mskus);
  for (const [index, msku] of mskus.entries()) {
    if (!listings.has(msku)) throw refused(`第 ${index + 1} 行：站点没有平台SKU【${msku}】`, 'B1304');
    if (!parts.has(msku)) throw refused(`第 ${index + 1} 行：平台SKU【${msku}】未关联本地产品`, 'B1305');
  }
  for (const [index, line] of input.lines.entries()) {
    if (input.packType === 'CASE' && (line.boxQty === null || line.qty % line.boxQty !== 0)) {
      const why = line.boxQty === null ? '请填写每箱数' : `数量 ${line.qty} 不是每箱数 ${line.boxQty} 的整数倍`;
      throw refused(`第 ${index + 1} 行：原箱发货${why}`, 'B1306');
    }
  }
  return { listings, parts };
}

const headOf = (ctx: Ctx, input: ShipInput) => ({
  account_id: input.authid,
  marketplace_id: input.marketplaceId,
  warehouse_id: input.warehouseId,
  address_id: input.addressId,
  pack_type: input.packType,
  transport: input.transport,
  stock_mode: input.stockMode,
  planned_on: input.plannedOn,
  shipment_no: input.shipmentNo.toUpperCase(),
  remark: input.remark,
  updated_by_name: ctx.userName,
});

async function putLines(ctx: Ctx, orderId: string, input: ShipInput, { listings, parts }: Goods): Promise<void> {
  await sql`DELETE FROM shipping.ship_order_line WHERE company_id = ${ctx.companyId} AND order_id = ${orderId}`.execute(
    ctx.db,
  );
  const rows = input.lines.map((line, index) => {
    const { fnsku = null, asin = null, name = '', image = null } = listings.get(line.msku) ?? {};
    return { n: index + 1, fnsku, asin, title: name, image, ...line };
  });
  const made = await sql<{ id: string; msku: string }>`
    INSERT INTO shipping.ship_order_line (company_id, order_id, line_no, msku, fnsku, asin, title, image, qty, box_qty,
      label_owner, prep_owner, expires_on)
    SELECT ${ctx.companyId}, ${orderId}, r.n, r.msku, r.fnsku, r.asin, r.title, r.image, r.qty, r."boxQty",
           r."labelOwner", r."prepOwner", r."expiresOn"
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r(n int, msku text, fnsku text, asin text, title text,
        image text, qty int, "boxQty" int, "labelOwner" text, "prepOwner" text, "expiresOn" date)
    RETURNING id, msku`.execute(ctx.db);
  const list = made.rows.flatMap(({ id, msku }) =>
    (parts.get(msku) ?? []).map(({ productId, qty }) => ({ line: id, product: productId, qty })),
  );
  await sql`
    INSERT INTO shipping.ship_order_part (company_id, order_id, line_id, product_id, qty_per)
    SELECT ${ctx.companyId}, ${orderId}, r.line, r.product, r.qty
      FROM jsonb_to_recordset(${JSON.stringify(list)}::jsonb) AS r(line uuid, product uuid, qty int)`.execute(ctx.db);
}

async function created(ctx: Ctx, input: ShipInput) {
  const number = await nextNumber(ctx, shipOrder.number, ctx.clock.today());
  const { id } = await ctx.db
    .insertInto('shipping.ship_order')
    .values({
      company_id: ctx.companyId,
      number,
      state: shipOrder.initial,
      created_by: ctx.userId,
      created_by_name: ctx.userName,
      ...headOf(ctx, input),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await note(ctx, shipOrder.name, id, { kind: 'note', title: '创建', to: shipOrder.initial });
  return { id, number, state: shipOrder.initial as string, version: 0 };
}

async function rewritten(ctx: Ctx, id: string, input: ShipInput) {
  const order = await locked(ctx, id);
  requireMove(ctx, order.warehouse);
  if (order.state !== 'draft' && order.state !== 'rejected') {
    await requireUnlocked(ctx, shipOrder, order.id);
    const title = shipOrder.states[order.state as 'draft']?.title ?? order.state;
    throw conflict(`单据状态为【${title}】，不能执行【修改】`);
  }
  requireFresh(order, input.version);
  await ctx.db
    .updateTable('shipping.ship_order')
    .set({ ...headOf(ctx, input), version: order.version + 1, updated_at: sql<string>`kit.now()` })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .execute();
  await note(ctx, shipOrder.name, id, { kind: 'note', title: '修改' });
  return { id, number: order.number, state: order.state, version: order.version + 1 };
}

/**
 * Writes a new order, or changes one that was not handed in; all of its lines are replaced. What its listings are made of is
 * looked up now and stays so.
 * @throws refused B1301 store, site or address, B1302 warehouse, B1303 a SKU twice, B1304 unknown SKU, B1305 no local product,
 *   B1306 boxes as they came that do not come out even; conflict for a stale version or an order that is handed in
 */
export async function saveOrder(ctx: Ctx, input: ShipInput): Promise<Outcome> {
  const store = await requireSite(ctx, input);
  await requirePlace(ctx, input.warehouseId);
  await requireAddress(ctx, store, input.addressId);
  const goods = await goodsOf(ctx, input);
  const order = input.id === undefined ? await created(ctx, input) : await rewritten(ctx, input.id, input);
  await putLines(ctx, order.id, input, goods);
  const qty = input.lines.reduce((total, line) => total + line.qty, 0);
  await audit(ctx, {
    action: input.id === undefined ? '发货单·新建' : '发货单·修改',
    resource: shipOrder.name,
    resourceId: order.id,
    after: { number: order.number, ...headOf(ctx, input), skus: input.lines.length, qty },
  });
  return outcome(order, `发货单${order.number}已保存`);
}
