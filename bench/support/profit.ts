import { randomUUID } from 'node:crypto';
import type { AccountRef } from '#modules/marketplace/server/index.ts';
import { loadBare } from './seed.ts';
import type { BenchWorld } from './world.ts';

const SITE = 'ATVPDKIKX0DER';

/** Sale, commission and FBA fee of one piece; money of the store without a SKU: storage, advertising. */
const KINDS = `(VALUES ('PRINCIPAL', 'REVENUE', 29.99), ('COMMISSION', 'FEE', -4.50), ('FBA_FULFIL', 'FEE', -3.86))
  AS k (code, section, amount)`;
const SHOP = `(VALUES ('FBA_STORAGE', 'FEE', -812.37, '2026-06-15'::date), ('AD_CASH', 'ADS', -1204.11, '2026-06-20'::date))
  AS k (code, section, amount, day)`;

/** Days in June 2026 on which a SKU sold: every day where there are few SKUs, two days where there are many. */
const daysPerSku = (skus: number) => (skus <= 10_000 ? 30 : 2);

/** Settled money lines of June 2026: three lines for every SKU and each of its sales, two lines of the whole store. */
export async function seedMoney(
  world: BenchWorld,
  account: AccountRef,
  skus: number,
  salesPerSku = daysPerSku(skus),
): Promise<void> {
  const { admin } = world;
  const document = randomUUID();
  const key = [account.companyId, document, account.id];
  await admin.query(
    `INSERT INTO settlement.source_doc (company_id, id, account_id, kind, external_id, marketplace_id, currency, total, content_hash)
     VALUES ($1, $2, $3, 'SETTLEMENT', 'bench', '${SITE}', 'USD', 0, '-')`,
    key,
  );
  const columns = `company_id, source_doc_id, account_id, source, stage, marketplace_id, marketplace_from,
    transaction_type, amount_type, amount_description, mapping_version, currency, sku_from, line_no, fee_code, pl_section,
    amount, sku, quantity, order_id, posted_date, posted_at`;
  const fixed = `$1, $2, $3, 'SETTLEMENT', 'SETTLED', '${SITE}', 'FILE', 'Order', 'ItemPrice', 'Principal', 1, 'USD', 'FILE'`;
  await loadBare(admin, 'settlement.money_line', async () => {
    await admin.query(
      `INSERT INTO settlement.money_line (${columns})
       SELECT ${fixed}, row_number() OVER (), k.code, k.section, k.amount, 'SKU-' || n, CASE k.code WHEN 'PRINCIPAL' THEN 1 END,
              '111-' || lpad(n::text, 7, '0') || '-' || lpad(d::text, 7, '0'), day, day + interval '18 hours'
         FROM generate_series(1, $4::int) AS n
         CROSS JOIN generate_series(1, $5::int) AS d
         CROSS JOIN LATERAL (SELECT '2026-06-01'::date + (n * 7 + d * 11) % 30 AS day) AS at
         CROSS JOIN ${KINDS}`,
      [...key, skus, salesPerSku],
    );
    await admin.query(
      `INSERT INTO settlement.money_line (${columns})
       SELECT ${fixed}, -row_number() OVER (), k.code, k.section, k.amount, '', NULL, NULL, k.day, k.day + interval '18 hours'
         FROM ${SHOP}`,
      key,
    );
  });
}

const GROUPS = [
  ['principal', "'PRINCIPAL'"],
  ['shipping', "'SHIPPING', 'GIFTWRAP'"],
  ['promotion', "'PROMOTION'"],
  ['ship_back', "'SHIP_CHARGEBACK'"],
  ['refund', "'REFUND_PRINCIPAL', 'REFUND_SHIPPING', 'CHARGEBACK', 'A2Z'"],
  ['refund_fee', "'REFUND_FEE_BACK', 'REFUND_ADMIN', 'RESTOCKING', 'GOODWILL'"],
  ['commission', "'COMMISSION', 'CLOSING'"],
  ['dsf', "'DSF'"],
  ['fulfil', "'FBA_FULFIL', 'FBA_MCF'"],
  ['fba_other', "'FBA_INBOUND', 'FBA_REMOVAL', 'FBA_RETURN', 'PREP'"],
  ['storage', "'FBA_STORAGE', 'FBA_AGED', 'AWD'"],
  ['marketing', "'COUPON', 'DEAL', 'VINE'"],
  ['other_fee', "'SUBSCRIPTION', 'OTHER_FEE'"],
  ['ads', "'AD_CASH'"],
] as const;
const NAMES = GROUPS.map(([name]) => name).join(', ');
const SUMS = GROUPS.map(([, codes]) => `coalesce(sum(l.amount) FILTER (WHERE l.fee_code IN (${codes})), 0)`).join(', ');

/**
 * The month's rollup by hand, into an empty one: one INSERT … SELECT for the SKUs' own money, one for the store's money
 * shared by net sales. The cents that rounding leaves over are not handed out, which the product does.
 */
export async function recountByHand(world: BenchWorld, account: AccountRef, month: string): Promise<void> {
  const { admin } = world;
  const key = [account.companyId, account.id, month];
  const period = `>= $3::date AND %s < $3::date + interval '1 month'`;
  await admin.query('BEGIN');
  await admin.query(
    `INSERT INTO profit.profit_daily (company_id, account_id, marketplace_id, date, sku, currency, scope, ${NAMES}, units,
                                      orders, refund_units, settled_size)
     SELECT l.company_id, l.account_id, l.marketplace_id, l.posted_date, l.sku, l.currency, 'DIRECT', ${SUMS},
            coalesce(sum(l.quantity) FILTER (WHERE l.fee_code = 'PRINCIPAL'), 0),
            count(DISTINCT l.order_id) FILTER (WHERE l.fee_code = 'PRINCIPAL'),
            count(*) FILTER (WHERE l.fee_code = 'REFUND_PRINCIPAL'), sum(abs(l.amount))
       FROM settlement.money_line AS l
       JOIN settlement.source_doc AS d ON d.company_id = l.company_id AND d.id = l.source_doc_id AND d.state = 'ACTIVE'
      WHERE l.company_id = $1 AND l.account_id = $2 AND l.sku <> '' AND l.pl_section <> 'BALANCE'
        AND l.posted_date ${period.replace('%s', 'l.posted_date')}
      GROUP BY 1, 2, 3, 4, 5, 6`,
    key,
  );
  await admin.query(
    `INSERT INTO profit.profit_daily (company_id, account_id, marketplace_id, date, sku, currency, scope, storage, ads, settled_size)
     WITH weight AS (
       SELECT sku, currency, sum(principal + shipping + promotion + ship_back + refund) AS net FROM profit.profit_daily
        WHERE company_id = $1 AND account_id = $2 AND scope = 'DIRECT' AND date ${period.replace('%s', 'date')}
        GROUP BY 1, 2
     ), share AS (SELECT *, net / sum(net) OVER (PARTITION BY currency) AS part FROM weight WHERE net > 0),
     shop AS (
       SELECT l.posted_date, l.currency, sum(l.amount) FILTER (WHERE l.fee_code = 'FBA_STORAGE') AS storage,
              sum(l.amount) FILTER (WHERE l.fee_code = 'AD_CASH') AS ads, sum(abs(l.amount)) AS size
         FROM settlement.money_line AS l
        WHERE l.company_id = $1 AND l.account_id = $2 AND l.sku = '' AND l.posted_date ${period.replace('%s', 'l.posted_date')}
        GROUP BY 1, 2
     )
     SELECT $1, $2, '${SITE}', shop.posted_date, share.sku, shop.currency, 'SHARE', coalesce(round(storage * part, 2), 0),
            coalesce(round(ads * part, 2), 0), round(size * part, 2)
       FROM shop JOIN share USING (currency)`,
    key,
  );
  await admin.query('COMMIT');
}

const when = (scope: string, value: string) => `sum(CASE WHEN p.scope = '${scope}' THEN ${value} ELSE 0 END)`;

/**
 * The report's first page by hand, from the rollup: every SKU's figures in its own currency, best sellers first, with
 * their number and the totals over all of them. Each question reads the grouped rows of one and the same pass.
 */
export async function byHand(
  world: BenchWorld,
  companyId: string,
  period: { from: string; to: string },
): Promise<void> {
  const own =
    'principal + shipping + promotion + ship_back + refund + refund_fee + commission + dsf + fulfil + fba_other';
  const { rows } = await world.admin.query(
    `WITH g AS MATERIALIZED (
       SELECT p.sku, p.currency, ${when('DIRECT', 'principal + shipping')} AS sales,
              ${when('DIRECT', 'promotion + ship_back')} AS promotion, ${when('DIRECT', 'refund')} AS refund,
              ${when('DIRECT', 'commission + dsf')} AS commission, ${when('DIRECT', 'refund_fee')} AS refund_fee,
              ${when('DIRECT', 'fulfil + fba_other + storage')} AS fba, ${when('DIRECT', 'marketing + other_fee')} AS other_fee,
              ${when('SHARE', 'storage')} AS storage_share,
              ${when('SHARE', `${own} + marketing + other_fee + reimbursement + tax + unmapped`)} AS other_share,
              sum(p.ads) AS ads, ${when('DIRECT', 'reimbursement')} AS reimbursement, ${when('DIRECT', 'tax')} AS tax,
              ${when('DIRECT', 'unmapped')} AS unmapped, sum(p.units) AS units, sum(p.orders) AS orders,
              sum(p.refund_units) AS refund_units, sum(p.units - p.cost_units) AS cost_missing, sum(p.cost_cny) AS cost,
              sum(p.settled_size) AS settled, sum(p.settled_size + p.open_size) AS size
         FROM profit.profit_daily AS p
        WHERE p.company_id = $1 AND p.date BETWEEN $2::date AND $3::date GROUP BY 1, 2
     ), total AS (
       SELECT count(*) AS n, sum(sales) AS sales, sum(promotion) AS promotion, sum(refund) AS refund,
              sum(commission) AS commission, sum(refund_fee) AS refund_fee, sum(fba) AS fba, sum(other_fee) AS other_fee,
              sum(storage_share) AS storage_share, sum(other_share) AS other_share, sum(ads) AS ads,
              sum(reimbursement) AS reimbursement, sum(tax) AS tax, sum(unmapped) AS unmapped, sum(units) AS units,
              sum(orders) AS orders, sum(refund_units) AS refund_units, sum(cost) AS cost FROM g
     )
     SELECT r.*, (SELECT to_jsonb(total) FROM total) AS totals
       FROM (SELECT * FROM g ORDER BY sales DESC, sku DESC LIMIT 20) AS r ORDER BY r.sales DESC, r.sku DESC`,
    [companyId, period.from, period.to],
  );
  if (rows.length !== 20) throw new Error(`${rows.length} rows by hand`);
}

/** The amount columns of an order. */
export const ORDER_GROUPS = [...GROUPS.map(([name]) => name), 'reimbursement', 'tax', 'unmapped'] as const;

/** Money of every order by hand, into an empty rollup: one INSERT … SELECT … GROUP BY. Costs are not looked up. */
export async function recountOrdersByHand(world: BenchWorld, account: AccountRef): Promise<void> {
  await world.admin.query(
    `INSERT INTO profit.order_profit (company_id, account_id, marketplace_id, order_id, currency, first_date, last_date,
                                      ${NAMES}, reimbursement, tax, unmapped, units, refund_units, cost_units, cost_cny,
                                      settled_size, open_size)
     SELECT l.company_id, l.account_id, l.marketplace_id, l.order_id, l.currency, min(l.posted_date), max(l.posted_date),
            ${SUMS}, 0, 0, 0, coalesce(sum(l.quantity) FILTER (WHERE l.fee_code = 'PRINCIPAL'), 0), 0, 0, 0,
            sum(abs(l.amount)), 0
       FROM settlement.money_line AS l
       JOIN settlement.source_doc AS d ON d.company_id = l.company_id AND d.id = l.source_doc_id AND d.state = 'ACTIVE'
      WHERE l.company_id = $1 AND l.account_id = $2 AND l.order_id IS NOT NULL AND l.pl_section <> 'BALANCE'
      GROUP BY 1, 2, 3, 4, 5`,
    [account.companyId, account.id],
  );
}

/** A year of the rollup in CNY: every SKU on four days of each month, its own money and its part of the store's; listings of ten to a family. */
export async function seedYear(world: BenchWorld, account: AccountRef, skus: number): Promise<void> {
  const { admin } = world;
  const key = [account.companyId, account.id, skus];
  await admin.query(
    `INSERT INTO listing.listing (company_id, account_id, marketplace_id, seller_sku, asin, parent_asin, title, currency,
                                  fulfilled_by, status, source, as_of, first_seen_at)
     SELECT $1, $2, '${SITE}', 'SKU-' || n, 'B' || lpad(n::text, 9, '0'), 'P' || lpad((n / 10)::text, 9, '0'), 'goods ' || n, 'CNY',
            'AMAZON', 'ACTIVE', 'api', now(), now()
       FROM generate_series(1, $3::int) AS n`,
    key,
  );
  await admin.query(
    `INSERT INTO profit.profit_daily (company_id, account_id, marketplace_id, date, sku, currency, scope, principal, commission,
                                      fulfil, storage, ads, units, orders, cost_units, cost_cny, settled_size)
     SELECT $1, $2, '${SITE}', '2025-01-01'::date + m * 30 + d * 7, 'SKU-' || n, 'CNY', scope,
            CASE scope WHEN 'DIRECT' THEN 100 + n % 97 ELSE 0 END, CASE scope WHEN 'DIRECT' THEN -15.5 ELSE 0 END,
            CASE scope WHEN 'DIRECT' THEN -20.25 ELSE 0 END, CASE scope WHEN 'SHARE' THEN -1.37 ELSE 0 END,
            CASE scope WHEN 'SHARE' THEN -2.11 ELSE 0 END, CASE scope WHEN 'DIRECT' THEN 2 ELSE 0 END,
            CASE scope WHEN 'DIRECT' THEN 2 ELSE 0 END, CASE scope WHEN 'DIRECT' THEN 2 ELSE 0 END,
            CASE scope WHEN 'DIRECT' THEN 40.4 ELSE 0 END, 140
       FROM generate_series(1, $3::int) AS n CROSS JOIN generate_series(0, 11) AS m CROSS JOIN generate_series(0, 3) AS d
      CROSS JOIN (VALUES ('DIRECT'), ('SHARE')) AS s (scope)`,
    key,
  );
  await admin.query(
    `INSERT INTO profit.currency_day (company_id, account_id, marketplace_id, date, currency)
     SELECT DISTINCT company_id, account_id, marketplace_id, date, currency FROM profit.profit_daily WHERE company_id = $1`,
    [account.companyId],
  );
  await admin.query('VACUUM (ANALYZE) profit.profit_daily');
  await admin.query('ANALYZE listing.listing');
}

const FIGURES_BY_HAND = `${when('DIRECT', 'principal + shipping')} AS sales, ${when('DIRECT', 'promotion + ship_back')} AS promotion,
  ${when('DIRECT', 'refund')} AS refund, ${when('DIRECT', 'commission + dsf')} AS commission,
  ${when('DIRECT', 'refund_fee')} AS refund_fee, ${when('DIRECT', 'fulfil + fba_other + storage')} AS fba,
  ${when('DIRECT', 'marketing + other_fee')} AS other_fee, ${when('SHARE', 'storage')} AS storage_share,
  ${when('SHARE', 'principal + shipping + promotion + ship_back + refund + refund_fee + commission + dsf + fulfil + fba_other + marketing + other_fee + reimbursement + tax + unmapped')} AS other_share,
  sum(p.ads) AS ads, ${when('DIRECT', 'reimbursement')} AS reimbursement, ${when('DIRECT', 'tax')} AS tax,
  ${when('DIRECT', 'unmapped')} AS unmapped, sum(p.units) AS units, sum(p.orders) AS orders, sum(p.refund_units) AS refund_units,
  sum(p.units - p.cost_units) AS cost_missing, sum(p.cost_cny) AS cost, sum(p.settled_size) AS settled,
  sum(p.settled_size + p.open_size) AS size`;

/** The statement by hand: figures of each month, in the one currency of the rollup. */
export async function monthsByHand(
  world: BenchWorld,
  companyId: string,
  period: { from: string; to: string },
): Promise<void> {
  const { rows } = await world.admin.query(
    `SELECT date_trunc('month', p.date) AS month, p.currency, ${FIGURES_BY_HAND} FROM profit.profit_daily AS p
      WHERE p.company_id = $1 AND p.date BETWEEN $2::date AND $3::date GROUP BY 1, 2 ORDER BY 1`,
    [companyId, period.from, period.to],
  );
  if (rows.length !== 12) throw new Error(`${rows.length} months by hand`);
}

/** The first page of families by hand: the rollup by SKU, its listings, and their families, best sellers first. */
export async function familiesByHand(
  world: BenchWorld,
  companyId: string,
  period: { from: string; to: string },
): Promise<void> {
  const { rows } = await world.admin.query(
    `WITH g AS MATERIALIZED (
       SELECT p.account_id, p.marketplace_id, p.sku, p.currency, ${FIGURES_BY_HAND} FROM profit.profit_daily AS p
        WHERE p.company_id = $1 AND p.date BETWEEN $2::date AND $3::date GROUP BY 1, 2, 3, 4
     ), family AS MATERIALIZED (
       SELECT coalesce(nullif(l.parent_asin, ''), l.asin) AS family, g.currency, sum(sales) AS sales, sum(promotion) AS promotion,
              sum(refund) AS refund, sum(commission) AS commission, sum(refund_fee) AS refund_fee, sum(fba) AS fba,
              sum(other_fee) AS other_fee, sum(storage_share) AS storage_share, sum(other_share) AS other_share, sum(ads) AS ads,
              sum(reimbursement) AS reimbursement, sum(tax) AS tax, sum(unmapped) AS unmapped, sum(units) AS units,
              sum(orders) AS orders, sum(refund_units) AS refund_units, sum(cost_missing) AS cost_missing, sum(cost) AS cost,
              sum(settled) AS settled, sum(size) AS size
         FROM g LEFT JOIN listing.listing AS l ON l.company_id = $1 AND l.account_id = g.account_id
          AND l.marketplace_id = g.marketplace_id AND l.seller_sku = g.sku
        GROUP BY 1, 2
     )
     SELECT f.*, (SELECT to_jsonb(t) FROM (SELECT count(*) AS n, sum(sales) AS sales, sum(cost) AS cost, sum(ads) AS ads FROM family) AS t)
       FROM family AS f ORDER BY f.sales DESC, f.family LIMIT 20`,
    [companyId, period.from, period.to],
  );
  if (rows.length !== 20) throw new Error(`${rows.length} families by hand`);
}

/** The settlement that the money of seedMoney() is of. */
export async function seedSettlement(world: BenchWorld, account: AccountRef): Promise<void> {
  await world.admin.query(
    `INSERT INTO settlement.settlement (company_id, id, account_id, settlement_id, version, form, marketplace_id, currency,
                                        end_at, deposit_at, total_amount, line_sum, line_count, order_count,
                                        unmapped_count, file_name, sha256)
     SELECT d.company_id, d.id, d.account_id, d.external_id, 1, 'v2', '${SITE}', 'USD', '2026-07-01', '2026-07-03',
            sum(l.amount), sum(l.amount), count(*), 0, 0, 'bench', '-'
       FROM settlement.source_doc AS d
       JOIN settlement.money_line AS l ON l.company_id = d.company_id AND l.source_doc_id = d.id
      WHERE d.company_id = $1 AND d.account_id = $2
      GROUP BY d.company_id, d.id, d.account_id, d.external_id`,
    [account.companyId, account.id],
  );
}

/**
 * The first page of a settlement by hand: its lines added up by SKU, best sellers first, with their number and the sums of
 * all. Costs are not looked up.
 */
export async function settledByHand(world: BenchWorld, account: AccountRef): Promise<void> {
  const added = GROUPS.map(([name]) => `sum(${name})`).join(', ');
  const named = GROUPS.map(
    ([name, codes]) => `coalesce(sum(l.amount) FILTER (WHERE l.fee_code IN (${codes})), 0) AS ${name}`,
  );
  const { rows } = await world.admin.query(
    `WITH g AS MATERIALIZED (
       SELECT l.sku, l.currency, ${named.join(', ')},
              coalesce(sum(l.quantity) FILTER (WHERE l.fee_code = 'PRINCIPAL'), 0) AS units,
              count(DISTINCT l.order_id) FILTER (WHERE l.fee_code = 'PRINCIPAL') AS orders
         FROM settlement.settlement AS s
         JOIN settlement.money_line AS l ON l.company_id = s.company_id AND l.source_doc_id = s.id
        WHERE s.company_id = $1 AND s.superseded_at IS NULL AND l.pl_section <> 'BALANCE' GROUP BY 1, 2
     )
     SELECT r.*, (SELECT to_jsonb(t) FROM (SELECT count(*), ${added} FROM g) AS t) AS totals
       FROM (SELECT * FROM g ORDER BY principal DESC, sku LIMIT 20) AS r`,
    [account.companyId],
  );
  if (rows.length !== 20) throw new Error(`${rows.length} rows by hand`);
}
