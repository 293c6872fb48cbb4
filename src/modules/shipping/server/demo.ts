import { sql } from 'kysely';
import type { Box } from '#kit/contract/box.ts';
import type { Ctx } from '#kit/server/context.ts';
import { accountOf, insertAddress, shipFromOf, storeNames } from '#modules/marketplace/server/index.ts';
import { availableOf, warehouses } from '#modules/warehouse/server/index.ts';
import { ShipInput } from '../contract/order.ts';
import type { ShipStep } from '../contract/order-calls.ts';
import { demoTemplates } from './box/demo.ts';
import { act } from './order/act.ts';
import { putBoxes } from './order/boxes.ts';
import { loaded, type ShipLine } from './order/load.ts';
import { putReceived } from './order/receive.ts';
import { saveOrder } from './order/save.ts';
import { putWay } from './order/way.ts';

/** Pieces that a product has at least, so that the orders leave some. */
const SPARE = 80;

/** A listing with the product that it is one of. */
interface Candidate {
  account: string;
  marketplaceId: string;
  msku: string;
  product: string;
}

/** Listings of the site with most of them whose product lies in the warehouse with pieces to spare. */
async function sendable(ctx: Ctx, warehouse: string): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    SELECT l.account_id AS account, l.marketplace_id AS "marketplaceId", l.seller_sku AS msku, p.id AS product
      FROM listing.product AS l
      JOIN product.local_product AS p ON p.company_id = l.company_id AND p.sku_key = lower(btrim(l.seller_sku))
     WHERE l.company_id = ${ctx.companyId} AND l.fulfilled_by = 'AMAZON'
     ORDER BY l.account_id, l.marketplace_id, l.seller_sku`.execute(ctx.db);
  const stock = await availableOf(
    ctx,
    warehouse,
    rows.map((row) => row.product),
  );
  const spare = rows.filter((row) => (stock.get(row.product)?.available ?? 0) >= SPARE);
  const bySite = Map.groupBy(spare, (row) => `${row.account} ${row.marketplaceId}`);
  const most = [...bySite.values()].sort((a, b) => b.length - a.length)[0] ?? [];
  return most.slice(0, 12);
}

/** Boxes of 20 pieces, one SKU in each. */
function boxed(lines: readonly ShipLine[]): Box[] {
  const size = { length: '55', width: '40', height: '38', weight: '14.2' };
  return lines.flatMap(({ id, picked }) =>
    Array.from({ length: Math.ceil(picked / 20) }, (_, n) => ({
      ...size,
      items: [{ lineId: id, qty: Math.min(20, picked - n * 20) }],
    })),
  );
}

interface Story {
  steps: readonly ShipStep[];
  /** Amazon's plan is made and followed by the product: it goes on by itself to where people are asked. */
  through?: true;
  received?: number;
  /** Amazon's number of its shipment, for one that leaves. */
  way?: string;
}

/** How far each order of the demo has come. */
const STORIES: readonly Story[] = [
  { steps: [] },
  { steps: ['submit'] },
  { steps: ['submit', 'approve'] },
  { steps: ['submit', 'approve', 'picked'] },
  { steps: ['submit', 'approve', 'picked'], through: true },
  { steps: ['submit', 'approve', 'picked'], way: 'FBA18XK3Q7M1' },
  { steps: ['submit', 'approve', 'picked'], received: 0.4, way: 'FBA18XJ9T2C4' },
];

/** Amazon asks where goods come from before it makes a plan. */
async function withAddress(ctx: Ctx, account: string): Promise<void> {
  const { storeId, marketplaceIds } = (await accountOf(ctx.db, ctx.companyId, account)) ?? {};
  if (!storeId || (await shipFromOf(ctx, account, marketplaceIds?.[0] ?? '', null))) return;
  await insertAddress(ctx, {
    storeId,
    name: 'Shenzhen Warehouse',
    company: 'Yuanhang Trading',
    country: 'CN',
    state: 'Guangdong',
    city: 'Shenzhen',
    district: 'Longgang',
    line1: '18 Bulan Road, Building A',
    postalCode: '518112',
    phone: '+86 755 8800 0000',
    isDefault: true,
  });
}

/** Where the demo sends from, and what; undefined without stock of what is sold. */
export async function demoGoods(
  ctx: Ctx,
): Promise<{ warehouseId: string; goods: [Candidate, ...Candidate[]] } | undefined> {
  const main = [...(await warehouses(ctx)).values()].find((one) => one.code === 'SZ-A');
  if (!main) return undefined;
  const [first, ...others] = await sendable(ctx, main.id);
  return first && { warehouseId: main.id, goods: [first, ...others] };
}

/** Packs an order of the demo that was picked, and sends it with the demo's forwarder under Amazon's number of its shipment. */
export async function demoSend(ctx: Ctx, id: string, shipmentNo: string, trackingNo: string): Promise<void> {
  await putBoxes(ctx, { id, boxes: boxed((await loaded(ctx, id)).lines) });
  await act(ctx, 'packed', { id });
  await putWay(ctx, { id, shipmentNo, carrier: '深圳远航货运代理', trackingNo });
  await act(ctx, 'ship', { id });
}

/** What the demo company sends to Amazon: an order in each state that takes a while. */
export async function demoShipping(ctx: Ctx): Promise<void> {
  const place = await demoGoods(ctx);
  if (!place) return;
  const { warehouseId, goods } = place;
  const [first] = goods;
  for (const account of (await storeNames(ctx)).keys()) await withAddress(ctx, account);
  await demoTemplates(ctx);
  for (const [n, story] of STORIES.entries()) {
    const lines = goods
      .slice(n % 2, (n % 2) + 3)
      .map(({ msku }, index) => ({ msku, qty: 8 + index * 3 + n, boxQty: null }));
    const input = ShipInput.parse({
      authid: first.account,
      marketplaceId: first.marketplaceId,
      warehouseId,
      transport: n % 2 === 0 ? 'SEA' : 'AIR',
      plannedOn: ctx.clock.dayAhead(n - 1),
      ...(story.through ? { stockMode: 'NORMAL' } : {}),
      lines,
    });
    const { id } = await saveOrder(ctx, input);
    for (const step of story.steps) await act(ctx, step, { id });
    if (story.through) {
      await putBoxes(ctx, { id, boxes: boxed((await loaded(ctx, id)).lines) });
      await act(ctx, 'packed', { id });
    }
    if (story.way === undefined) continue;
    await demoSend(ctx, id, story.way, `YH2026${118_420 + n}`);
    const share = story.received;
    if (share === undefined) continue;
    const { lines: sent } = await loaded(ctx, id);
    await putReceived(ctx, {
      id,
      lines: sent.map((line) => ({ lineId: line.id, total: Math.floor(line.shipped * share) })),
    });
  }
}
