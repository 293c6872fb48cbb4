import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { inTenant } from '#kit/server/runtime.ts';
import { putShipBoxes, saveShipOrder, shipOrderDetail, shipSteps } from '#modules/shipping/contract/order-calls.ts';
import { type Move, post } from '#modules/warehouse/server/index.ts';
import { stockOf } from './stock-posting.ts';
import { report, step } from './support/measure.ts';
import { type BenchWorld, sessionOf } from './support/world.ts';

const US = 'ATVPDKIKX0DER';
/** Pieces of each SKU. */
const PIECES = 10;

/** A store that sells every product in the United States, and pieces of each in the warehouse. */
async function shop(world: BenchWorld, skus: number) {
  const stock = await stockOf(world, skus);
  const account = await inTenant(world.runtime, stock.principal, async (ctx) => {
    const moves = stock.products.map(
      (product): Move => ({
        product,
        qty: PIECES,
        from: 'OPENING',
        to: { warehouse: stock.warehouse, status: 'AVAILABLE' },
        cost: { unit: '2' },
      }),
    );
    await post(ctx, { source: { type: 'bench', id: randomUUID(), event: 'open', number: 'OPEN' }, moves });
    const store = await ctx.db
      .insertInto('marketplace.store')
      .values({ company_id: ctx.companyId, name: '测量店铺' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const { id } = await ctx.db
      .insertInto('marketplace.seller_account')
      .values({
        company_id: ctx.companyId,
        store_id: store.id,
        selling_partner_id: 'ABENCH',
        region: 'na',
        application_id: 'bench',
        refresh_token_sealed: 'x',
        status: 'active',
        expires_at: new Date(world.runtime.clock.ms() + 86_400_000).toISOString(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  });
  const { companyId } = stock.principal;
  await world.admin.query(
    'INSERT INTO marketplace.seller_marketplace (company_id, account_id, marketplace_id) VALUES ($1, $2, $3)',
    [companyId, account, US],
  );
  await world.admin.query(
    `INSERT INTO listing.listing (company_id, account_id, marketplace_id, seller_sku, asin, title, currency, status, source,
                                  as_of, first_seen_at)
     SELECT company_id, $2, $3, sku, 'B000000000', sku, 'USD', 'ACTIVE', 'api', now(), now()
       FROM product.local_product WHERE company_id = $1`,
    [companyId, account, US],
  );
  await world.admin.query('ANALYZE');
  return { ...stock, account };
}

async function send<T>(app: FastifyInstance, session: string, path: string, payload?: object): Promise<T> {
  const method = payload ? 'POST' : 'GET';
  const answer = await app.inject({
    method,
    url: `/api${path}`,
    headers: { jsessionid: session },
    ...(payload && { payload }),
  });
  const { code, data } = answer.json<{ code: number; data: T }>();
  if (code >= 300) throw new Error(answer.body.slice(0, 300));
  return data;
}

/**
 * One ship order of so many SKUs in so many boxes, from the draft until it leaves, over HTTP: what each action takes. Held
 * against the second that a person waits for without wondering.
 */
export async function shipOrder(world: BenchWorld, skus: number, boxes: number): Promise<void> {
  const { principal, warehouse, account } = await step(`${skus} SKUs`, () => shop(world, skus));
  const { app } = await world.api();
  const session = await sessionOf(world, app, principal);
  const lines = Array.from({ length: skus }, (_, n) => ({ msku: `SKU-${String(n).padStart(6, '0')}`, qty: PIECES }));
  const measure = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const begin = performance.now();
    const result = await work();
    report(`ship order of ${skus} SKUs: ${name}`, performance.now() - begin, 1_000, 'ms', '<= 1');
    return result;
  };
  const { id } = await measure('saved', () =>
    send<{ id: string }>(app, session, saveShipOrder.path, {
      authid: account,
      marketplaceId: US,
      warehouseId: warehouse,
      lines,
    }),
  );
  const take = (name: 'submit' | 'approve' | 'picked' | 'packed' | 'ship') =>
    send(app, session, shipSteps[name].path, { id });
  await measure('handed in', () => take('submit'));
  await measure('agreed to, its pieces held', () => take('approve'));
  // A house that keeps stock has reservations that the planner knows of; this one got its first just now.
  await world.admin.query('ANALYZE warehouse.reservation');
  await measure('picked', () => take('picked'));
  const show = () => send<{ lines: { id: string }[] }>(app, session, shipOrderDetail.path.replace(':id', id));
  const detail = await measure('shown', show);
  const each = Math.ceil(skus / boxes);
  const packed = Array.from({ length: boxes }, (_, n) => ({
    length: '60',
    width: '40',
    height: '40',
    weight: '15',
    items: detail.lines.slice(n * each, (n + 1) * each).map((line) => ({ lineId: line.id, qty: PIECES })),
  })).filter(({ items }) => items.length > 0);
  await measure(`packed into ${packed.length} boxes`, () =>
    send(app, session, putShipBoxes.path, { id, boxes: packed }),
  );
  await measure('packing ended', () => take('packed'));
  await measure('sent', () => take('ship'));
}
