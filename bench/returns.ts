import { dayAfter } from '#kit/contract/day.ts';
import { shareReturns } from '#modules/returns/contract/reasons.ts';
import { reconciled } from '#modules/returns/contract/reconcile.ts';
import { returns } from '#modules/returns/contract/returns.ts';
import { skuReturns } from '#modules/returns/contract/skus.ts';
import { foldRefunds } from '#modules/returns/server/refund/fold.ts';
import { inTurn, reportTimes, step } from './support/measure.ts';
import { loadBare } from './support/seed.ts';
import { type BenchWorld, sessionOf } from './support/world.ts';

const SITE = 'ATVPDKIKX0DER';
const today = new Date().toISOString().slice(0, 10);
const MONTH = { from: dayAfter(today, -29), to: today };

/** Returns of two years, each of an order of its own that was bought ten days before and refunded on the day. */
async function fill({ admin }: BenchWorld, companyId: string, account: string, count: number): Promise<void> {
  const args = [companyId, account, SITE, count];
  await loadBare(admin, 'inventory.customer_return', async () => {
    await admin.query(
      `INSERT INTO inventory.customer_return (company_id, account_id, day, row_id, stock, marketplace_id, document_id, returned_at, order_id,
         seller_sku, fnsku, asin, title, quantity, centre, disposition, reason, status, plate, comments)
       SELECT $1, $2, current_date - n % 730, md5('r' || n)::uuid, 'US', $3, md5('d')::uuid, current_date - n % 730, 'O-' || n,
              'SKU-' || n % 5000, 'X' || n % 5000, 'B0', '', 1, 'ONT8', CASE n % 3 WHEN 0 THEN 'SELLABLE' ELSE 'DEFECTIVE' END,
              (ARRAY['DEFECTIVE', 'UNWANTED_ITEM', 'MISSING_PARTS', 'NO_REASON_GIVEN'])[1 + n % 4], '', 'L' || n, ''
         FROM generate_series(1, $4::int) AS n`,
      args,
    );
  });
  await loadBare(admin, 'order.amazon_order', async () => {
    await admin.query(
      `INSERT INTO "order".amazon_order (company_id, selling_partner_id, amazon_order_id, account_id, marketplace_id, channel, fulfilled_by,
         status, purchased_at, local_date, last_updated_at, currency, quantity, shipped_quantity, line_count, lead_sku, source, row_hash)
       SELECT $1, 'S', 'O-' || n, $2, $3, 'AMAZON', 'AMAZON', 'SHIPPED', d, d, d, 'USD', 1, 1, 1, 'SKU-' || n % 5000, 'api', md5('' || n)::uuid
         FROM generate_series(1, $4::int) AS n CROSS JOIN LATERAL (SELECT current_date - n % 730 - 10 AS d) AS x`,
      args,
    );
  });
  await loadBare(admin, 'order.amazon_order_line', async () => {
    await admin.query(
      `INSERT INTO "order".amazon_order_line (company_id, selling_partner_id, amazon_order_id, item_key, account_id, marketplace_id,
         purchased_at, local_date, seller_sku, quantity, first_quantity, shipped_quantity, currency, item_price, source)
       SELECT $1, 'S', 'O-' || n, '1', $2, $3, d, d, 'SKU-' || n % 5000, 1, 1, 1, 'USD', 20, 'api'
         FROM generate_series(1, $4::int) AS n CROSS JOIN LATERAL (SELECT current_date - n % 730 - 10 AS d) AS x`,
      args,
    );
  });
  await admin.query(
    `INSERT INTO settlement.source_doc (company_id, id, account_id, kind, external_id, marketplace_id, currency, total, content_hash)
     SELECT $1, md5('doc' || d)::uuid, $2, 'SETTLEMENT', 'doc' || d, $3, 'USD', 0, '' FROM generate_series(0, 729) AS d`,
    args.slice(0, 3),
  );
  await loadBare(admin, 'settlement.money_line', async () => {
    await admin.query(
      `INSERT INTO settlement.money_line (company_id, source_doc_id, line_no, account_id, source, stage, marketplace_id, marketplace_from,
         transaction_type, amount_type, amount_description, fee_code, pl_section, mapping_version, order_id, sku, sku_from, quantity, amount,
         currency, posted_at, posted_date)
       SELECT $1, md5('doc' || n % 730)::uuid, 2 * n + k, $2, 'SETTLEMENT', 'SETTLED', $3, 'FILE', t, 'ItemPrice', 'Principal', f, 'REVENUE', 1,
              'O-' || n, 'SKU-' || n % 5000, 'FILE', 1, a, 'USD', current_date - n % 730, current_date - n % 730
         FROM generate_series(1, $4::int) AS n
        CROSS JOIN (VALUES (0, 'Order', 'PRINCIPAL', 20), (1, 'Refund', 'REFUND_PRINCIPAL', -20)) AS x (k, t, f, a)`,
      args,
    );
  });
  await admin.query(
    `INSERT INTO returns.refund_dirty (company_id, account_id, source_doc_id)
     SELECT company_id, account_id, id FROM settlement.source_doc WHERE company_id = $1`,
    args.slice(0, 1),
  );
  await admin.query(
    'ANALYZE settlement.source_doc, inventory.customer_return, "order".amazon_order, "order".amazon_order_line, settlement.money_line',
  );
}

/** The screens of returns against the plainest SQL that reads the same rows, in turn. */
export async function returnLists(world: BenchWorld, count: number): Promise<void> {
  const principal = await world.company();
  const { id } = await world.account(principal);
  await step(`filling ${count} returns with their orders and refunds`, () =>
    fill(world, principal.companyId, id, count),
  );
  await step('adding up their cases', () => foldRefunds(world.runtime, principal.companyId));
  await world.admin.query('VACUUM ANALYZE returns.refund_case');
  const { app } = await world.api();
  const headers = { jsessionid: await sessionOf(world, app, principal) };
  const ask = (path: string, payload: object) => async () => {
    const { statusCode, payload: text } = await app.inject({ method: 'POST', url: `/api${path}`, headers, payload });
    if (statusCode !== 200) throw new Error(text);
  };
  const hand =
    (...texts: string[]) =>
    async () => {
      await app.inject({ method: 'GET', url: '/admin/api/v1/favourites', headers });
      for (const text of texts) await world.admin.query(text, [principal.companyId]);
    };
  const month = `day BETWEEN '${MONTH.from}' AND '${MONTH.to}'`;
  const counted = (where: string) =>
    `SELECT count(*), sum(quantity) FROM inventory.customer_return WHERE company_id = $1 ${where}`;
  const first = `SELECT * FROM (SELECT * FROM inventory.customer_return WHERE company_id = $1 ORDER BY day DESC, row_id DESC LIMIT 20) AS r
    LEFT JOIN "order".amazon_order AS o ON o.company_id = $1 AND o.amazon_order_id = r.order_id
    LEFT JOIN LATERAL (SELECT sum(amount) FROM settlement.money_line AS m WHERE m.company_id = $1 AND m.order_id = r.order_id) AS m ON true`;
  const grouped = (by: string) =>
    `SELECT ${by}, sum(quantity) FROM inventory.customer_return WHERE company_id = $1 AND ${month} GROUP BY 1`;
  const refunds = `SELECT sku, sum(amount) FROM settlement.money_line WHERE company_id = $1 AND posted_${month.replace('day', 'date')} GROUP BY 1`;
  const cohort = `SELECT r.seller_sku, sum(r.quantity) FROM "order".amazon_order AS o JOIN inventory.customer_return AS r ON r.company_id = $1
    AND r.order_id = o.amazon_order_id WHERE o.company_id = $1 AND o.local_date BETWEEN '${MONTH.from}' AND '${MONTH.to}' GROUP BY 1`;
  const both = `WITH k AS (SELECT DISTINCT order_id, sku FROM settlement.money_line WHERE company_id = $1 AND amount < 0
      AND posted_date BETWEEN '${dayAfter(today, -89)}' AND '${today}')
    SELECT count(*), sum(m.refund), sum(r.back) FROM k
      JOIN (SELECT order_id, sum(amount) AS refund FROM settlement.money_line WHERE company_id = $1 AND order_id IN (SELECT order_id FROM k) GROUP BY 1) AS m USING (order_id)
      LEFT JOIN (SELECT order_id, sum(quantity) AS back FROM inventory.customer_return WHERE company_id = $1 GROUP BY 1) AS r USING (order_id)`;
  const screens = [
    ['明细, first page of all', ask(returns.list.path, { filter: {} }), hand(first, counted(''))],
    ['明细 of a month', ask(returns.list.path, { filter: { dates: MONTH } }), hand(first, counted(`AND ${month}`))],
    [
      '按SKU of a month',
      ask(skuReturns.list.path, { filter: { dates: MONTH } }),
      hand(grouped('seller_sku'), refunds, cohort),
    ],
    [
      '分析 of a month',
      ask(shareReturns.path, { filter: { dates: MONTH } }),
      hand(...['reason', 'day', 'seller_sku'].map(grouped)),
    ],
    ['退款对账 of 90 days', ask(reconciled.list.path, { filter: {} }), hand(both)],
  ] as const;
  for (const [name, ours, theirs] of screens) {
    const [screen, plain] = await inTurn(world, [ours, theirs]);
    if (screen && plain) reportTimes(`returns, ${name}`, screen, plain, '<= 3');
  }
}
