import type { Principal } from '#kit/server/context.ts';
import { stockOf } from '../stock-posting.ts';
import { step } from './measure.ts';
import { loadBare } from './seed.ts';
import type { BenchWorld } from './world.ts';

export const SITE = 'ATVPDKIKX0DER';
/** Lines of a ship order, each of them an item of its shipment. */
export const LINES = 20;
/** Orders for one that is not over yet. */
const OPEN_EACH = 33;
const DAYS = 730;

export interface Shippers {
  principal: Principal;
  account: string;
  warehouse: string;
}

/** The state of order `n`: of those that are open some wait, some are on their way, some come in. */
const STATE = `CASE WHEN n % ${OPEN_EACH} > 0 THEN 'done'
  ELSE (ARRAY['draft', 'pending', 'packing', 'shipped', 'shipped', 'receiving'])[1 + n / ${OPEN_EACH} % 6] END`;
/** How long ago order `n` left: what is over within two years, what is open within two months. */
const AGO = (orders: string) => `make_interval(days => CASE WHEN n % ${OPEN_EACH} > 0
  THEN 30 + (${orders} - n) % ${DAYS - 30} ELSE 1 + n / ${OPEN_EACH} % 60 END)`;
const LEFT = `state IN ('shipped', 'receiving', 'done')`;

/** What a SKU sells, where it lies at Amazon's, what the planning report says of it, how large it is. */
async function fillSkus(world: BenchWorld, { principal, account, warehouse }: Shippers): Promise<void> {
  const { admin } = world;
  const { companyId } = principal;
  const of = [companyId, account, SITE];
  const products = `(SELECT *, row_number() OVER (ORDER BY sku) AS k FROM product.local_product WHERE company_id = $1) AS p`;
  await admin.query(
    `INSERT INTO listing.listing (company_id, account_id, marketplace_id, seller_sku, asin, title, currency, fulfilled_by,
       status, source, as_of, first_seen_at)
     SELECT $1, $2, $3, sku, 'B' || lpad(k::text, 9, '0'), 'Product ' || sku, 'USD', 'AMAZON', 'ACTIVE', 'api', now(), now()
       FROM ${products}`,
    of,
  );
  await admin.query(
    `INSERT INTO inventory.fba_stock (company_id, account_id, marketplace_id, seller_sku, condition, fulfillable, reserved,
       inbound_shipped, source, as_of)
     SELECT $1, $2, $3, sku, 'NEW', k % 90, k % 7, k % 11, 'api', now() FROM ${products}`,
    of,
  );
  await admin.query(
    `INSERT INTO product.dimension (company_id, product_id, role, length, width, height, weight)
     SELECT $1, id, 'packed', 10 + k % 30, 10, 5, 0.5 FROM ${products} WHERE $2::uuid IS NOT NULL AND $3::text IS NOT NULL`,
    of,
  );
  await admin.query(
    `INSERT INTO sales.sku_day (company_id, account_id, marketplace_id, local_date, seller_sku, asin, fulfilled_by, is_business,
       currency, orders, order_items, units, gross_units, cancelled_units, shipped_units, product_sales, estimated_sales,
       discount, shipping_sales, tax, replacement_units, mcf_units, zero_price_units, unpriced_units)
     SELECT $1, $2, $3, current_date - d, sku, '', 'AMAZON', false, 'USD', 1, 1, 1 + k % 5, 1, 0, 1, 20, 0, 0, 0, 0, 0, 0, 0, 0
       FROM ${products}, generate_series(1, 60) AS d WHERE (k + d) % 3 = 0 ORDER BY 4, 5`,
    of,
  );
  await admin.query(
    `INSERT INTO inventory.planning_day (company_id, account_id, day, row_id, stock, marketplace_id, document_id, seller_sku,
       fnsku, asin, title, condition, available, pending_removal, age_0, age_91, age_181, age_271, age_366, age_456, currency,
       shipped_7, shipped_30, shipped_60, shipped_90, alert, action, storage_type, excess, inbound, reserved, unfulfillable,
       health, ship_in_day)
     SELECT $1, $2, current_date - 7 * d, gen_random_uuid(), 'US', $3, $1, sku, '', '', sku, 'New', 0, 0, 0, 0, 0, 0, 0, 0,
            'USD', 0, 0, 0, 0, '', '', 'Standard-Size', 0, 0, 0, 0, '', ''
       FROM ${products}, generate_series(1, 10) AS d ORDER BY d, sku`,
    of,
  );
  await admin.query(
    `INSERT INTO warehouse.stock_balance (company_id, warehouse_id, product_id, location_id, lot_id, status, qty, delta, last_seq)
     SELECT $1, $2, id, $2, id, 'AVAILABLE', 500, 500, 1 FROM product.local_product WHERE company_id = $1`,
    [companyId, warehouse],
  );
}

/** Ship orders of two years with their parts and shipments: one in 33 is open. */
async function fillOrders(world: BenchWorld, shippers: Shippers, orders: number, skus: number): Promise<void> {
  const { admin } = world;
  const of = [shippers.principal.companyId, shippers.account, shippers.warehouse, SITE, orders];
  await loadBare(admin, 'shipping.ship_order', () =>
    admin
      .query(
        `INSERT INTO shipping.ship_order (company_id, number, state, account_id, marketplace_id, warehouse_id, to_warehouse_id,
         pack_type, transport, stock_mode, planned_on, shipment_no, carrier, created_at, shipped_at)
       SELECT $1, 'FH' || n, state, $2, $4, $3, CASE WHEN ${LEFT} THEN $3::uuid END, 'MIXED',
              (ARRAY['SEA', 'AIR', 'TRUCK'])[1 + n % 3], 'LOCAL', current_date,
              CASE WHEN ${LEFT} THEN 'FBA' || lpad(n::text, 9, '0') ELSE '' END, '测量货代', now() - ago - interval '9 days',
              CASE WHEN ${LEFT} THEN now() - ago END
         FROM (SELECT n, ${STATE} AS state, ${AGO('$5::int')} AS ago FROM generate_series(1, $5::int) AS n) AS x ORDER BY n`,
        of,
      )
      .then(() => undefined),
  );
  const lined = `shipping.ship_order AS o CROSS JOIN generate_series(1, ${LINES}) AS k
    CROSS JOIN LATERAL (SELECT substr(o.number, 3)::int AS n) AS x
    CROSS JOIN LATERAL (SELECT lpad(((n::bigint * 7919 + k * 104729) % ${skus})::text, 6, '0') AS sku) AS y`;
  await loadBare(admin, 'shipping.ship_order_line', () =>
    admin
      .query(
        `INSERT INTO shipping.ship_order_line (company_id, order_id, line_no, msku, title, qty, picked_qty, shipped_qty,
         received_qty, label_owner, prep_owner)
       SELECT $1, o.id, k, 'SKU-' || sku, sku, 40, CASE WHEN state IN ('draft', 'pending') THEN 0 ELSE 40 END,
              CASE WHEN ${LEFT} THEN 40 ELSE 0 END, CASE state WHEN 'done' THEN 40 WHEN 'receiving' THEN k ELSE 0 END,
              'SELLER', 'SELLER' FROM ${lined} WHERE o.company_id = $1 ON CONFLICT DO NOTHING`,
        of.slice(0, 1),
      )
      .then(() => undefined),
  );
  await loadBare(admin, 'shipping.ship_order_part', () =>
    admin
      .query(
        `INSERT INTO shipping.ship_order_part (company_id, order_id, line_id, product_id, qty_per)
       SELECT $1, l.order_id, l.id, p.id, 1 FROM shipping.ship_order_line AS l
         JOIN product.local_product AS p ON p.company_id = $1 AND p.sku = l.msku WHERE l.company_id = $1`,
        of.slice(0, 1),
      )
      .then(() => undefined),
  );
}

/** Amazon's shipments of the orders that left, and one in a hundred that no order made. */
async function fillShipments(world: BenchWorld, { principal, account }: Shippers): Promise<void> {
  const { admin } = world;
  const of = [principal.companyId, account, SITE];
  const told = (lost: string) => `SELECT $1::uuid, $2::uuid, $3, shipment_no || ${lost}, 'FBA STA', 'ONT8',
      CASE WHEN state = 'done' THEN 'CLOSED' WHEN state = 'receiving' THEN 'RECEIVING' ELSE 'IN_TRANSIT' END, ${LINES * 40},
      CASE WHEN state = 'done' AND substr(number, 3)::int % 50 > 0 THEN ${LINES * 40} ELSE 0 END, shipped_at, shipped_at + interval '30 days',
      CASE WHEN state <> 'shipped' THEN shipped_at + interval '25 days' END
    FROM shipping.ship_order WHERE company_id = $1 AND shipment_no <> ''`;
  await loadBare(admin, 'shipping.fba_shipment', () =>
    admin
      .query(
        `INSERT INTO shipping.fba_shipment (company_id, account_id, marketplace_id, shipment_no, name, center, status, shipped,
         received, first_seen_at, changed_at, delivered_at)
       ${told("''")} UNION ALL ${told("'X'")} AND substr(number, 3)::int % 100 = 0`,
        of,
      )
      .then(() => undefined),
  );
  await loadBare(admin, 'shipping.fba_shipment_item', () =>
    admin
      .query(
        `INSERT INTO shipping.fba_shipment_item (company_id, shipment_id, msku, shipped, received)
       SELECT $1, s.id, l.msku, 40, CASE WHEN s.status = 'CLOSED' THEN 40 ELSE 0 END FROM shipping.fba_shipment AS s
         JOIN shipping.ship_order AS o ON o.company_id = $1 AND o.account_id = s.account_id
          AND o.shipment_no = rtrim(s.shipment_no, 'X')
         JOIN shipping.ship_order_line AS l ON l.company_id = $1 AND l.order_id = o.id WHERE s.company_id = $1`,
        of.slice(0, 1),
      )
      .then(() => undefined),
  );
}

async function fillRest(world: BenchWorld, { principal, account, warehouse }: Shippers): Promise<void> {
  const { admin } = world;
  const of = [principal.companyId, account, SITE];
  await admin.query(
    `INSERT INTO shipping.plan_item (company_id, account_id, marketplace_id, msku, warehouse_id, transport, qty)
     SELECT $1, $2, $3, sku, $4, 'SEA', 60 FROM product.local_product WHERE company_id = $1 AND right(sku, 2) = '07'`,
    [...of, warehouse],
  );
  await admin.query(
    `INSERT INTO shipping.quota (company_id, account_id, marketplace_id, stock, storage_type, month, unit, room)
     SELECT $1, $2, $3, 'US', t, date_trunc('month', current_date)::date - make_interval(months => m), 'M3', 900
       FROM unnest(ARRAY['STANDARD', 'OVERSIZE']) AS t, generate_series(0, 23) AS m`,
    of,
  );
}

/**
 * A store that sells so many SKUs out of Amazon's stock, and so many lines of ship orders and items of shipments of two
 * years, written as the owner of the tables.
 */
export async function shippersOf(world: BenchWorld, skus: number, lines: number): Promise<Shippers> {
  const { principal, warehouse } = await step(`${skus} SKUs`, () => stockOf(world, skus));
  const { id: account } = await world.account(principal);
  await world.admin.query("UPDATE marketplace.seller_account SET status = 'active' WHERE id = $1", [account]);
  const shippers = { principal, account, warehouse };
  // What is written here by hand keeps its own promises: foreign keys of millions of rows need not be looked at.
  await world.admin.query("SET session_replication_role = 'replica'");
  await step('what SKUs sell and have', () => fillSkus(world, shippers));
  await step(`${lines} lines`, () => fillOrders(world, shippers, Math.ceil(lines / LINES), skus));
  await step('shipments', () => fillShipments(world, shippers));
  await fillRest(world, shippers);
  await world.admin.query("SET session_replication_role = 'origin'");
  await step('vacuum', () => world.admin.query('VACUUM (ANALYZE)'));
  return shippers;
}
