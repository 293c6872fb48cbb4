import { type Sellers, US } from './listings.ts';
import { step } from './measure.ts';
import { loadBare } from './seed.ts';
import type { BenchWorld } from './world.ts';

/** Days back from today of what is told of two years. */
const YEARS = 730;
/** The same for row `k` of many. */
const AGO = `make_interval(mins => (k * 7919::bigint % (${YEARS} * 1440))::int)`;
/** Listings of a company in a fixed order, and of them only those that Amazon delivers in the US. */
const listed = (where = 'true') => `(
  SELECT *, (row_number() OVER (ORDER BY id))::int AS k FROM listing.listing WHERE company_id = $1 AND ${where}) AS l`;
const AT_AMAZON = `fulfilled_by = 'AMAZON' AND marketplace_id = '${US}'`;

type Fill = readonly [table: string, text: string];

/** Rows of two years, so many to each listing as real sellers have: most sell now and then, some are read about each week. */
const fills = (count: number): readonly Fill[] => [
  [
    'sales.sku_day',
    `INSERT INTO sales.sku_day (company_id, account_id, marketplace_id, local_date, seller_sku, asin, fulfilled_by, is_business,
       currency, orders, order_items, units, gross_units, cancelled_units, shipped_units, product_sales, estimated_sales,
       discount, shipping_sales, tax, replacement_units, mcf_units, zero_price_units, unpriced_units)
     SELECT $1, account_id, marketplace_id, (current_date - 1 - (k + d * 37) % ${YEARS})::date, seller_sku, asin, 'AMAZON', false,
            currency, 1, 1, 1 + k % 5, 1, 0, 1, 20, 0, 0, 0, 0, 0, 0, 0, 0
       FROM ${listed()}, generate_series(0, 19) AS d ORDER BY 4, 5`,
  ],
  [
    'inventory.fba_stock',
    `INSERT INTO inventory.fba_stock (company_id, account_id, marketplace_id, seller_sku, condition, asin, fnsku, fulfillable,
       unsellable, reserved, reserved_transfer, inbound_shipped, source, as_of)
     SELECT $1, account_id, marketplace_id, seller_sku, 'New', asin, fnsku, k * 7 % 400, k % 3, k % 20, k % 9, k % 50, 'api', now()
       FROM ${listed(`fulfilled_by = 'AMAZON'`)}`,
  ],
  [
    'inventory.planning_day',
    `INSERT INTO inventory.planning_day (company_id, account_id, day, row_id, stock, marketplace_id, document_id, seller_sku,
       fnsku, asin, title, condition, available, pending_removal, age_0, age_91, age_181, age_271, age_366, age_456, currency,
       shipped_7, shipped_30, shipped_60, shipped_90, alert, action, storage_type, supply_days, excess, inbound, reserved,
       unfulfillable, health, ship_in_day)
     SELECT $1, account_id, current_date - 60 * d, gen_random_uuid(), 'US', marketplace_id, $1, seller_sku, fnsku, asin, '', 'New',
            k % 400, 0, k % 90, k % 40, k % 9, k % 5, k % 3, 0, 'USD', k % 9, k % 40, k % 80, k % 120, '',
            CASE WHEN k % 30 = 0 THEN 'Create sale' ELSE '' END, 'Standard-Size', k % 300, 0, 0, 0, 0, 'Healthy', ''
       FROM ${listed(AT_AMAZON)}, generate_series(0, 11) AS d ORDER BY d, k`,
  ],
  [
    'inventory.fact_day',
    `INSERT INTO inventory.fact_day (company_id, account_id, report_type, stock, day, asked_at)
     SELECT DISTINCT company_id, account_id, 'GET_FBA_INVENTORY_PLANNING_DATA', stock, day, now()
       FROM inventory.planning_day WHERE company_id = $1`,
  ],
  [
    'inventory.aging_forecast',
    `INSERT INTO inventory.aging_forecast (company_id, account_id, day, row_id, per_day, tier, exempt, estimated, next_day, next_qty,
       next_fee, half_fee, half_storage, low_band)
     SELECT company_id, account_id, day, row_id, 1, '', false, 0, current_date + 10, age_181, age_181 * 0.5, age_181 * 3, 4, ''
       FROM inventory.planning_day WHERE company_id = $1 AND day = current_date`,
  ],
  [
    'inventory.claim',
    `INSERT INTO inventory.claim (company_id, number, state, type, account_id, marketplace_id, happening, reference, event_day, fnsku,
       seller_sku, asin, lost, found, paid, qty, unit_value, currency, opens_on, deadline)
     SELECT $1, 'CL' || k, (ARRAY['candidate', 'open', 'filed', 'paid', 'paid', 'paid', 'expired', 'resolved'])[1 + k % 8],
            (ARRAY['FC_LOST', 'FC_DAMAGED', 'CUSTOMER_REFUND_NO_RETURN'])[1 + k % 3], account_id, marketplace_id, k::text, 'R' || k,
            (current_date - k % ${YEARS})::date, fnsku, seller_sku, asin, 3, 0, 1, 2, 6.4, currency,
            (current_date - k % ${YEARS} + 1)::date, (current_date - k % ${YEARS} + 60)::date
       FROM ${listed()}`,
  ],
  [
    'listing.offer_change',
    `INSERT INTO listing.offer_change (company_id, listing_id, account_id, marketplace_id, seller_sku, kind, old_value, new_value,
       currency, status, feed_id, message_id, created_by_name, created_at)
     SELECT $1, id, account_id, marketplace_id, seller_sku, 'price', 10, 11 + d, currency,
            (ARRAY['confirmed', 'confirmed', 'confirmed', 'refused', 'superseded', 'unconfirmed'])[1 + (k + d) % 6], $1, k, '测量',
            now() - ${AGO.replace('k *', '(k * 4 + d) *')}
       FROM ${listed()}, generate_series(0, 3) AS d`,
  ],
  [
    'repricing.rule',
    `INSERT INTO repricing.rule (company_id, name, status, settings) SELECT $1, '规则' || n, 'ACTIVE', '{}' FROM generate_series(1, 20) AS n`,
  ],
  [
    'repricing.binding',
    `INSERT INTO repricing.binding (company_id, rule_id, listing_id, account_id, marketplace_id, seller_sku, min_price, max_price,
       pause_code)
     SELECT $1, r.ids[1 + k % 20], id, account_id, marketplace_id, seller_sku, 8, 99, CASE WHEN k % 25 = 0 THEN 'person' END
       FROM ${listed()}, (SELECT array_agg(id) AS ids FROM repricing.rule WHERE company_id = $1) AS r`,
  ],
  [
    'repricing.run',
    `INSERT INTO repricing.run (company_id, rule_id, rule_name, binding_id, listing_id, account_id, marketplace_id, seller_sku,
       currency, at, outcome, old_price, target, new_price, floor, words, inputs)
     SELECT $1, rule_id, '规则', b.id, listing_id, account_id, marketplace_id, seller_sku, 'USD', now() - ${AGO.replace('k *', '(k * 5 + d) *')},
            (ARRAY['sent', 'kept', 'kept', 'would'])[1 + (k + d) % 4], 10, 11, 11, 9, '跟随最低价', '{}'
       FROM (SELECT *, (row_number() OVER (ORDER BY id))::int AS k FROM repricing.binding WHERE company_id = $1) AS b, generate_series(0, 4) AS d`,
  ],
  [
    'publish.draft',
    `INSERT INTO publish.draft (company_id, account_id, marketplace_id, seller_sku, is_new, listing_id, origin, product_type,
       requirements, title, asin, base, attributes, state, created_by_name, created_at)
     SELECT $1, account_id, marketplace_id, seller_sku, false, id, 'listing', 'CHAIR', 'LISTING', title, asin,
            jsonb_build_object('item_name', jsonb_build_array(jsonb_build_object('value', title))),
            jsonb_build_object('item_name', jsonb_build_array(jsonb_build_object('value', title || '!'))),
            (ARRAY['live', 'live', 'live', 'draft', 'valid', 'rejected'])[1 + k % 6], '测量', now() - ${AGO} FROM ${listed()}`,
  ],
  [
    'alert.alert',
    `INSERT INTO alert.alert (company_id, kind, account_id, marketplace_id, seller_sku, figure, threshold, state, opened_at, closed_at)
     SELECT $1, 'stock.cover', account_id, marketplace_id, seller_sku, k % 30, 14, CASE WHEN k % 5 = 0 THEN 'OPEN' ELSE 'CLOSED' END,
            now() - ${AGO}, CASE WHEN k % 5 > 0 THEN now() END FROM ${listed()}`,
  ],
  [
    'vat.invoice',
    `INSERT INTO vat.invoice (company_id, account_id, marketplace_id, type, state, order_id, shipping_id, shipped_at, tax_day,
       currency, title, sku, net, tax, gross, number, issued_on, file_id)
     SELECT $1, account_id, marketplace_id, 'INVOICE', 'accepted', '111-' || k || '-' || d, 'S' || k || '-' || d,
            now() - ${AGO.replace('k *', '(k * 2 + d) *')}, (now() - ${AGO.replace('k *', '(k * 2 + d) *')})::date, 'EUR', title,
            seller_sku, 10, 2, 12, 'INV-' || k || '-' || d, current_date, $1
       FROM ${listed()}, generate_series(0, 1) AS d`,
  ],
  [
    'vat.invoice_line',
    `INSERT INTO vat.invoice_line (company_id, account_id, invoice_id, line_no, item_id, kind, sku, quantity, gross, rate, net, tax)
     SELECT company_id, account_id, id, 1, '1', 'ITEM', sku, 1, 12, 20, 10, 2 FROM vat.invoice WHERE company_id = $1`,
  ],
  [
    'worth.day',
    `INSERT INTO worth.day (company_id, day, stocks, stocks_known) SELECT $1, current_date - d, 2, 2 FROM generate_series(0, ${YEARS}) AS d`,
  ],
  [
    'worth.line',
    `INSERT INTO worth.line (company_id, month, key, from_day, to_day, stage, account_id, pool, seller_sku, product_id, source, qty,
       uncosted, purchase, first_leg, duty, other)
     SELECT $1, month::date, id, month::date, (month + interval '1 month')::date, 'FBA_FULFILLABLE', account_id, 'US', seller_sku, NULL,
            'COST', 1 + k % 300, 0, 20 * (1 + k % 300), 5, 1, 0
       FROM ${listed(AT_AMAZON)},
            generate_series(date_trunc('month', current_date) - interval '23 months', current_date, interval '1 month') AS month
      WHERE k <= ${Math.ceil(count / 2)} ORDER BY month, k`,
  ],
];

/** What two years told of a company's listings, written as the owner of the tables. */
export async function fillFacts(world: BenchWorld, { principal, count }: Sellers): Promise<void> {
  const { admin } = world;
  await admin.query("SET session_replication_role = 'replica'");
  for (const [table, text] of fills(count)) {
    await step(table, () => loadBare(admin, table, async () => void (await admin.query(text, [principal.companyId]))));
  }
  await admin.query("SET session_replication_role = 'origin'");
}
