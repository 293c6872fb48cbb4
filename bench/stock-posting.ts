import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Principal } from '#kit/server/context.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { learnProducts } from '#modules/product/server/index.ts';
import { post } from '#modules/warehouse/server/index.ts';
import { middle, progress, report, reportTimes, type Timed, timed } from './support/measure.ts';
import { perSecond } from './support/rate.ts';
import type { BenchWorld } from './support/world.ts';

const CLIENTS = [1, 4, 20];

export interface StockOfBench {
  principal: Principal;
  products: string[];
  warehouse: string;
}

/** A company with a warehouse and so many products. */
export async function stockOf(world: BenchWorld, count: number): Promise<StockOfBench> {
  const principal = await world.company();
  const { companyId } = principal;
  const skus = Array.from({ length: count }, (_, index) => ({ sku: `SKU-${String(index).padStart(6, '0')}` }));
  await inTenant(world.runtime, principal, (ctx) => learnProducts(ctx, skus));
  const warehouse = randomUUID();
  await world.admin.query(
    `INSERT INTO warehouse.warehouse (company_id, id, code, name, kind) VALUES ($1, $2, 'SZ', '深圳仓', 'LOCAL')`,
    [companyId, warehouse],
  );
  await world.admin.query(
    `INSERT INTO warehouse.location (company_id, id, warehouse_id, code, path, type)
     VALUES ($1, $2, $2, '暂存', '暂存', 'STAGING')`,
    [companyId, warehouse],
  );
  const { rows } = await world.admin.query<{ id: string }>(
    'SELECT id FROM product.local_product WHERE company_id = $1 ORDER BY sku',
    [companyId],
  );
  return { principal, products: rows.map((row) => row.id), warehouse };
}

const HAND = `
  CREATE SCHEMA hand;
  CREATE TABLE hand.posting (id uuid PRIMARY KEY, source text NOT NULL UNIQUE, at timestamptz NOT NULL DEFAULT now());
  CREATE TABLE hand.balance (warehouse_id uuid, product_id uuid, status text, qty int NOT NULL, PRIMARY KEY (warehouse_id, product_id, status));
  CREATE TABLE hand.entry (seq bigserial PRIMARY KEY, posting_id uuid NOT NULL, warehouse_id uuid NOT NULL, product_id uuid NOT NULL,
    status text NOT NULL, qty int NOT NULL, balance_after int NOT NULL, amount numeric(18,4));
  CREATE TABLE hand.layer (id uuid PRIMARY KEY, product_id uuid NOT NULL, warehouse_id uuid NOT NULL, at date NOT NULL,
    qty_remaining int NOT NULL, amount_remaining numeric(18,4) NOT NULL);
  CREATE INDEX ON hand.layer (product_id, warehouse_id, at) WHERE qty_remaining > 0;`;

/**
 * The least that anybody would write by hand for the same event: the key against doubles, the locked balance, the
 * entries with their balance, the oldest layer. No tenants, no places, no periods, no reservations, no age of children.
 */
async function sellByHand(client: pg.PoolClient, warehouse: string, product: string): Promise<void> {
  const id = randomUUID();
  await client.query('BEGIN');
  await client.query('INSERT INTO hand.posting (id, source) VALUES ($1, $2)', [id, id]);
  const balance = await client.query<{ qty: number }>(
    `UPDATE hand.balance SET qty = qty - 1 WHERE warehouse_id = $1 AND product_id = $2 AND status = 'AVAILABLE' AND qty >= 1
     RETURNING qty`,
    [warehouse, product],
  );
  const layer = await client.query<{ id: string; amount: string }>(
    `SELECT id, round(amount_remaining / qty_remaining, 4) AS amount FROM hand.layer
      WHERE product_id = $1 AND warehouse_id = $2 AND qty_remaining > 0 ORDER BY at LIMIT 1 FOR UPDATE`,
    [product, warehouse],
  );
  const { id: layerId, amount } = layer.rows[0] ?? {};
  await client.query(
    'UPDATE hand.layer SET qty_remaining = qty_remaining - 1, amount_remaining = amount_remaining - $2 WHERE id = $1',
    [layerId, amount],
  );
  await client.query(
    `INSERT INTO hand.entry (posting_id, warehouse_id, product_id, status, qty, balance_after, amount)
     VALUES ($1, $2, $3, 'AVAILABLE', -1, $4, -$5::numeric), ($1, $2, $3, 'OUTSIDE', 1, 0, $5::numeric)`,
    [id, warehouse, product, balance.rows[0]?.qty, amount],
  );
  await client.query('COMMIT');
}

async function fillHand(world: BenchWorld, stock: StockOfBench): Promise<void> {
  await world.admin.query(HAND);
  await world.admin.query(`INSERT INTO hand.balance SELECT $1, p, 'AVAILABLE', 1000000 FROM unnest($2::uuid[]) AS p`, [
    stock.warehouse,
    stock.products,
  ]);
  await world.admin.query(
    `INSERT INTO hand.layer SELECT uuidv7(), p, $1, '2026-01-01', 1000000, 2500000 FROM unnest($2::uuid[]) AS p`,
    [stock.warehouse, stock.products],
  );
}

function sell(world: BenchWorld, stock: StockOfBench, products: readonly string[]): Promise<unknown> {
  const id = randomUUID();
  return inTenant(world.runtime, stock.principal, (ctx) =>
    post(ctx, {
      source: { type: 'bench', id, event: 'ship', number: id },
      moves: products.map((product) => ({
        product,
        qty: 1,
        from: { warehouse: stock.warehouse, status: 'AVAILABLE' as const },
        to: 'CUSTOMER' as const,
      })),
    }),
  );
}

/**
 * Documents of one line that leave the warehouse, by so many clients on many products, and all on one product, against
 * the least SQL by hand in the same server; then one document of 1,000 lines.
 */
export async function stockPosting(world: BenchWorld, products: number, ms: number): Promise<void> {
  const stock = await stockOf(world, products);
  for (let from = 0; from < products; from += 1000) {
    const id = randomUUID();
    await inTenant(world.runtime, stock.principal, (ctx) =>
      post(ctx, {
        source: { type: 'bench', id, event: 'open', number: id },
        moves: stock.products.slice(from, from + 1000).map((product) => ({
          product,
          qty: 1_000_000,
          from: 'OPENING',
          to: { warehouse: stock.warehouse, status: 'AVAILABLE' },
          cost: { unit: '2.5' },
        })),
      }),
    );
  }
  await fillHand(world, stock);
  const pool = new pg.Pool({ connectionString: world.url, max: 20 });
  const productAt = (client: number, turn: number) =>
    stock.products[(client * 7919 + turn * 104_729) % stock.products.length] ?? '';
  const byHand = async (product: string) => {
    const client = await pool.connect();
    try {
      await sellByHand(client, stock.warehouse, product);
    } finally {
      client.release();
    }
  };
  const hot = stock.products[0] ?? '';
  for (const clients of CLIENTS) {
    for (const [name, choose] of [
      ['', productAt],
      [', one product', () => hot],
    ] as const) {
      const hand = await perSecond(world, clients, ms, (client, turn) => byHand(choose(client, turn)));
      const ours = await perSecond(world, clients, ms, async (client, turn) => {
        await sell(world, stock, [choose(client, turn)]);
      });
      progress(`${clients} clients${name}`);
      const cpu = `processor time ${ours.cpuMs.toFixed(2)} ms, by hand ${hand.cpuMs.toFixed(2)} ms`;
      report(`stock postings, ${clients} clients${name}`, ours.rate, hand.rate, '/s', '>= 0.5', cpu);
    }
  }
  await pool.end();
  const lines = Math.min(1000, products);
  const many = stock.products.slice(0, lines);
  const rounds = async (work: () => Promise<unknown>) => {
    const found: Timed<unknown>[] = [];
    for (let round = 0; round < 9; round += 1) found.push(await timed(world, work));
    return middle(found);
  };
  const hand = await rounds(() => linesByHand(world, stock, many));
  const ours = await rounds(() => sell(world, stock, many));
  reportTimes(`one document of ${lines} lines`, ours, hand, '<= 2.5');
}

/** The same rows by multi-row SQL in the tables by hand. */
async function linesByHand(world: BenchWorld, stock: StockOfBench, products: readonly string[]): Promise<void> {
  await world.admin.query('BEGIN');
  await world.admin.query('INSERT INTO hand.posting (id, source) VALUES ($1::uuid, $1::uuid::text)', [randomUUID()]);
  await world.admin.query(
    `WITH less AS (
       UPDATE hand.balance SET qty = qty - 1 WHERE warehouse_id = $1 AND product_id = ANY ($2::uuid[]) RETURNING product_id, qty
     ), layer AS (
       UPDATE hand.layer SET qty_remaining = qty_remaining - 1, amount_remaining = amount_remaining - 2.5
        WHERE warehouse_id = $1 AND product_id = ANY ($2::uuid[])
     )
     INSERT INTO hand.entry (posting_id, warehouse_id, product_id, status, qty, balance_after, amount)
     SELECT $1, $1, product_id, side, d, qty, 2.5 FROM less, (VALUES ('AVAILABLE', -1), ('OUTSIDE', 1)) AS x(side, d)`,
    [stock.warehouse, products],
  );
  await world.admin.query('COMMIT');
}
