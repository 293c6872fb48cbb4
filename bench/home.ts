import { addDays } from '#modules/dashboard/server/days.ts';
import { inTurn, reportTimes, step } from './support/measure.ts';
import { type BenchWorld, sessionOf } from './support/world.ts';

const YEARS = 730;
const US = 'ATVPDKIKX0DER';
/** A card is given so much of the time that its figures take by hand, and the page in all. */
const GOAL = '<= 1.5';
const PAGE_MS = 1_000;

const FIGURES = `orders, order_items, units, gross_units, cancelled_units, shipped_units, product_sales, estimated_sales, discount,
  shipping_sales, tax, replacement_units, mcf_units, zero_price_units, unpriced_units`;
const SUMS = FIGURES.split(',')
  .map((name) => `sum(${name})`)
  .join(', ');

/** Two years of so many SKUs that sell each day, ads in a campaign for each fifth of them, what came back, stock, people. */
async function fill({ admin }: BenchWorld, companyId: string, accountId: string, skus: number): Promise<void> {
  const of = [companyId, accountId];
  const days = `generate_series(1, ${YEARS}) AS d`;
  const each = `generate_series(1, ${skus}) AS k`;
  await admin.query(
    `INSERT INTO sales.sku_day (company_id, account_id, marketplace_id, local_date, seller_sku, asin, fulfilled_by, is_business,
       currency, ${FIGURES})
     SELECT $1, $2, '${US}', current_date - d, 'SKU-' || k, 'B0' || k, 'AMAZON', false, 'USD', 1, 1, 1 + (k + d) % 5, 1, 0, 1,
            20 * (1 + (k + d) % 5), 0, d % 3, 0, 0, 0, 0, 0, 0 FROM ${days}, ${each}`,
    of,
  );
  await admin.query(
    `INSERT INTO sales.slot (company_id, account_id, marketplace_id, local_date, slot_start, fulfilled_by, is_business, currency, ${FIGURES})
     SELECT $1, $2, '${US}', current_date - d, (current_date - d)::timestamp AT TIME ZONE 'America/Los_Angeles' + s * interval '30 minutes',
            'AMAZON', false, 'USD', 3, 3, 5, 5, 0, 5, 100, 0, 1, 0, 0, 0, 0, 0, 0
       FROM generate_series(0, ${YEARS}) AS d, generate_series(0, 47) AS s`,
    of,
  );
  await admin.query(
    `INSERT INTO sales.store_day (company_id, account_id, marketplace_id, local_date, fulfilled_by, is_business, currency, ${FIGURES})
     SELECT company_id, account_id, marketplace_id, local_date, fulfilled_by, is_business, currency, ${SUMS}
       FROM sales.slot WHERE company_id = $1 AND account_id = $2 GROUP BY 1, 2, 3, 4, 5, 6, 7`,
    of,
  );
  await admin.query(
    `INSERT INTO advertising.campaign (company_id, account_id, marketplace_id, profile_id, ad_product, campaign_id, name, state,
       targeting, currency, strategy, top_percent, portfolio_id, serving_status, as_of)
     SELECT $1, $2, '${US}', 1, 'SP', k::text, 'C' || k, 'ENABLED', 'MANUAL', 'USD', '', 0, '', '', now()
       FROM ${each} WHERE k % 5 = 0`,
    of,
  );
  await admin.query(
    `INSERT INTO advertising.campaign_day (company_id, account_id, marketplace_id, profile_id, ad_product, day, campaign_id,
       impressions, clicks, cost, units_7d, sales_7d)
     SELECT $1, $2, '${US}', 1, 'SP', current_date - d, k::text, 900, (k + d) % 30, (k + d) % 20, d % 3, d % 3 * 20
       FROM ${days}, ${each} WHERE k % 5 = 0`,
    of,
  );
  await admin.query(
    `INSERT INTO inventory.customer_return (company_id, account_id, day, row_id, stock, marketplace_id, document_id, returned_at,
       order_id, seller_sku, fnsku, asin, title, quantity, centre, disposition, reason, status, plate, comments)
     SELECT $1, $2, current_date - d, uuidv7(), 'US', '${US}', uuidv7(), now(), 'O' || k, 'SKU-' || k, '', '', '', 1, '', 'SELLABLE',
            'DEFECTIVE', '', '', '' FROM ${days}, ${each} WHERE (k + d) % 30 = 0`,
    of,
  );
  await admin.query(
    `INSERT INTO inventory.fba_stock (company_id, account_id, marketplace_id, seller_sku, condition, fulfillable, inbound_shipped,
       source, as_of)
     SELECT $1, $2, '${US}', 'SKU-' || k, 'New', k * 7 % 400, k % 50, 'api', now() FROM ${each}`,
    of,
  );
  await admin.query(
    `INSERT INTO analysis.listing_care (company_id, account_id, marketplace_id, seller_sku, owner_id)
     SELECT $1, $2, '${US}', 'SKU-' || k, (SELECT array_agg(id) FROM identity.member WHERE company_id = $1)[1]
       FROM ${each} WHERE k % 4 > 0`,
    of,
  );
  for (const table of [
    'sales.sku_day',
    'sales.slot',
    'sales.store_day',
    'advertising.campaign_day',
    'advertising.campaign',
  ]) {
    await admin.query(`VACUUM (ANALYZE) ${table}`);
  }
  for (const table of ['customer_return', 'fba_stock']) await admin.query(`VACUUM (ANALYZE) inventory.${table}`);
  await admin.query('VACUUM (ANALYZE) analysis.listing_care');
}

const NET = 'sum(product_sales - discount)';
const between = (column: string, from: string, to: string) => `${column} BETWEEN '${from}' AND '${to}'`;
/** Sums of both periods of a table of sales. */
const both = (table: string, by: string, from: string, to: string, middle: string) =>
  `SELECT ${by}, sum(units) FILTER (WHERE local_date >= '${middle}'), sum(units) FILTER (WHERE local_date < '${middle}'),
          ${NET} FILTER (WHERE local_date >= '${middle}')
     FROM ${table} WHERE company_id = $1 AND ${between('local_date', from, to)} GROUP BY ${by}`;

interface CardBench {
  name: string;
  /** Its figures by hand, from the same rollups; none where there is nothing to compare with. */
  byHand: readonly string[];
}

/** The cards of a page as it begins, over the last thirty days. */
function cardsOf(today: string): readonly CardBench[] {
  const [to, middle, from] = [addDays(today, -1), addDays(today, -30), addDays(today, -60)];
  const sold = 'account_id, marketplace_id, seller_sku';
  const slots = `SELECT marketplace_id, local_date, sum(units), sum(orders) FROM sales.slot WHERE company_id = $1
                    AND local_date IN ('${today}', '${to}', '${addDays(today, -2)}', '${addDays(today, -7)}') GROUP BY 1, 2`;
  const skus = `SELECT count(DISTINCT (${sold})) FROM sales.sku_day WHERE company_id = $1 AND units > 0 AND ${between('local_date', middle, to)}`;
  return [
    { name: 'kpi', byHand: [both('sales.store_day', 'local_date, currency', from, to, middle), skus] },
    {
      name: 'salesChart',
      byHand: [
        both('sales.store_day', 'local_date', from, today, middle),
        `SELECT day, sum(quantity) FROM inventory.customer_return WHERE company_id = $1 AND ${between('day', middle, today)} GROUP BY 1`,
      ],
    },
    { name: 'marketPie', byHand: [both('sales.store_day', 'marketplace_id', from, to, middle)] },
    { name: 'compare', byHand: [slots] },
    {
      name: 'topGoods',
      byHand: [`${both('sales.sku_day', `${sold}, currency`, from, to, middle)} ORDER BY 5 DESC LIMIT 10`],
    },
    {
      name: 'personRank',
      byHand: [
        `SELECT c.owner_id, currency, sum(units) FILTER (WHERE local_date >= '${middle}'), ${NET}, count(DISTINCT seller_sku)
           FROM sales.sku_day AS s LEFT JOIN analysis.listing_care AS c USING (company_id, account_id, marketplace_id, seller_sku)
          WHERE company_id = $1 AND ${between('local_date', from, to)} GROUP BY 1, 2`,
      ],
    },
    {
      name: 'adChart',
      byHand: [
        `SELECT day, sum(clicks), sum(cost), sum(units_7d), sum(sales_7d) FROM advertising.campaign_day
          WHERE company_id = $1 AND profile_id = 1 AND ${between('day', from, to)} GROUP BY 1`,
        both('sales.store_day', 'local_date', from, to, middle),
      ],
    },
    {
      name: 'stock',
      byHand: [
        `SELECT count(*), sum(fulfillable), sum(inbound_shipped), count(*) FILTER (WHERE fulfillable * 30.0 / nullif(u.units, 0) < 14)
           FROM inventory.fba_stock AS s LEFT JOIN (SELECT ${sold}, sum(units) AS units FROM sales.sku_day
             WHERE company_id = $1 AND ${between('local_date', middle, to)} GROUP BY 1, 2, 3) AS u USING (${sold})
          WHERE company_id = $1`,
      ],
    },
    ...['settlement', 'performance', 'todo', 'sync', 'service'].map((name) => ({ name, byHand: [] })),
  ];
}

/** Every card of the home page for a company with so many SKUs, one by one and all of them at once. */
export async function home(world: BenchWorld, skus: number): Promise<void> {
  const principal = await world.company();
  const account = await world.account(principal);
  await step('filling', () => fill(world, principal.companyId, account.id, skus));
  const { app } = await world.api();
  const headers = { jsessionid: await sessionOf(world, app, principal) };
  const { rows } = await world.admin.query<{ today: string }>(
    "SELECT (now() AT TIME ZONE 'America/Los_Angeles')::date::text AS today",
  );
  const cards = cardsOf(rows[0]?.today ?? '');
  const ask = async (name: string) => {
    const url = `/api/amazon/api/v1/summary/${name}`;
    const answer = await app.inject({ method: 'POST', url, headers, payload: {} });
    if (answer.json<{ code: number }>().code !== 201) throw new Error(answer.body.slice(0, 300));
  };
  const hand = async (statements: readonly string[]) => {
    for (const text of statements) await world.admin.query(text, [principal.companyId]);
  };
  for (const { name, byHand } of cards.filter((card) => card.byHand.length > 0)) {
    const [ours, plain] = await inTurn(world, [() => ask(name), () => hand(byHand)]);
    if (ours && plain) reportTimes(`home, ${name}`, ours, plain, GOAL);
  }
  const all = () => Promise.all(cards.map(({ name }) => ask(name)));
  const [page, plain] = await inTurn(world, [all, () => hand(cards.flatMap(({ byHand }) => byHand))]);
  if (page && plain) {
    reportTimes(
      `home, all ${cards.length} cards at once`,
      page,
      plain,
      GOAL,
      `${Math.round(page.ms)} of ${PAGE_MS} ms`,
    );
  }
}
