import { randomUUID } from 'node:crypto';
import { inTenant } from '#kit/server/runtime.ts';
import { listCash, readForecast } from '#modules/cashflow/contract/forecast.ts';
import { moveSupplier, saveSupplier } from '#modules/supplier/server/index.ts';
import { stockOf } from './stock-posting.ts';
import { middle, reportTimes, step, timed } from './support/measure.ts';
import { loadBare } from './support/seed.ts';
import { type BenchWorld, sessionOf } from './support/world.ts';

const ROUNDS = 7;

interface Buyer {
  company: string;
  supplier: string;
  warehouse: string;
  product: string;
}

/** So many open debts, a request for each tenth of them, and an order for each tenth of which nothing came yet. */
async function fill({ admin }: BenchWorld, { company, supplier, warehouse, product }: Buyer, debts: number) {
  const of = [company, supplier];
  const posting = randomUUID();
  await admin.query(
    `INSERT INTO finance.posting (company_id, id, source_type, source_id, source_event, source_number, title, business_date, digest, operator_name)
     VALUES ($1, $2, 'bench', '1', 'do', '1', '测量', current_date, '-', '')`,
    [company, posting],
  );
  await loadBare(admin, 'finance.open_item', async () => {
    await admin.query(
      `INSERT INTO finance.open_item (company_id, book, kind, party_kind, party_id, subject_type, subject_id, subject_number, title,
         currency, amount, business_date, due_on, posting_id)
       SELECT $1, 'PAYABLE', 'GOODS', 'SUPPLIER', $2, 'bench.order', n::text, 'PO' || n, '到货 ' || n, 'CNY', 100 + n % 900, current_date,
              current_date + n % 90, $3 FROM generate_series(1, $4::int) AS n`,
      [...of, posting, debts],
    );
  });
  await loadBare(admin, 'finance.balance', async () => {
    await admin.query(
      `INSERT INTO finance.balance (company_id, book, item_id, currency, amount, bound)
       SELECT company_id, 'PAYABLE', id, currency, -amount, amount FROM finance.open_item WHERE company_id = $1`,
      [company],
    );
  });
  const tenth = Math.ceil(debts / 10);
  await admin.query(
    `INSERT INTO finance.payment_request (company_id, number, kind, state, party_kind, party_id, method, currency, amount, due_on)
     SELECT $1, 'PA' || n, 'BALANCE', 'approved', 'SUPPLIER', $2, 'BANK', 'CNY', 50, current_date + n % 60
       FROM generate_series(1, $3::int) AS n`,
    [...of, tenth],
  );
  await admin.query(
    `INSERT INTO finance.payment_request_line (company_id, request_id, line_no, title, amount, payable_id)
     SELECT r.company_id, r.id, 1, '货款', 50, i.id
       FROM (SELECT *, row_number() OVER (ORDER BY id) AS n FROM finance.payment_request WHERE company_id = $1) AS r
       JOIN (SELECT *, row_number() OVER (ORDER BY id) AS n FROM finance.open_item WHERE company_id = $1) AS i ON i.n = r.n * 10`,
    [company],
  );
  await admin.query(
    `INSERT INTO purchase.purchase_order (company_id, number, type, state, supplier_id, warehouse_id, currency, terms, expected_on,
       placed_at, amount, open_qty, qty, made_on)
     SELECT $1, 'PO' || n, 'GOODS', 'ordered', $2, $3, 'CNY',
            '[{"share":"0.3","anchor":"order","days":7},{"share":"0.7","anchor":"receipt","days":30}]', current_date + n % 50,
            now(), 1000, 10, 10, current_date FROM generate_series(1, $4::int) AS n`,
    [...of, warehouse, tenth],
  );
  await admin.query(
    `INSERT INTO purchase.order_line (company_id, order_id, line_no, product_id, qty, unit_price, amount, limit_qty)
     SELECT company_id, id, 1, $2, 10, 100, 1000, 10 FROM purchase.purchase_order WHERE company_id = $1`,
    [company, product],
  );
  await admin.query(
    'VACUUM (ANALYZE) finance.open_item, finance.balance, finance.payment_request, finance.payment_request_line, purchase.purchase_order, purchase.order_line',
  );
}

/** What goes out by day, as one would write it: debts less what is asked for, requests, and orders by their terms. */
const byHand = ({ admin }: BenchWorld, { company }: Buyer) =>
  admin.query(
    `SELECT day, sum(amount) FROM (
       SELECT i.due_on AS day, -b.amount - coalesce(a.amount, 0) AS amount
         FROM finance.open_item AS i JOIN finance.balance AS b ON b.company_id = $1 AND b.book = 'PAYABLE' AND b.item_id = i.id AND b.amount <> 0
         LEFT JOIN (SELECT l.payable_id, sum(l.amount - l.paid_amount) AS amount
                      FROM finance.payment_request_line AS l JOIN finance.payment_request AS r ON r.company_id = $1 AND r.id = l.request_id
                     WHERE l.company_id = $1 AND r.state IN ('submitted', 'approved', 'partly') GROUP BY 1) AS a ON a.payable_id = i.id
        WHERE i.company_id = $1 AND i.book = 'PAYABLE'
       UNION ALL SELECT due_on, amount - paid_amount FROM finance.payment_request
        WHERE company_id = $1 AND state IN ('submitted', 'approved', 'partly')
       UNION ALL SELECT CASE WHEN t.anchor = 'order' THEN o.placed_at::date ELSE o.expected_on END + t.days, o.amount * t.share
         FROM purchase.purchase_order AS o, jsonb_to_recordset(o.terms) AS t(share numeric, anchor text, days int)
        WHERE o.company_id = $1 AND o.state = 'ordered' AND o.open_qty > 0) AS x GROUP BY day ORDER BY day`,
    [company],
  );

/** The forecast of cash over 90 days, and a page of what it is made of; by hand only the sums by day. */
export async function cash(world: BenchWorld, debts: number): Promise<void> {
  const stock = await stockOf(world, 1);
  const supplier = await inTenant(world.runtime, stock.principal, async (ctx) => {
    const { id } = await saveSupplier(ctx, {
      shortName: '测量',
      currency: 'CNY',
      invoiceType: 'none',
      invoiceRate: '0',
      terms: [],
    });
    await moveSupplier(ctx, { id, action: 'activate' });
    return id;
  });
  const [product = ''] = stock.products;
  const buyer = { company: stock.principal.companyId, supplier, warehouse: stock.warehouse, product };
  await step(`${debts} debts`, () => fill(world, buyer, debts));
  const { app } = await world.api();
  const session = await sessionOf(world, app, stock.principal);
  const ask = (path: string, payload: object) => async () => {
    const answer = await app.inject({ method: 'POST', url: `/api${path}`, headers: { jsessionid: session }, payload });
    if (answer.statusCode !== 200) throw new Error(answer.body.slice(0, 300));
  };
  const forecasts = [];
  const pages = [];
  const baselines = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    baselines.push(await timed(world, () => byHand(world, buyer)));
    forecasts.push(await timed(world, ask(readForecast.path, { horizon: 'D90' })));
    pages.push(await timed(world, ask(listCash.path, { filter: { horizon: 'D90' } })));
  }
  reportTimes(`forecast of cash, ${debts} debts`, middle(forecasts), middle(baselines), '<= 6');
  reportTimes('  a page of what is expected', middle(pages), middle(baselines), '<= 8');
}
