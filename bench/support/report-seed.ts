import type { Principal } from '#kit/server/context.ts';
import { step } from './measure.ts';
import { loadBare } from './seed.ts';
import type { BenchWorld } from './world.ts';

export const SITE = 'ATVPDKIKX0DER';
export const DAYS = 730;
/** Days between two on which a listing is visited: most of a large catalogue is not looked at on most days. */
const VISITED_EACH = 5;
/** Days between two payments for a listing's goods. */
const PAID_EACH = 300;
/** Sales of a listing in two years, each a transaction of three amounts; those of the last three weeks are open. */
const SALES = 6;
const OPEN_DAYS = 21;

/**
 * Loads a table without the triggers that follow its rows and without its keys: what they keep is made once, afterwards, and
 * that the account of millions of rows is there need not be asked for each.
 */
async function loadQuiet({ admin }: BenchWorld, table: string, load: () => Promise<unknown>): Promise<void> {
  const { rows: keys } = await admin.query<{ name: string; definition: string }>(
    `SELECT quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition FROM pg_constraint AS k
      WHERE conrelid = $1::regclass AND contype = 'p'
        AND NOT EXISTS (SELECT FROM pg_constraint AS other WHERE other.confrelid = k.conrelid)`,
    [table],
  );
  await admin.query(`ALTER TABLE ${table} DISABLE TRIGGER ALL`);
  for (const { name } of keys) await admin.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  await loadBare(admin, table, async () => {
    await step(`rows of ${table}`, load);
    await admin.query(`SET maintenance_work_mem = '1GB'`);
    for (const { name, definition } of keys) {
      await step(name, () => admin.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`));
    }
  });
  await admin.query(`ALTER TABLE ${table} ENABLE TRIGGER ALL`);
}

/** Two years of a store with `count` listings in the tables of Amazon's reports, but for its visits, and of its money. */
export async function fillReports(
  world: BenchWorld,
  { companyId }: Principal,
  account: string,
  count: number,
): Promise<void> {
  const { admin } = world;
  const of = [companyId, account, SITE];
  await admin.query(
    `INSERT INTO listing.listing (company_id, account_id, marketplace_id, seller_sku, asin, title, currency, fulfilled_by, status,
       source, as_of, first_seen_at)
     SELECT $1, $2, $3, 'SKU-' || n, 'B' || n, 'Garden chair number ' || n, 'USD', 'AMAZON', 'ACTIVE', 'api', now(), now()
       FROM generate_series(1, ${count}) AS n`,
    of,
  );
  await loadQuiet(world, 'inventory.storage_fee', () =>
    admin.query(
      `INSERT INTO inventory.storage_fee (company_id, account_id, day, row_id, stock, marketplace_id, document_id, seller_sku, fnsku,
         asin, title, centre, country, volume_unit, size_tier, average, currency, fee)
       SELECT $1, $2, (date_trunc('month', current_date) - make_interval(months => m))::date, gen_random_uuid(), 'US', $3, $1,
              'SKU-' || n, 'X' || n, 'B' || n, 'Garden chair', 'LAX9', 'US', 'cubic feet', 'Large', 1 + n % 90, 'USD', 1 + n % 50
         FROM generate_series(24, 1, -1) AS m CROSS JOIN LATERAL generate_series(1, ${count}) AS n`,
      of,
    ),
  );
  await loadQuiet(world, 'inventory.reimbursement', () =>
    admin.query(
      `INSERT INTO inventory.reimbursement (company_id, account_id, day, row_id, stock, marketplace_id, document_id, approved_at,
         reimbursement_id, case_id, order_id, reason, seller_sku, fnsku, asin, title, condition, currency, amount, quantity_cash,
         quantity_inventory, quantity, original_id, original_type)
       SELECT $1, $2, current_date - d, gen_random_uuid(), 'US', $3, $1, now() - make_interval(days => d), d || '-' || n, '', '',
              'Lost_Warehouse', 'SKU-' || n, 'X' || n, 'B' || n, '', 'New', 'USD', 5 + n % 40, 1, 0, 1, '', ''
         FROM generate_series(${DAYS}, 1, -1) AS d
        CROSS JOIN LATERAL generate_series(1 + d * 23 % ${PAID_EACH}, ${count}, ${PAID_EACH}) AS n`,
      of,
    ),
  );
  await admin.query(
    `INSERT INTO inventory.fee_audit (company_id, account_id, day, row_id, stock, marketplace_id, seller_sku, fnsku, asin, title, currency,
       amazon_sides, amazon_tier, amazon_fee, own_fee, card, diff, tolerance, units_30, monthly, verdict, measured_since, happening)
     SELECT $1, $2, current_date, gen_random_uuid(), 'US', $3, 'SKU-' || n, 'X' || n, 'B' || n, 'Garden chair', 'USD', '{30,20,10}',
            'Large', 4 + n % 5, 4, 'US 2026-01-15', n % 5, 0.1, n % 60, n % 5 * (n % 60), 'HIGHER', current_date, n::text
       FROM generate_series(1, ${count}) AS n`,
    of,
  );
  await fillMoney(world, of, count);
  for (const table of ['listing.listing', 'inventory.fee_audit']) {
    await admin.query(`VACUUM (ANALYZE) ${table}`);
  }
}

/** Two years of visits of the same listings, a row for each that is looked at on a day and one for the site. */
export async function fillTraffic(
  world: BenchWorld,
  { companyId }: Principal,
  account: string,
  count: number,
): Promise<void> {
  const { admin } = world;
  const of = [companyId, account, SITE];
  await loadQuiet(world, 'report.traffic', () =>
    admin.query(
      `INSERT INTO report.traffic (company_id, account_id, day, row_id, stock, marketplace_id, document_id, seller_sku, asin, level,
         parent_asin, currency, sales, sales_b2b, units, units_b2b, items, items_b2b, refunded, shipped, sessions, browser_sessions,
         page_views, browser_page_views, featured)
       SELECT $1, $2, current_date - d, gen_random_uuid(), $3, $3, $1, CASE n WHEN 0 THEN '' ELSE 'SKU-' || n END,
              CASE n WHEN 0 THEN '' ELSE 'B' || n END, CASE n WHEN 0 THEN 'site' ELSE 'sku' END, 'P' || n / 8, 'USD',
              n % 7 * 9.99, 0, n % 7, 0, n % 7, 0, 0, 0, 1 + (n + d) % 40, 0, 1 + (n + d) % 55, 0, 50 + n % 50
         FROM generate_series(${DAYS}, 1, -1) AS d
        CROSS JOIN LATERAL (SELECT 0 AS n UNION ALL SELECT generate_series(1 + d * 2 % ${VISITED_EACH}, ${count}, ${VISITED_EACH})) AS x`,
      of,
    ),
  );
  await admin.query(
    `INSERT INTO report.traffic_dirty (company_id, account_id, marketplace_id, month)
     SELECT DISTINCT $1::uuid, $2::uuid, $3, date_trunc('month', current_date - d)::date FROM generate_series(1, ${DAYS}) AS d`,
    of,
  );
  await admin.query('VACUUM (ANALYZE) report.traffic_dirty');
}

/** Sales of two years as transactions; all but the last weeks' stand in settlements of two weeks each. */
async function fillMoney(world: BenchWorld, of: readonly string[], count: number): Promise<void> {
  const { admin } = world;
  await admin.query(
    `WITH made AS (
       INSERT INTO settlement.source_doc (company_id, account_id, kind, external_id, currency, total, content_hash)
       SELECT $1, $2, 'SETTLEMENT', 's' || w, 'USD', 0, '' FROM generate_series(0, ${DAYS / 14}) AS w RETURNING id, external_id)
     INSERT INTO settlement.settlement (company_id, id, account_id, settlement_id, version, form, marketplace_id, currency, start_at,
       end_at, total_amount, line_sum, line_count, order_count, unmapped_count, file_name, sha256)
     SELECT $1, id, $2, external_id, 1, 'v2', $3, 'USD', now() - make_interval(weeks => 2 + 2 * substr(external_id, 2)::int),
            now() - make_interval(weeks => 2 * substr(external_id, 2)::int), 0, 0, 0, 0, 0, '', '' FROM made`,
    [...of],
  );
  await loadQuiet(world, 'settlement.source_doc', () =>
    admin.query(
      `INSERT INTO settlement.source_doc (company_id, account_id, kind, external_id, currency, total, content_hash, marketplace_id, status,
         posted_at, order_id, state, superseded_why, superseded_by)
       SELECT $1, $2, 'TRANSACTION', n || '-' || k, 'USD', 16, '', $3, CASE WHEN n % 4 = 0 THEN 'DEFERRED' ELSE 'RELEASED' END,
              now() - make_interval(days => d), n || '-' || k, CASE WHEN d > ${OPEN_DAYS} THEN 'SUPERSEDED' ELSE 'ACTIVE' END,
              CASE WHEN d > ${OPEN_DAYS} THEN 'SETTLED' END, CASE WHEN d > ${OPEN_DAYS} THEN s.id END
         FROM generate_series(1, ${count}) AS n, generate_series(1, ${SALES}) AS k,
              LATERAL (SELECT 1 + (n * 31 + k * 120) % ${DAYS - 1} AS d) AS x
         JOIN settlement.settlement AS s ON s.company_id = $1 AND s.settlement_id = 's' || greatest(0, (x.d - 14) / 14)
        ORDER BY d DESC`,
      [...of],
    ),
  );
  await loadQuiet(world, 'settlement.money_line', () =>
    admin.query(
      `INSERT INTO settlement.money_line (company_id, source_doc_id, line_no, account_id, source, stage, marketplace_id, marketplace_from,
         transaction_type, amount_type, amount_description, fee_code, pl_section, mapping_version, order_id, sku, sku_from, quantity,
         amount, currency, posted_at, posted_date)
       SELECT $1, d.id, l.no, $2, 'TRANSACTION', 'RELEASED', $3, 'FILE', 'Shipment', '', '', l.code, '', 1, d.order_id,
              'SKU-' || split_part(d.order_id, '-', 1), 'FILE', l.quantity, l.amount, 'USD', d.posted_at, d.posted_at::date
         FROM settlement.source_doc AS d,
              (VALUES (1, 'PRINCIPAL', 1, 20.0), (2, 'COMMISSION', NULL, -3.0), (3, 'FBA_FULFIL', NULL, -4.0)) AS l (no, code, quantity, amount)
        WHERE d.company_id = $1 AND d.kind = 'TRANSACTION' ORDER BY d.posted_at`,
      [...of],
    ),
  );
}
