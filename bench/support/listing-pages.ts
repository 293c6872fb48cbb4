import { listAlerts } from '#modules/alert/contract/alerts.ts';
import { listClaims } from '#modules/inventory/contract/claim-calls.ts';
import { planning } from '#modules/inventory/contract/planning.ts';
import { listStock } from '#modules/inventory/contract.ts';
import { listOfferChanges } from '#modules/listing/contract/offers.ts';
import { listListings } from '#modules/listing/contract.ts';
import { listDeclared } from '#modules/product/contract/customs-value.ts';
import { countMatches, listMatches } from '#modules/product/contract/match.ts';
import { listSuggestions } from '#modules/product/contract/match-suggest.ts';
import { listDrafts } from '#modules/publish/contract/draft.ts';
import { listBindings } from '#modules/repricing/contract/bindings.ts';
import { listRules } from '#modules/repricing/contract/rules.ts';
import { listRuns } from '#modules/repricing/contract/runs.ts';
import { listInvoices } from '#modules/vat/contract/invoices.ts';
import { listWorth, worthTrend } from '#modules/worth/contract/worth.ts';
import { US } from './listings.ts';

/** A page with the statements that anybody would write for the same figures; those that name $2 get the first account. */
export interface ListingPage {
  name: string;
  path: string;
  body: object;
  byHand: readonly string[];
}

/** Stands in a body for the first account's site in the US. */
export const FIRST_SITE = 'FIRST-SITE';

/** How many rows there are, as far as a list counts them. */
const counted = (from: string) => `SELECT count(*) FROM (SELECT FROM ${from} LIMIT 10001) AS x`;

const listings = (where: string, order = 'opened_at DESC, id DESC') => [
  `SELECT *, (SELECT new_value FROM listing.offer_change AS c WHERE c.company_id = $1 AND c.listing_id = l.id AND kind = 'price'
      AND c.status IN ('queued', 'accepted')) FROM listing.listing AS l WHERE company_id = $1 ${where} ORDER BY ${order} LIMIT 20`,
  counted(`listing.listing AS l WHERE company_id = $1 ${where}`),
];

const PAIRED = `listing.listing AS l
  LEFT JOIN product.sku_match AS m ON m.company_id = $1 AND m.account_id = l.account_id AND m.marketplace_id = l.marketplace_id
   AND m.msku = l.seller_sku AND m.period @> current_date
  LEFT JOIN product.local_product AS i ON i.company_id = $1 AND i.sku_key = lower(btrim(l.seller_sku)) AND NOT i.is_spelling
  LEFT JOIN product.match_conflict AS x ON x.company_id = $1 AND x.account_id = l.account_id AND x.marketplace_id = l.marketplace_id
   AND x.msku = l.seller_sku
 WHERE l.company_id = $1 AND l.state <> 'GONE'`;
const of = (alias: string) => `${alias}.company_id = $1 AND ${alias}.account_id = l.account_id
   AND ${alias}.marketplace_id = l.marketplace_id AND ${alias}.msku = l.seller_sku`;
const CONFLICT = `EXISTS (SELECT FROM product.match_conflict AS c WHERE ${of('c')})`;
const MATCHED = `EXISTS (SELECT FROM product.sku_match AS y WHERE ${of('y')} AND y.period @> current_date)`;
const NAMED = `EXISTS (SELECT FROM product.local_product AS i
  WHERE i.company_id = $1 AND i.sku_key = lower(btrim(l.seller_sku)) AND NOT i.is_spelling)`;
const STATES = {
  unmatched: `AND NOT ${NAMED} AND NOT ${MATCHED} AND NOT ${CONFLICT}`,
  matched: `AND ${MATCHED} AND NOT ${CONFLICT}`,
  conflict: `AND ${CONFLICT}`,
};
const LISTED = `listing.listing AS l WHERE l.company_id = $1 AND l.state <> 'GONE'`;
const pairings = (where: string, order = 'l.sku_key, l.id') => [
  `SELECT s.*, m.*, (SELECT jsonb_agg(p.*) FROM product.sku_match_line AS n
      JOIN product.local_product AS p ON p.company_id = $1 AND p.id = n.product_id WHERE n.company_id = $1 AND n.match_id = m.id)
     FROM (SELECT l.* FROM ${LISTED} ${where} ORDER BY ${order} LIMIT 20) AS s
     LEFT JOIN product.sku_match AS m ON ${of('m').replaceAll('l.', 's.')} AND m.period @> current_date`,
  counted(`${LISTED} ${where}`),
];

const declared = (where: string) => {
  const all = `FROM listing.listing AS l
    LEFT JOIN product.declared_lock AS k ON k.company_id = $1 AND k.account_id = l.account_id
     AND k.marketplace_id = l.marketplace_id AND k.msku = l.seller_sku
   WHERE l.company_id = $1 AND l.state <> 'GONE' AND (l.price IS NOT NULL OR k.value IS NOT NULL)`;
  const values = `
    SELECT l.*, n.*, coalesce(k.value, round(l.price * coalesce(r.rate, o.rate), 2)) AS declared FROM listing.listing AS l
    LEFT JOIN product.declared_lock AS k ON k.company_id = $1 AND k.account_id = l.account_id
     AND k.marketplace_id = l.marketplace_id AND k.msku = l.seller_sku
    LEFT JOIN product.sku_match AS m ON m.company_id = $1 AND m.account_id = l.account_id AND m.marketplace_id = l.marketplace_id
     AND m.msku = l.seller_sku AND m.period @> current_date
    LEFT JOIN LATERAL (
      SELECT sum(e.qty * c.unit_cost) AS cost, min(p.category_id::text)::uuid AS category
        FROM (SELECT product_id, qty FROM product.sku_match_line WHERE company_id = $1 AND match_id = m.id UNION ALL
              SELECT id, 1 FROM product.local_product WHERE m.id IS NULL AND company_id = $1 AND sku_key = l.sku_key AND NOT is_spelling) AS e
        JOIN product.local_product AS p ON p.company_id = $1 AND p.id = e.product_id
        LEFT JOIN LATERAL (SELECT unit_cost FROM product.sku_cost AS s WHERE s.company_id = $1 AND s.sku = p.sku
           AND valid_from <= current_date ORDER BY valid_from DESC LIMIT 1) AS c ON true) AS n ON true
    LEFT JOIN product.declared_rate AS r ON r.company_id = $1 AND r.category_id = n.category
    LEFT JOIN product.declared_rate AS o ON o.company_id = $1 AND o.category_id IS NULL
     AND o.country = CASE l.marketplace_id WHEN 'A2EUQ1WTGCTBG2' THEN 'CA' ELSE '' END
   WHERE l.company_id = $1 AND l.state <> 'GONE' AND (l.price IS NOT NULL OR k.value IS NOT NULL)`;
  if (where === '')
    return [`${values} ORDER BY l.sku_key, l.id LIMIT 20`, `SELECT count(*) FROM (SELECT 1 ${all} LIMIT 10001) AS x`];
  return [
    `SELECT * FROM (${values}) AS v WHERE ${where} ORDER BY sku_key, id LIMIT 20`,
    `SELECT count(*) FROM (SELECT FROM (${values}) AS v WHERE ${where} LIMIT 10001) AS x`,
  ];
};

const bindings = (where: string) => [
  `SELECT b.*, p.title, p.price, u.* FROM repricing.binding AS b
     LEFT JOIN listing.listing AS p ON p.company_id = $1 AND p.id = b.listing_id
     LEFT JOIN LATERAL (SELECT at, words, floor FROM repricing.run AS u WHERE u.company_id = $1 AND u.binding_id = b.id
        ORDER BY at DESC LIMIT 1) AS u ON true
    WHERE b.company_id = $1 ${where} ORDER BY b.seller_sku, b.id LIMIT 20`,
  counted(`repricing.binding AS b WHERE b.company_id = $1 ${where}`),
];
const runs = (where: string) => [
  `SELECT * FROM repricing.run AS u WHERE u.company_id = $1 ${where} ORDER BY u.at DESC, u.id DESC LIMIT 20`,
  counted(`repricing.run AS u WHERE u.company_id = $1 ${where}`),
];
const changes = (where: string) => [
  `SELECT c.*, l.title, l.image_url FROM listing.offer_change AS c
     LEFT JOIN listing.listing AS l ON l.company_id = $1 AND l.id = c.listing_id
    WHERE c.company_id = $1 ${where} ORDER BY c.created_at DESC, c.id DESC LIMIT 20`,
  counted(`listing.offer_change AS c WHERE c.company_id = $1 ${where}`),
];
const drafts = (where: string) => [
  `SELECT * FROM publish.draft AS d WHERE company_id = $1 ${where} ORDER BY created_at DESC, id DESC LIMIT 20`,
  counted(`publish.draft AS d WHERE company_id = $1 ${where}`),
];
const alerts = (where: string) => [
  `SELECT a.*, p.title, p.image_url FROM alert.alert AS a
     LEFT JOIN listing.listing AS p ON p.company_id = $1 AND p.account_id = a.account_id AND p.marketplace_id = a.marketplace_id
      AND p.seller_sku = a.seller_sku
    WHERE a.company_id = $1 ${where} ORDER BY a.opened_at DESC, a.id DESC LIMIT 20`,
  counted(`alert.alert AS a WHERE a.company_id = $1 ${where}`),
];
const invoices = (where: string) => [
  `SELECT i.*, (SELECT min(rate) FROM vat.invoice_line AS l WHERE l.company_id = $1 AND l.invoice_id = i.id),
          (SELECT count(*) FROM vat.invoice_line AS l WHERE l.company_id = $1 AND l.invoice_id = i.id),
          (SELECT image_url FROM listing.listing AS p WHERE p.company_id = $1 AND p.account_id = i.account_id
              AND p.marketplace_id = i.marketplace_id AND p.seller_sku = i.sku)
     FROM vat.invoice AS i WHERE i.company_id = $1 ${where} ORDER BY i.shipped_at DESC, i.id DESC LIMIT 20`,
  counted(`vat.invoice AS i WHERE i.company_id = $1 ${where}`),
  `SELECT currency, sum(net) FILTER (WHERE number IS NOT NULL), sum(tax) FILTER (WHERE number IS NOT NULL), sum(gross)
     FROM vat.invoice AS i WHERE i.company_id = $1 ${where} GROUP BY 1`,
];
const SOLD = `(SELECT account_id, marketplace_id, seller_sku, sum(units) AS units30 FROM sales.sku_day
  WHERE company_id = $1 AND local_date >= current_date - 30 AND local_date < current_date GROUP BY 1, 2, 3)`;
const STOCK_SUMS = [
  'total',
  'on_hand',
  'fulfillable',
  'inbound',
  'inbound_working',
  'inbound_shipped',
  'inbound_receiving',
  'reserved',
  'reserved_customer',
  'reserved_transfer',
  'reserved_processing',
  'unsellable',
  'researching',
].map((name) => `sum(s.${name})`);
const STOCK_OF = `inventory.fba_stock AS s
    LEFT JOIN listing.listing AS p ON p.company_id = $1 AND p.account_id = s.account_id AND p.marketplace_id = s.marketplace_id
     AND p.seller_sku = s.seller_sku`;
/** What was sold is asked for the rows of the page alone. */
const stocks = (where: string) => {
  const from = `${STOCK_OF} WHERE s.company_id = $1 ${where}`;
  return [
    `SELECT s.*, u.units30, round(s.fulfillable * 30.0 / nullif(u.units30, 0), 1)
       FROM (SELECT s.*, p.title FROM ${from} ORDER BY s.total DESC, s.id DESC LIMIT 20) AS s
       LEFT JOIN LATERAL (SELECT sum(units) AS units30 FROM sales.sku_day AS d
         WHERE d.company_id = $1 AND d.account_id = s.account_id AND d.marketplace_id = s.marketplace_id
           AND d.seller_sku = s.seller_sku AND local_date >= current_date - 30 AND local_date < current_date) AS u ON true`,
    `SELECT count(*), ${STOCK_SUMS.join(', ')} FROM ${from}`,
  ];
};
/** The same where rows are found and ordered by it. */
const stocksBySales = (where: string, order: string) => {
  const from = `${STOCK_OF}
    LEFT JOIN u ON u.account_id = s.account_id AND u.marketplace_id = s.marketplace_id AND u.seller_sku = s.seller_sku
   WHERE s.company_id = $1 ${where}`;
  const sold = `WITH u AS ${SOLD}`;
  return [
    `${sold} SELECT s.*, p.title, u.units30, round(s.fulfillable * 30.0 / nullif(u.units30, 0), 1) FROM ${from} ORDER BY ${order} LIMIT 20`,
    `${sold} SELECT count(*), ${STOCK_SUMS.join(', ')} FROM ${from}`,
  ];
};
const AGES = [
  'available',
  'inbound',
  'reserved',
  'unfulfillable',
  'age_0',
  'age_91',
  'age_181',
  'age_271',
  'age_366',
  'age_456',
  'shipped_7',
  'shipped_30',
  'shipped_90',
  'excess',
  'next_qty',
  'next_fee',
  'half_fee',
  'half_storage',
  'low_month',
].map((name) => `sum(${name})`);
const ages = (where: string, order = 'day DESC, row_id DESC') => {
  const from = `(SELECT p.*, a.next_qty, a.next_fee, a.half_fee, a.half_storage, a.low_band, a.low_month FROM inventory.planning_day AS p
      LEFT JOIN inventory.aging_forecast AS a ON a.company_id = $1 AND a.account_id = p.account_id AND a.day = p.day AND a.row_id = p.row_id
     WHERE p.company_id = $1 AND (p.account_id, p.stock, p.day) IN (
       SELECT account_id, stock, max(day) FROM inventory.fact_day
        WHERE company_id = $1 AND report_type = 'GET_FBA_INVENTORY_PLANNING_DATA' GROUP BY 1, 2)) AS f WHERE true ${where}`;
  return [
    `SELECT f.*, l.title FROM (SELECT * FROM ${from} ORDER BY ${order} LIMIT 20) AS f
       LEFT JOIN listing.listing AS l ON l.company_id = $1 AND l.account_id = f.account_id AND l.marketplace_id = f.marketplace_id
        AND l.seller_sku = f.seller_sku`,
    counted(from),
    `SELECT currency, ${AGES.join(', ')} FROM ${from} GROUP BY 1`,
  ];
};
const claims = (where: string) => {
  const from = `inventory.claim AS c WHERE c.company_id = $1 ${where}`;
  return [
    `SELECT c.*, p.title FROM (SELECT * FROM ${from} ORDER BY event_day DESC, id DESC LIMIT 20) AS c
       LEFT JOIN listing.listing AS p ON p.company_id = $1 AND p.account_id = c.account_id AND p.marketplace_id = c.marketplace_id
        AND p.seller_sku = c.seller_sku`,
    `SELECT currency, count(*), sum(qty), sum(unit_value * qty) FROM ${from} GROUP BY 1`,
  ];
};

const WORTH = `worth.line AS k WHERE company_id = $1 AND month = date_trunc('month', current_date)::date
   AND from_day <= current_date AND to_day > current_date AND stage <> 'ORDERED'`;
const WORTHS = ['qty', 'uncosted', 'purchase', 'first_leg', 'duty', 'other', 'total', 'reserve', 'total - reserve']
  .map((name) => `sum(${name})`)
  .join(', ');
const TODAY = new Date().toISOString().slice(0, 10);
const YEAR_AGO = new Date(Date.now() - 364 * 86_400_000).toISOString().slice(0, 10);
const TREND = `
  WITH moved AS MATERIALIZED (
    SELECT month, stage, x.day, sum(x.net) AS net FROM worth.line AS k
     CROSS JOIN LATERAL (VALUES (from_day, total - reserve), (to_day, reserve - total)) AS x (day, net)
     WHERE company_id = $1 AND month >= date_trunc('month', '${YEAR_AGO}'::date) AND stage <> 'ORDERED' GROUP BY 1, 2, 3)
  SELECT d, stage, sum(net) FROM generate_series('${YEAR_AGO}'::date, '${TODAY}'::date, interval '1 day') AS d
    JOIN moved ON month = date_trunc('month', d)::date AND day <= d::date GROUP BY 1, 2 ORDER BY 1`;

export const LISTING_PAGES: readonly ListingPage[] = [
  { name: '在线商品, first page', path: listListings.path, body: { filter: {} }, byHand: listings('') },
  {
    name: '  a word in many titles',
    path: listListings.path,
    body: { filter: { keyword: 'garden chair' } },
    byHand: listings(`AND search LIKE '%garden chair%'`),
  },
  {
    name: '  a whole SKU',
    path: listListings.path,
    body: { filter: { keyword: 'M-0012345' } },
    byHand: listings(`AND search LIKE '%m-0012345%'`),
  },
  {
    name: '  one site, with issues, by price',
    path: listListings.path,
    body: { filter: { sites: [FIRST_SITE], hasIssues: true }, sort: 'price', order: 'asc' },
    byHand: listings(
      `AND account_id = $2 AND marketplace_id = '${US}' AND issue_count > 0`,
      'price ASC NULLS LAST, id',
    ),
  },
  {
    name: '  inactive, by price',
    path: listListings.path,
    body: { filter: { state: ['INACTIVE'] }, sort: 'price', order: 'desc' },
    byHand: listings(`AND state = 'INACTIVE'`, 'price DESC NULLS LAST, id DESC'),
  },
  {
    name: '  all, by price',
    path: listListings.path,
    body: { filter: {}, sort: 'price', order: 'desc' },
    byHand: listings('', 'price DESC NULLS LAST, id DESC'),
  },
  { name: 'SKU配对, first page', path: listMatches.path, body: { filter: {} }, byHand: pairings('') },
  {
    name: '  未配对',
    path: listMatches.path,
    body: { filter: { state: 'unmatched' } },
    byHand: pairings(STATES.unmatched),
  },
  {
    name: '  已配对',
    path: listMatches.path,
    body: { filter: { state: 'matched' } },
    byHand: pairings(STATES.matched),
  },
  {
    name: '  冲突',
    path: listMatches.path,
    body: { filter: { state: 'conflict' } },
    byHand: pairings(STATES.conflict),
  },
  {
    name: '  已配对, newest first',
    path: listMatches.path,
    body: { filter: { state: 'matched' }, sort: 'updatedAt', order: 'desc' },
    byHand: [
      `SELECT l.*, m.updated_at FROM ${PAIRED} ${STATES.matched} ORDER BY m.updated_at DESC NULLS LAST, l.id DESC LIMIT 20`,
      counted(`${LISTED} ${STATES.matched}`),
    ],
  },
  {
    name: '  numbers by state',
    path: countMatches.path,
    body: { filter: {} },
    byHand: [
      `SELECT count(*), count(*) FILTER (WHERE x.msku IS NOT NULL), count(*) FILTER (WHERE m.id IS NOT NULL), count(i.id) FROM ${PAIRED}`,
    ],
  },
  {
    name: '  建议, first page',
    path: listSuggestions.path,
    body: { filter: { state: 'open' } },
    byHand: [
      `SELECT s.*, l.title, l.image_url, l.asin FROM product.match_suggestion AS s
         LEFT JOIN listing.listing AS l ON l.company_id = $1 AND l.account_id = s.account_id AND l.marketplace_id = s.marketplace_id
          AND l.seller_sku = s.msku
        WHERE s.company_id = $1 AND s.state = 'open' ORDER BY s.score DESC, s.id DESC LIMIT 20`,
      counted(`product.match_suggestion WHERE company_id = $1 AND state = 'open'`),
    ],
  },
  { name: '海关报价, first page', path: listDeclared.path, body: { filter: {} }, byHand: declared('') },
  {
    name: '  without cost',
    path: listDeclared.path,
    body: { filter: { state: 'noCost' } },
    byHand: declared('cost IS NULL'),
  },
  {
    name: '智能调价 rules',
    path: listRules.path,
    body: { filter: {} },
    byHand: [
      `SELECT r.*, (SELECT (count(*), count(pause_code), count(*) FILTER (WHERE own_featured), count(k.asin))
           FROM repricing.binding AS b
           LEFT JOIN listing.listing AS l ON l.company_id = $1 AND l.id = b.listing_id
           LEFT JOIN listing.offer_book AS k ON k.company_id = $1 AND k.account_id = l.account_id
            AND k.marketplace_id = l.marketplace_id AND k.asin = l.asin
          WHERE b.company_id = $1 AND b.rule_id = r.id),
        (SELECT (count(*), count(*) FILTER (WHERE at_floor)) FROM repricing.run AS u
          WHERE u.company_id = $1 AND u.rule_id = r.id AND at > now() - interval '1 day' AND outcome IN ('sent', 'would'))
       FROM repricing.rule AS r WHERE r.company_id = $1 ORDER BY updated_at DESC LIMIT 20`,
    ],
  },
  { name: '  listings under rules', path: listBindings.path, body: { filter: {} }, byHand: bindings('') },
  {
    name: '  paused, a word',
    path: listBindings.path,
    body: { filter: { state: 'paused', keyword: 'm-00' } },
    byHand: bindings(`AND b.pause_code IS NOT NULL AND lower(b.seller_sku) LIKE '%m-00%'`),
  },
  { name: '  log', path: listRuns.path, body: { filter: {} }, byHand: runs('') },
  {
    name: '  log of a SKU',
    path: listRuns.path,
    body: { filter: { keyword: 'm-0012345' } },
    byHand: runs(`AND lower(seller_sku) LIKE '%m-0012345%'`),
  },
  { name: '调价队列, first page', path: listOfferChanges.path, body: { filter: {} }, byHand: changes('') },
  {
    name: '  refused',
    path: listOfferChanges.path,
    body: { filter: { status: ['refused'] } },
    byHand: changes(`AND c.status = 'refused'`),
  },
  {
    name: '  of a SKU',
    path: listOfferChanges.path,
    body: { filter: { keyword: 'm-0012345' } },
    byHand: changes(`AND lower(c.seller_sku) LIKE '%m-0012345%'`),
  },
  { name: '商品刊登, first page', path: listDrafts.path, body: { filter: {} }, byHand: drafts('') },
  {
    name: '  a word',
    path: listDrafts.path,
    body: { filter: { keyword: 'garden chair' } },
    byHand: drafts(`AND lower(seller_sku || ' ' || title || ' ' || coalesce(asin, '')) LIKE '%garden chair%'`),
  },
  {
    name: '库存货值 by product',
    path: listWorth.path,
    body: { filter: { by: 'PRODUCT' } },
    byHand: [
      `SELECT coalesce(product_id::text, '?' || seller_sku), ${WORTHS}, count(*) OVER () FROM ${WORTH} GROUP BY 1 ORDER BY 10 DESC LIMIT 20`,
      `SELECT ${WORTHS} FROM ${WORTH}`,
    ],
  },
  {
    name: '  by stage',
    path: listWorth.path,
    body: { filter: {} },
    byHand: [`SELECT stage, ${WORTHS} FROM ${WORTH} GROUP BY 1`, `SELECT ${WORTHS} FROM ${WORTH}`],
  },
  {
    name: '  trend of a year',
    path: worthTrend.path,
    body: { from: YEAR_AGO, to: TODAY, filter: {} },
    byHand: [TREND],
  },
  {
    name: '预警, open',
    path: listAlerts.path,
    body: { filter: { state: 'OPEN' } },
    byHand: alerts(`AND a.state = 'OPEN' AND (a.muted_until IS NULL OR a.muted_until <= now())`),
  },
  { name: '  all', path: listAlerts.path, body: { filter: {} }, byHand: alerts('') },
  { name: 'VAT发票, first page', path: listInvoices.path, body: { filter: {} }, byHand: invoices('') },
  {
    name: '  an order',
    path: listInvoices.path,
    body: { filter: { keyword: '111-777-1' } },
    byHand: invoices(`AND concat_ws(' ', order_id, shipping_id, number) ILIKE '%111-777-1%'`),
  },
  { name: 'FBA库存, first page', path: listStock.path, body: { filter: {} }, byHand: stocks('') },
  {
    name: '  running out',
    path: listStock.path,
    body: { filter: { tab: 'low' }, sort: 'coverDays', order: 'asc' },
    byHand: stocksBySales(
      'AND s.fulfillable > 0 AND s.fulfillable * 30.0 / nullif(u.units30, 0) < 14',
      's.fulfillable * 30.0 / nullif(u.units30, 0) ASC NULLS LAST, s.id',
    ),
  },
  {
    name: '  a word',
    path: listStock.path,
    body: { filter: { keyword: 'garden chair' } },
    byHand: stocks(
      `AND (lower(s.seller_sku || ' ' || coalesce(s.asin, '') || ' ' || coalesce(s.fnsku, '')) LIKE '%garden chair%' OR p.search LIKE '%garden chair%')`,
    ),
  },
  { name: '库龄, first page', path: planning.list.path, body: { filter: {} }, byHand: ages('') },
  {
    name: '  fees to come, dearest first',
    path: planning.list.path,
    body: { filter: { costs: 'aged' }, sort: 'nextFee', order: 'desc' },
    byHand: ages('AND next_qty > 0', 'next_fee DESC NULLS LAST, row_id DESC'),
  },
  { name: '索赔发现, first page', path: listClaims.path, body: { filter: {} }, byHand: claims('') },
  {
    name: '  open ones',
    path: listClaims.path,
    body: { filter: { state: 'open' } },
    byHand: claims(`AND state = 'open'`),
  },
];
