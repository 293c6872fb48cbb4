import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { type Config, readConfig } from '#kit/server/config.ts';
import type { Ctx } from '#kit/server/context.ts';
import { inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { learnProducts } from '#modules/product/server/index.ts';
import { openRuntime } from '#src/app/runtime.ts';
import { createDatabase } from '#test/support/database.ts';
import { worldClock } from '#test/support/world.ts';
import { foldSnapshots } from '../server/health/run.ts';
import type { Move, Posted, Source, StockStatus } from '../server/index.ts';
import { post } from '../server/index.ts';

/** The product's database and no HTTP: what the ledger needs. */
export interface World {
  runtime: Runtime;
  databaseUrl: string;
  admin: pg.Pool;
  close(): Promise<void>;
}

export async function createLedgerWorld(settings: Partial<Config> = {}): Promise<World> {
  const clock = worldClock();
  const database = await createDatabase('erp', clock);
  const dataDir = await mkdtemp(join(tmpdir(), 'erp-ledger-'));
  const config = { ...readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent', SANDBOX: 'off', PORT: '0' }), ...settings };
  const runtime = await openRuntime(config, database.url, clock);
  const admin = new pg.Pool({ connectionString: database.url, max: 2 });
  return {
    runtime,
    databaseUrl: database.url,
    admin,
    async close() {
      await admin.end();
      await runtime.connections.close();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** A company with products and warehouses, ready to keep stock. */
export interface Stock {
  companyId: string;
  /** Id by SKU. */
  products: Map<string, string>;
  /** 深圳仓 and 美西仓 for good pieces, 质检仓 and 次品仓 beside the first. */
  main: string;
  overseas: string;
  qc: string;
  defective: string;
}

/** Runs server code for the company, in one transaction. */
export function within<T>(world: World, stock: Pick<Stock, 'companyId'>, work: (ctx: Ctx) => Promise<T>): Promise<T> {
  return inTenant(world.runtime, systemPrincipal(stock.companyId, '测试'), work);
}

async function insertWarehouse(ctx: Ctx, code: string, name: string, kind: string, quality: string): Promise<string> {
  const id = randomUUID();
  await sql`INSERT INTO warehouse.warehouse (company_id, id, code, name, kind, quality)
    VALUES (${ctx.companyId}, ${id}, ${code}, ${name}, ${kind}, ${quality})`.execute(ctx.db);
  await sql`INSERT INTO warehouse.location (company_id, id, warehouse_id, code, path, type)
    VALUES (${ctx.companyId}, ${id}, ${id}, '暂存', '暂存', 'STAGING')`.execute(ctx.db);
  return id;
}

export async function createStock(world: World, skus: readonly string[]): Promise<Stock> {
  const companyId = randomUUID();
  return within(world, { companyId }, async (ctx) => {
    await learnProducts(
      ctx,
      skus.map((sku) => ({ sku, name: sku })),
    );
    const { rows } = await sql<{ id: string; sku: string }>`
      SELECT id, sku FROM product.local_product WHERE company_id = ${ctx.companyId}`.execute(ctx.db);
    return {
      companyId,
      products: new Map(rows.map((row) => [row.sku, row.id])),
      main: await insertWarehouse(ctx, 'SZ', '深圳仓', 'LOCAL', 'GOOD'),
      overseas: await insertWarehouse(ctx, 'US', '美西仓', 'OVERSEAS', 'GOOD'),
      qc: await insertWarehouse(ctx, 'QC', '质检仓', 'LOCAL', 'QC'),
      defective: await insertWarehouse(ctx, 'DF', '次品仓', 'LOCAL', 'DEFECTIVE'),
    };
  });
}

export function productOf(stock: Stock, sku: string): string {
  const id = stock.products.get(sku);
  if (!id) throw new Error(`no product ${sku}`);
  return id;
}

/** A source that nobody used before. */
export function source(number = `T${randomUUID().slice(0, 8)}`, event = 'do'): Source {
  return { type: 'test', id: randomUUID(), event, number };
}

export const at = (warehouse: string, status: StockStatus = 'AVAILABLE') => ({ warehouse, status });

/** Posts moves as the owner in a transaction of their own. */
export function move(world: World, stock: Stock, moves: readonly Move[], from: Source = source()): Promise<Posted> {
  return within(world, stock, (ctx) => post(ctx, { source: from, moves }));
}

/** Receipt from a supplier. */
export function receive(world: World, stock: Stock, sku: string, qty: number, unit: string, day?: string) {
  return move(world, stock, [
    {
      product: productOf(stock, sku),
      qty,
      from: 'SUPPLIER',
      to: at(stock.main),
      cost: { unit, ...(day ? { firstDay: day } : {}) },
    },
  ]);
}

/** Pieces of a product by status in a warehouse. */
export async function balances(world: World, stock: Stock, sku: string, warehouse: string) {
  return within(world, stock, async (ctx) => {
    const { rows } = await sql<{ status: string; qty: number }>`
      SELECT status, sum(qty)::int AS qty FROM warehouse.stock_balance
       WHERE company_id = ${ctx.companyId} AND product_id = ${productOf(stock, sku)} AND warehouse_id = ${warehouse}
         AND qty <> 0 GROUP BY 1`.execute(ctx.db);
    return Object.fromEntries(rows.map((row) => [row.status, row.qty]));
  });
}

/** Open layers, oldest first, as "pieces@value day". */
export async function layers(world: World, stock: Stock, sku: string, warehouse: string): Promise<string[]> {
  return within(world, stock, async (ctx) => {
    const { rows } = await sql<{ text: string }>`
      SELECT qty_remaining || '@' || amount_remaining || ' ' || original_date || CASE WHEN in_transit THEN ' 在途' ELSE '' END AS text
        FROM warehouse.cost_layer
       WHERE company_id = ${ctx.companyId} AND product_id = ${productOf(stock, sku)} AND warehouse_id = ${warehouse} AND open
       ORDER BY original_date, id`.execute(ctx.db);
    return rows.map((row) => row.text);
  });
}

/** Everything that the ledger derives, as text: equal before and after what must change nothing. */
export async function derived(admin: pg.Pool, companyId: string): Promise<string> {
  const { rows } = await admin.query<{ text: string }>(
    `SELECT string_agg(t, E'\\n' ORDER BY t) AS text FROM (
       SELECT concat_ws(' ', 'B', warehouse_id, product_id, location_id, lot_id, status, qty) AS t
         FROM warehouse.stock_balance WHERE company_id = $1 AND qty <> 0
       UNION ALL
       SELECT concat_ws(' ', 'L', id, qty_remaining, amount_remaining) FROM warehouse.cost_layer WHERE company_id = $1 AND open
       UNION ALL
       SELECT concat_ws(' ', 'R', id, held, picked_qty) FROM warehouse.reservation WHERE company_id = $1 AND held <> 0) AS x`,
    [companyId],
  );
  return rows[0]?.text ?? '';
}

/**
 * Brings the snapshots up to the ledger. They follow only what is older than every open transaction of the server, of
 * any database: beside other tests that takes a few tries.
 */
export async function foldAll(world: World, stock: Pick<Stock, 'companyId'>, anew = false): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    await within(world, stock, (ctx) => foldSnapshots(ctx, anew));
    const { rows } = await world.admin.query<{ done: boolean }>(
      `SELECT NOT EXISTS (SELECT FROM warehouse.stock_posting AS p WHERE p.company_id = $1 AND p.xid >= s.upto) AS done
         FROM warehouse.snapshot_progress AS s WHERE s.company_id = $1`,
      [stock.companyId],
    );
    if (rows[0]?.done ?? true) return;
    await sleep(50);
  }
  throw new Error('the snapshots never caught up');
}
