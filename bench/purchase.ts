import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import pg from 'pg';
import { inTenant } from '#kit/server/runtime.ts';
import { listOrders, orderDetail, orderSteps, saveOrder } from '#modules/purchase/contract/order-calls.ts';
import { receiveGoods } from '#modules/purchase/contract/receipt.ts';
import { recountOrders } from '#modules/purchase/server/order/sums.ts';
import { moveSupplier, saveSupplier } from '#modules/supplier/server/index.ts';
import { type StockOfBench, stockOf } from './stock-posting.ts';
import { median, progress, report, step } from './support/measure.ts';
import { perSecond } from './support/rate.ts';
import { loadBare } from './support/seed.ts';
import { type BenchWorld, sessionOf } from './support/world.ts';

const LINES = 10;
const CLIENTS = [1, 4];
/** Orders before the measured ones. */
const WARM = 100;

interface Buying extends StockOfBench {
  app: FastifyInstance;
  session: string;
  supplier: string;
}

async function buying(world: BenchWorld, products: number): Promise<Buying> {
  const stock = await stockOf(world, products);
  const supplier = await inTenant(world.runtime, stock.principal, async (ctx) => {
    const { id } = await saveSupplier(ctx, {
      shortName: '测量',
      currency: 'CNY',
      invoiceType: 'none',
      invoiceRate: '0',
      terms: [{ share: '1', anchor: 'receipt', days: 30 }],
    });
    await moveSupplier(ctx, { id, action: 'activate' });
    return id;
  });
  const { app } = await world.api();
  return { ...stock, supplier, app, session: await sessionOf(world, app, stock.principal) };
}

async function send<T>({ app, session }: Buying, method: 'GET' | 'POST', path: string, payload?: object): Promise<T> {
  const headers = { jsessionid: session };
  const answer = await app.inject({ method, url: `/api${path}`, headers, ...(payload ? { payload } : {}) });
  const { code, data } = answer.json<{ code: number; data: T }>();
  if (code >= 300) throw new Error(answer.body.slice(0, 300));
  return data;
}

/** One order of ten lines over HTTP, from the draft until all of it is in the warehouse. */
async function buy(buyer: Buying, products: readonly string[]): Promise<void> {
  const { id } = await send<{ id: string }>(buyer, 'POST', saveOrder.path, {
    supplierId: buyer.supplier,
    warehouseId: buyer.warehouse,
    lines: products.map((productId) => ({ productId, qty: 100, unitPrice: '2.5' })),
  });
  for (const one of ['submit', 'approve', 'place'] as const) await send(buyer, 'POST', orderSteps[one].path, { id });
  const { lines } = await send<{ lines: { id: string }[] }>(buyer, 'GET', orderDetail.path.replace(':id', id));
  await send(buyer, 'POST', receiveGoods.path, { id, lines: lines.map((line) => ({ lineId: line.id, qty: 100 })) });
}

const HAND = `
  CREATE SCHEMA hand;
  CREATE TABLE hand.orders (id uuid PRIMARY KEY, number text NOT NULL UNIQUE, state text NOT NULL, supplier_id uuid NOT NULL,
    due numeric(18,4) NOT NULL DEFAULT 0, at timestamptz NOT NULL DEFAULT now());
  CREATE TABLE hand.line (id uuid PRIMARY KEY, order_id uuid NOT NULL, product_id uuid NOT NULL, qty int NOT NULL,
    price numeric(18,6) NOT NULL, received int NOT NULL DEFAULT 0);
  CREATE INDEX ON hand.line (order_id);
  CREATE TABLE hand.receipt (id uuid PRIMARY KEY, order_id uuid NOT NULL, at timestamptz NOT NULL DEFAULT now());
  CREATE TABLE hand.receipt_line (receipt_id uuid NOT NULL, line_id uuid NOT NULL, qty int NOT NULL, PRIMARY KEY (receipt_id, line_id));
  CREATE TABLE hand.balance (product_id uuid, status text, qty int NOT NULL, PRIMARY KEY (product_id, status));
  CREATE TABLE hand.entry (seq bigserial PRIMARY KEY, source uuid NOT NULL, product_id uuid NOT NULL, status text NOT NULL,
    qty int NOT NULL, amount numeric(18,4));
  CREATE TABLE hand.layer (id uuid PRIMARY KEY, product_id uuid NOT NULL, qty int NOT NULL, amount numeric(18,4) NOT NULL);
  CREATE TABLE hand.payable (id uuid PRIMARY KEY, order_id uuid NOT NULL, amount numeric(18,4) NOT NULL);`;

const AWAIT = `
  WITH l AS (SELECT product_id, qty FROM hand.line WHERE order_id = $1), b AS (
    INSERT INTO hand.balance SELECT product_id, 'EXPECTED', qty FROM l ORDER BY product_id
    ON CONFLICT (product_id, status) DO UPDATE SET qty = hand.balance.qty + excluded.qty)
  INSERT INTO hand.entry (source, product_id, status, qty) SELECT $1, product_id, 'EXPECTED', qty FROM l`;
const RECEIVE = `
  WITH r AS (INSERT INTO hand.receipt (id, order_id) VALUES ($2, $1) RETURNING id),
  l AS (UPDATE hand.line SET received = qty WHERE order_id = $1 RETURNING id, product_id, qty, price),
  rl AS (INSERT INTO hand.receipt_line SELECT $2, id, qty FROM l),
  b AS (INSERT INTO hand.balance SELECT product_id, s, CASE s WHEN 'AVAILABLE' THEN qty ELSE -qty END
          FROM l, (VALUES ('AVAILABLE'), ('EXPECTED')) AS v(s) ORDER BY s, product_id
        ON CONFLICT (product_id, status) DO UPDATE SET qty = hand.balance.qty + excluded.qty),
  e AS (INSERT INTO hand.entry (source, product_id, status, qty, amount)
        SELECT $2, product_id, s, CASE s WHEN 'AVAILABLE' THEN qty ELSE -qty END, qty * price
          FROM l, (VALUES ('AVAILABLE'), ('EXPECTED')) AS v(s)),
  y AS (INSERT INTO hand.layer SELECT gen_random_uuid(), product_id, qty, qty * price FROM l),
  p AS (INSERT INTO hand.payable SELECT gen_random_uuid(), $1, sum(qty * price) FROM l)
  UPDATE hand.orders SET due = (SELECT sum(qty * price) FROM l) WHERE id = $1`;

/** The least SQL for the same story: five transactions of one or two statements, no rights, no history, no HTTP. */
async function buyByHand(pool: pg.Pool, supplier: string, products: readonly string[]): Promise<void> {
  const client = await pool.connect();
  const id = randomUUID();
  const transaction = async (...statements: [string, unknown[]][]) => {
    await client.query('BEGIN');
    for (const [text, values] of statements) await client.query(text, values);
    await client.query('COMMIT');
  };
  const move = (state: string): [string, unknown[]] => ['UPDATE hand.orders SET state = $2 WHERE id = $1', [id, state]];
  try {
    await transaction(
      [
        "INSERT INTO hand.orders (id, number, state, supplier_id) VALUES ($1::uuid, $1::uuid::text, 'draft', $2)",
        [id, supplier],
      ],
      [
        'INSERT INTO hand.line (id, order_id, product_id, qty, price) SELECT gen_random_uuid(), $1, p, 100, 2.5 FROM unnest($2::uuid[]) AS p',
        [id, products],
      ],
    );
    await transaction(move('pending'));
    await transaction(move('approved'));
    await transaction(move('ordered'), [AWAIT, [id]]);
    await transaction([RECEIVE, [id, randomUUID()]]);
  } finally {
    client.release();
  }
}

/** Orders of ten lines, created, approved, placed and received, by so many clients: lines per second. */
async function stories(world: BenchWorld, buyer: Buying, ms: number): Promise<void> {
  await world.admin.query(HAND);
  const pool = new pg.Pool({ connectionString: world.url, max: 4 });
  const { products } = buyer;
  const chosen = (client: number, turn: number) =>
    Array.from(
      { length: LINES },
      (_, n) => products[(client * 7919 + turn * 104_729 + n * 31) % products.length] ?? '',
    );
  // A database that has been in use for a while: the planner takes tables that nobody has looked at for empty, and walks them.
  for (let turn = 0; turn < WARM; turn += 1) {
    await buyByHand(pool, buyer.supplier, chosen(turn, turn));
    await buy(buyer, chosen(turn, turn));
  }
  await world.admin.query('ANALYZE');
  for (const clients of CLIENTS) {
    const hand = await perSecond(world, clients, ms, (client, turn) =>
      buyByHand(pool, buyer.supplier, chosen(client, turn)),
    );
    const ours = await perSecond(world, clients, ms, (client, turn) => buy(buyer, chosen(client, turn)));
    const cpu = `processor time an order ${ours.cpuMs.toFixed(1)} ms, by hand ${hand.cpuMs.toFixed(1)} ms`;
    report(`purchase order lines, ${clients} clients`, ours.rate * LINES, hand.rate * LINES, '/s', '-', cpu);
  }
  await pool.end();
}

/** Orders of one line without their postings, as their list reads them, written as the owner of the tables. */
async function fill(world: BenchWorld, buyer: Buying, orders: number): Promise<void> {
  await loadBare(world.admin, 'purchase.purchase_order', async () => {
    await world.admin.query(
      `INSERT INTO purchase.purchase_order (company_id, number, type, state, supplier_id, warehouse_id, currency, created_at,
         created_by_name, expected_on, sku_count, qty, open_qty, received_qty, amount, due_amount, first_product_id)
       SELECT $1, 'B' || n, 'GOODS', (ARRAY['draft', 'pending', 'approved', 'ordered', 'closed', 'closed', 'closed', 'closed'])[1 + n % 8],
              $2, $3, 'CNY', now() - make_interval(secs => ($4::int - n) * 30), '测量', current_date, 1, 100,
              CASE WHEN n % 8 < 4 THEN 100 ELSE 0 END, CASE WHEN n % 8 < 4 THEN 0 ELSE 100 END, 250, 250, ($5::uuid[])[1 + n % $6::int]
         FROM generate_series(1, $4::int) AS n`,
      [buyer.principal.companyId, buyer.supplier, buyer.warehouse, orders, buyer.products, buyer.products.length],
    );
  });
  await inTenant(world.runtime, buyer.principal, recountOrders, { timeoutMs: 0 });
  await world.admin.query('VACUUM (ANALYZE) purchase.order_sum');
}

async function times(work: () => Promise<unknown>): Promise<number> {
  await work();
  const found: number[] = [];
  for (let round = 0; round < 7; round += 1) {
    const begin = performance.now();
    await work();
    found.push(performance.now() - begin);
  }
  return median(found);
}

/** The list of orders: first page, a deep one, those of one stage, against the same rows and sums by hand. */
async function lists(world: BenchWorld, buyer: Buying, orders: number): Promise<void> {
  await step(`fill ${orders} orders`, () => fill(world, buyer, orders));
  const company = buyer.principal.companyId;
  const page = (where: string, offset: number) =>
    `SELECT o.*, s.short_name, p.sku, p.name FROM (SELECT * FROM purchase.purchase_order AS o WHERE o.company_id = $1 ${where}
        ORDER BY o.id DESC LIMIT 20 OFFSET ${offset}) AS o
       JOIN supplier.supplier AS s ON s.company_id = $1 AND s.id = o.supplier_id
       JOIN product.local_product AS p ON p.company_id = $1 AND p.id = o.first_product_id ORDER BY o.id DESC`;
  const sums = (where: string) =>
    `SELECT count(*), sum(qty), sum(received_qty), sum(open_qty), sum(amount), sum(due_amount), sum(paid_amount)
       FROM purchase.purchase_order AS o WHERE o.company_id = $1 ${where}`;
  for (const [name, where, offset, query] of [
    ['first page', '', 0, {}],
    ['page 250', '', 4980, { currentpage: 250 }],
    ['one stage', "AND o.stage = 'ordered'", 0, { filter: { stage: ['ordered'] } }],
  ] as const) {
    const ours = await times(() => send(buyer, 'POST', listOrders.path, { pagesize: 20, ...query }));
    const rows = await times(() => world.admin.query(page(where, offset), [company]));
    const hand = await times(async () => {
      await world.admin.query(page(where, offset), [company]);
      await world.admin.query(sums(where), [company]);
    });
    report(`purchase orders, ${name}`, ours, hand, 'ms', '<= 1.5', `its rows alone, by hand: ${rows.toFixed(1)} ms`);
  }
}

/** Purchase orders: their whole story, and their list when there are very many. */
export async function purchase(world: BenchWorld, products: number, orders: number, ms: number): Promise<void> {
  const buyer = await buying(world, products);
  await stories(world, buyer, ms);
  progress('stories');
  await lists(world, buyer, orders);
}
