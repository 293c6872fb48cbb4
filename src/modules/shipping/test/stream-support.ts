import { createHash, randomUUID } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Config } from '#kit/server/config.ts';
import { extensionsOf } from '#kit/server/extension.ts';
import { reportLoaders } from '#modules/marketplace/server/index.ts';
import { Inbounder } from '#sandbox/test/inbound-support.ts';
import { sellerIn } from '#sandbox/test/seller-support.ts';
import { createHouse, type House, stocked } from '#test/support/house.ts';
import { connectStore, createMarketplaceWorld, type MarketplaceWorld } from '#test/support/marketplace.ts';
import { PATIENCE_MS } from '#test/support/patience.ts';
import { US } from '#test/support/seller.ts';
import { TODAY } from '#test/support/world.ts';
import { putShipBoxes, saveShipOrder, shipOrderDetail, shipSteps } from '../contract/order-calls.ts';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** A house whose seller sends goods to the sandbox's Amazon; both clocks tell the same time. */
export interface Sender {
  world: MarketplaceWorld;
  house: House;
  way: Inbounder;
  accountId: string;
  /** Two that Amazon keeps the goods of. */
  skus: [string, string];
  /** Lets time go by on both sides. */
  pass(ms: number): Promise<void>;
  /** The stream reads up to the present, two hours later, and has an order told, if any. */
  turn(orderId?: string): Promise<void>;
  /** A shipment of the seller's own that has left, made in Seller Central; its number. */
  leaves(quantities: readonly number[]): Promise<string>;
  /** An order over such a shipment, all of it in one box, that has left; its id and the shipment's number. */
  sends(quantities: readonly [number, number], unit: string): Promise<{ id: string; number: string }>;
  /** Reads what Amazon paid of late, as the engine reads it. */
  readPayments(): Promise<void>;
}

/** `stock`: pieces of each SKU that lie in the warehouse, at 2 CNY. */
export async function createSender(stock = 0, settings: Partial<Config> = {}): Promise<Sender> {
  const world = await createMarketplaceWorld(
    {
      startAt: Date.parse(TODAY.toISOString().slice(0, 10)) - 45 * DAY,
      clock: { mode: 'frozen', at: TODAY.getTime() },
    },
    settings,
  );
  const way = new Inbounder(await sellerIn(world.sandbox), US);
  await way.control({ action: 'settings', chance: false, paidAfterDays: 3 });
  const offers = way.offers().slice(0, 2);
  const [first = '', second = ''] = offers.map(({ product }) => product.sku);
  const house = await createHouse(world, [first, second]);
  const { owner } = house;
  const { accountId, storeId } = await connectStore(owner, way.seller.sellerId);
  const cursorId = await world.as(owner, async (ctx) => {
    await sql`INSERT INTO marketplace.seller_marketplace (company_id, account_id, marketplace_id)
      VALUES (${ctx.companyId}, ${accountId}, ${US}) ON CONFLICT DO NOTHING`.execute(ctx.db);
    await sql`
      INSERT INTO marketplace.ship_from_address
        (company_id, store_id, name, address_line1, city, state, country_code, postal_code, phone, is_default)
      VALUES (${ctx.companyId}, ${storeId}, 'Warehouse', '1 Dock Street', 'Fontana', 'CA', 'US', '92335', '5550100', true)`.execute(
      ctx.db,
    );
    for (const { product } of offers) {
      await sql`
        INSERT INTO listing.listing (company_id, account_id, marketplace_id, seller_sku, asin, fnsku, title, currency, status,
                                     fulfilled_by, source, as_of, first_seen_at)
        VALUES (${ctx.companyId}, ${accountId}, ${US}, ${product.sku}, ${product.asin}, ${product.fnsku},
                ${`Title ${product.sku}`}, 'USD', 'ACTIVE', 'AMAZON', 'api', kit.now(), kit.now())
        ON CONFLICT DO NOTHING`.execute(ctx.db);
    }
    const { rows } = await sql<{ id: string }>`
      INSERT INTO marketplace.sync_cursor (company_id, account_id, marketplace_id, stream)
      VALUES (${ctx.companyId}, ${accountId}, ${US}, 'shipping.shipments') RETURNING id`.execute(ctx.db);
    return rows[0]?.id ?? '';
  });

  if (stock > 0) for (const sku of [first, second]) await stocked(world, house, sku, stock, '2');

  async function run(job: string, payload: object): Promise<void> {
    const found = world.runtime.modules.flatMap((one) => one.jobs ?? []).find(({ name }) => name === job);
    if (!found) throw new Error(`no job ${job}`);
    await found.run(world.runtime, { companyId: owner.companyId, ...payload } as never);
  }

  async function step(): Promise<boolean> {
    await run('marketplace.sync', { cursorId });
    return world.as(owner, async (ctx) => {
      const { rows } = await sql<{ there: boolean }>`
        UPDATE marketplace.sync_cursor SET not_before = kit.now()
         WHERE company_id = ${ctx.companyId} AND id = ${cursorId} RETURNING NOT behind AND attempts = 0 AS there`.execute(
        ctx.db,
      );
      return rows[0]?.there ?? false;
    });
  }

  async function pass(ms: number): Promise<void> {
    await way.advance(ms);
    await world.advance(ms);
    // Whoever is logged in has been at work all the while.
    await world.as(owner, (ctx) =>
      sql`UPDATE identity.session SET last_seen_at = kit.now(), expires_at = kit.now() + interval '1 day'
         WHERE company_id = ${ctx.companyId}`.execute(ctx.db),
    );
  }

  async function turn(orderId?: string): Promise<void> {
    await pass(2 * HOUR);
    await step();
    await expect.poll(step, { timeout: PATIENCE_MS, interval: 50 }).toBe(true);
    if (orderId !== undefined) await run('shipping.receive', { orderId });
  }

  async function leaves(quantities: readonly number[]): Promise<string> {
    const [shipmentId = ''] = await way.sendOff(quantities);
    return way.number(shipmentId);
  }

  async function sends(quantities: readonly [number, number], unit: string) {
    const number = await leaves(quantities);
    const lines = [first, second].map((msku, index) => ({ msku, qty: quantities[index] ?? 0 }));
    for (const { msku, qty } of lines) await stocked(world, house, msku, qty, unit);
    const body = { authid: accountId, marketplaceId: US, warehouseId: house.main, shipmentNo: number, lines };
    const { id } = await owner.call(saveShipOrder, { body });
    for (const name of ['submit', 'approve', 'picked'] as const) await owner.call(shipSteps[name], { body: { id } });
    const detail = await owner.call(shipOrderDetail, { params: { id } });
    const items = detail.lines.map((line) => ({ lineId: line.id, qty: line.pickedQty }));
    const size = { length: '60', width: '40', height: '40', weight: '15.2' };
    await owner.call(putShipBoxes, { body: { id, boxes: [{ ...size, items }] } });
    for (const name of ['packed', 'ship'] as const) await owner.call(shipSteps[name], { body: { id } });
    await turn(id);
    return { id, number };
  }

  async function readPayments(): Promise<void> {
    const type = 'GET_FBA_REIMBURSEMENTS_DATA';
    const until = way.world.now();
    const [from, to] = [new Date(until - 60 * DAY).toISOString(), new Date(until).toISOString()];
    const path = '/reports/2021-06-30';
    const wish = { reportType: type, marketplaceIds: [US], dataStartTime: from, dataEndTime: to };
    // A report that is asked for too soon after the last one is taken in and cancelled.
    let reportDocumentId: unknown;
    const ask = async (): Promise<unknown> => {
      const { reportId } = await way.seller.good({ method: 'POST', path: `${path}/reports`, body: wish });
      const report = await way.seller.good({ method: 'GET', path: `${path}/reports/${reportId}` });
      reportDocumentId = report.reportDocumentId;
      return report.processingStatus;
    };
    await expect.poll(ask, { timeout: PATIENCE_MS, interval: 50 }).toBe('DONE');
    const { url } = await way.seller.good({ method: 'GET', path: `${path}/documents/${reportDocumentId}` });
    const bytes = gunzipSync(await (await fetch(String(url))).arrayBuffer());
    const loader = extensionsOf(world.runtime.modules, reportLoaders).find((one) => one.reportTypes.includes(type));
    await world.as(owner, (ctx) => {
      const account = {
        companyId: ctx.companyId,
        id: accountId,
        storeId,
        sellingPartnerId: way.seller.sellerId,
        region: 'na' as const,
        marketplaceIds: [US],
      };
      const source = {
        account,
        reportType: type,
        marketplaceIds: [US],
        open: async function* () {
          yield bytes;
        },
        charset: 'UTF-8' as const,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        documentId: randomUUID(),
        fileName: 'reimbursements.txt',
        asked: { from, to, at: to, wholeDays: false },
      };
      return loader?.load(ctx, source as never) ?? Promise.reject(new Error(`nobody reads ${type}`));
    });
    await run('shipping.payClaims', { accountId });
  }

  return { world, house, way, accountId, skus: [first, second], pass, turn, leaves, sends, readPayments };
}
