import { inTenant } from '#kit/server/runtime.ts';
import { listStock } from '#modules/warehouse/contract/inventory.ts';
import { type StockOfBench, stockOf } from './stock-posting.ts';
import { median, report, step } from './support/measure.ts';
import { type BenchWorld, sessionOf } from './support/world.ts';

const DAYS = 365;

/**
 * A ledger of so many entries over so many products, written as the owner of the tables: one posting a day, each product
 * receiving and giving in turn so that no balance is below 0.
 */
async function fill(
  world: BenchWorld,
  { principal, products, warehouse }: StockOfBench,
  entries: number,
): Promise<void> {
  const { companyId } = principal;
  const each = Math.max(2, Math.round(entries / products.length));
  const { admin } = world;
  await admin.query('ALTER TABLE warehouse.lot DISABLE TRIGGER USER');
  await admin.query(
    `INSERT INTO warehouse.lot (company_id, id, product_id, lot_no) SELECT $1, p, p, '' FROM unnest($2::uuid[]) AS p`,
    [companyId, products],
  );
  await admin.query(
    `INSERT INTO warehouse.stock_posting (company_id, source_type, source_id, source_event, source_number, business_date, posted_at, operator_name)
     SELECT $1, 'bench', n::text, 'do', 'B' || n, warehouse.today() - (${DAYS} - n), now() - make_interval(days => ${DAYS} - n), '测量'
       FROM generate_series(1, ${DAYS}) AS n`,
    [companyId],
  );
  await admin.query(
    `INSERT INTO warehouse.stock_entry (company_id, seq, posted_at, posting_id, line_no, business_date, product_id, warehouse_id,
       location_id, lot_id, status, qty, balance_after, unit_cost, amount)
     SELECT $1, nextval('warehouse.stock_seq'), p.posted_at, p.id, k, p.business_date, x.id, $3, $3, x.id, 'AVAILABLE',
            CASE WHEN k % 2 = 1 THEN 7 ELSE -5 END, (k + 1) / 2 * 7 - k / 2 * 5, 2.5, CASE WHEN k % 2 = 1 THEN 17.5 ELSE -12.5 END
       FROM generate_series(1, $4::int) AS k
       JOIN warehouse.stock_posting AS p ON p.company_id = $1 AND p.source_id = (1 + (k - 1) * ${DAYS - 1} / $4::int)::text
       CROSS JOIN unnest($2::uuid[]) AS x(id)
      ORDER BY k`,
    [companyId, products, warehouse, each],
  );
  await admin.query(
    `INSERT INTO warehouse.stock_balance (company_id, warehouse_id, product_id, location_id, lot_id, status, qty, delta, last_seq)
     SELECT company_id, warehouse_id, product_id, location_id, lot_id, status, sum(qty), (array_agg(qty ORDER BY seq DESC))[1], max(seq)
       FROM warehouse.stock_entry WHERE company_id = $1 GROUP BY 1, 2, 3, 4, 5, 6`,
    [companyId],
  );
  await admin.query('VACUUM (ANALYZE) warehouse.stock_entry, warehouse.stock_balance, product.local_product');
}

async function times(count: number, work: () => Promise<unknown>): Promise<number> {
  await work();
  const found: number[] = [];
  for (let round = 0; round < count; round += 1) {
    const begin = performance.now();
    await work();
    found.push(performance.now() - begin);
  }
  return median(found);
}

/** Stock on hand of many products with a long ledger: the list from the balances, and both rebuilt from the entries. */
export async function stockOnHand(world: BenchWorld, count: number, entries: number): Promise<void> {
  const stock = await stockOf(world, count);
  const { principal } = stock;
  await step(`fill ${entries} entries`, () => fill(world, stock, entries));
  const { app } = await world.api();
  const session = await sessionOf(world, app, principal);
  const list = async (filter: object) => {
    const answer = await app.inject({
      method: 'POST',
      url: `/api${listStock.path}`,
      headers: { jsessionid: session },
      payload: { pagesize: 20, filter },
    });
    if (answer.json<{ code: number }>().code !== 201) throw new Error(answer.body.slice(0, 200));
  };
  const hand = `SELECT s.*, p.sku, p.name FROM (
      SELECT product_id, warehouse_id, sum(qty) FILTER (WHERE status = 'AVAILABLE') AS available, sum(qty) AS total
        FROM warehouse.stock_balance WHERE company_id = $1 AND status <> 'OUTSIDE' GROUP BY 1, 2) AS s
      JOIN product.local_product AS p ON p.company_id = $1 AND p.id = s.product_id`;
  const byHand = async () => {
    await world.admin.query(`${hand} ORDER BY p.sku LIMIT 20`, [principal.companyId]);
    await world.admin.query(`SELECT count(*), sum(available), sum(total) FROM (${hand}) AS x`, [principal.companyId]);
  };
  const one = { skus: ['SKU-000007'] };
  const handOne = () => world.admin.query(`${hand} WHERE p.sku = 'SKU-000007'`, [principal.companyId]);
  report(`stock report, ${count} products`, await times(7, () => list({})), await times(7, byHand), 'ms', '<= 1.5');
  report('  one SKU', await times(9, () => list(one)), await times(9, handOne), 'ms', '<= 1.5');
  const group = `SELECT warehouse_id, product_id, location_id, lot_id, status, sum(qty), max(seq) FROM warehouse.stock_entry
    WHERE company_id = $1 GROUP BY 1, 2, 3, 4, 5`;
  const grouped = await times(2, () =>
    world.admin.query(`SELECT count(*) FROM (${group}) AS g`, [principal.companyId]),
  );
  const ledger = (call: string) =>
    times(1, () => inTenant(world.runtime, principal, (ctx) => ctx.client.query(call), { timeoutMs: 30 * 60_000 }));
  report(
    `balances rebuilt from ${entries} entries`,
    await ledger('SELECT warehouse.rebuild_balances()'),
    grouped,
    'ms',
    '<= 1.3',
  );
  await world.admin.query('CREATE TABLE by_hand (LIKE warehouse.daily_snapshot INCLUDING INDEXES)');
  const days = await times(1, async () => {
    await world.admin.query('TRUNCATE by_hand');
    await world.admin.query(
      `INSERT INTO by_hand (company_id, warehouse_id, product_id, status, business_date, qty, amount)
       SELECT $1, warehouse_id, product_id, status, business_date,
              sum(sum(qty)) OVER (PARTITION BY warehouse_id, product_id, status ORDER BY business_date), 0
         FROM warehouse.stock_entry WHERE company_id = $1 GROUP BY warehouse_id, product_id, status, business_date`,
      [principal.companyId],
    );
  });
  report('snapshots rebuilt', await ledger('SELECT warehouse.fold_snapshots(true)'), days, 'ms', '<= 1.5');
}
