import { randomUUID } from 'node:crypto';
import type { Endpoint } from '#kit/contract/endpoint.ts';
import { firstDay } from '#modules/accounting/contract/fields.ts';
import { makeVouchers, previewRule, saveRule } from '#modules/accounting/contract/rules.ts';
import { applyTemplate } from '#modules/accounting/contract/subjects.ts';
import { stockOf } from './stock-posting.ts';
import { inTurn, reportTimes, step, timed } from './support/measure.ts';
import { type BenchWorld, sessionOf } from './support/world.ts';

/** Entries of value that a posting of stock has. */
const LINES = 20;
/** Postings of money for each thousand entries of stock. */
const MONEY = 20;

/** A month of issues from one warehouse to customers, and of money spent out of one account. */
async function fill(
  { admin }: BenchWorld,
  company: string,
  warehouse: string,
  product: string,
  month: string,
  entries: number,
) {
  const [outside, account, category] = [randomUUID(), randomUUID(), randomUUID()];
  const day = `('${firstDay(month)}'::date + (n % 28)::int)`;
  await admin.query(
    `INSERT INTO warehouse.warehouse (company_id, id, code, name, kind) VALUES ($1, $2, 'CUSTOMER', '客户', 'VIRTUAL')`,
    [company, outside],
  );
  await admin.query(
    `INSERT INTO warehouse.stock_posting (company_id, source_type, source_id, source_event, source_number, business_date, posted_at, operator_name)
       SELECT $1, 'warehouse.outbound', n::text, 'ship', 'CK' || n, ${day}, ${day} + interval '9 hours', '测量'
         FROM generate_series(1, $2::int) AS n`,
    [company, Math.ceil(entries / LINES)],
  );
  await admin.query(
    `INSERT INTO warehouse.stock_entry (company_id, seq, posted_at, posting_id, line_no, business_date, product_id, warehouse_id,
                                          location_id, lot_id, status, qty, balance_after, amount)
       SELECT $1, row_number() OVER (), p.posted_at, p.id, k, p.business_date, $4,
              CASE k % 2 WHEN 0 THEN $2::uuid ELSE $3::uuid END, $2, $4, CASE k % 2 WHEN 0 THEN 'AVAILABLE' ELSE 'OUTSIDE' END,
              CASE k % 2 WHEN 0 THEN -1 ELSE 1 END, 0, CASE k % 2 WHEN 0 THEN -12.3456 ELSE 12.3456 END
         FROM warehouse.stock_posting AS p, generate_series(1, ${LINES}) AS k WHERE p.company_id = $1`,
    [company, warehouse, outside, product],
  );
  await admin.query(
    `INSERT INTO finance.cash_account (company_id, id, name, method, currency) VALUES ($1, $2, '测量', 'BANK', 'CNY')`,
    [company, account],
  );
  await admin.query(`INSERT INTO finance.category (company_id, id, name, direction) VALUES ($1, $2, '测量', 'OUT')`, [
    company,
    category,
  ]);
  await admin.query(
    `INSERT INTO finance.posting (company_id, source_type, source_id, source_event, source_number, title, business_date, digest, operator_name)
     SELECT $1, 'finance.journal', n::text, 'write', 'JZ' || n, '支出', ${day}, '-', '测量' FROM generate_series(1, $2::int) AS n`,
    [company, Math.ceil((entries / 1000) * MONEY)],
  );
  await admin.query(
    `INSERT INTO finance.entry (company_id, seq, posting_id, line_no, book, item_id, currency, amount, balance_after, purpose, category_id, business_date)
     SELECT $1, row_number() OVER (), p.id, k, CASE k WHEN 1 THEN 'ACCOUNT' ELSE 'EXPENSE' END, CASE k WHEN 1 THEN $2::uuid END, 'CNY',
            CASE k WHEN 1 THEN -10 ELSE 10 END, CASE k WHEN 1 THEN 0 END, 'MANUAL', $3, p.business_date
       FROM finance.posting AS p, generate_series(1, 2) AS k WHERE p.company_id = $1`,
    [company, account, category],
  );
  for (const table of ['warehouse.stock_posting', 'warehouse.stock_entry', 'finance.posting', 'finance.entry'])
    await admin.query(`VACUUM (ANALYZE) ${table}`);
}

/** The value that stock moved in a month by hand: by kind of document and place. */
const stockByHand = (month: string) =>
  `SELECT p.source_type, w.kind, w.code, e.status, sum(e.amount)
     FROM warehouse.stock_posting AS p
     JOIN warehouse.stock_entry AS e ON e.company_id = p.company_id AND e.posting_id = p.id
     JOIN warehouse.warehouse AS w ON w.company_id = e.company_id AND w.id = e.warehouse_id
    WHERE p.company_id = $1 AND p.business_date >= '${firstDay(month)}' AND p.business_date < '${firstDay(month)}'::date + interval '1 month'
    GROUP BY 1, 2, 3, 4`;
/** The money that moved in a month by hand: by day, book and category. */
const moneyByHand = (month: string) =>
  `SELECT p.business_date, e.book, e.category_id, sum(e.amount)
     FROM finance.posting AS p JOIN finance.entry AS e ON e.company_id = p.company_id AND e.posting_id = p.id
    WHERE p.company_id = $1 AND p.business_date >= '${firstDay(month)}' AND p.business_date < '${firstDay(month)}'::date + interval '1 month'
    GROUP BY 1, 2, 3`;

/** What makes vouchers of a month with so many entries of stock, and 20 postings of money for each thousand of them. */
export async function vouchers(world: BenchWorld, entries: number): Promise<void> {
  const { principal, products, warehouse } = await stockOf(world, 1);
  const { companyId } = principal;
  const { app } = await world.api();
  const headers = { jsessionid: await sessionOf(world, app, principal) };
  const ask = async (endpoint: Endpoint, payload: object) => {
    const answer = await app.inject({ method: 'POST', url: `/api${endpoint.path}`, headers, payload });
    const { code, data } = answer.json<{ code: number; data: { made?: number } }>();
    if (code !== 201) throw new Error(answer.body.slice(0, 300));
    return data;
  };
  const { rows } = await world.admin.query<{ month: string }>(
    "SELECT to_char(now() - interval '1 month', 'YYYY-MM') AS month",
  );
  const month = rows[0]?.month ?? '';
  await ask(applyTemplate, { startMonth: month });
  await step('filling', () => fill(world, companyId, warehouse, products[0] ?? '', month, entries));
  const byHand = (statement: string) => () => world.admin.query(statement, [companyId]);
  const rule = (by: string) => ({ by, active: true, subjects: {} });
  const preview = (source: string, by: string) => () => ask(previewRule, { source, month, rule: rule(by) });
  const cases = [
    {
      name: `出入库 of a month, ${entries} entries`,
      ours: preview('warehouse.stock', 'MONTH'),
      theirs: stockByHand(month),
    },
    {
      name: `资金与往来 of a month by day, ${(entries / 1000) * MONEY} postings`,
      ours: preview('finance.posting', 'DAY'),
      theirs: moneyByHand(month),
    },
  ];
  for (const { name, ours, theirs } of cases) {
    const [own, baseline] = await inTurn(world, [ours, byHand(theirs)]);
    if (own && baseline) reportTimes(name, own, baseline, '<= 1.5');
  }
  await ask(saveRule, { ...rule('DAY'), source: 'finance.posting', version: 0, fromMonth: month });
  const baseline = await timed(world, byHand(moneyByHand(month)));
  const made = await timed(world, () => ask(makeVouchers, { month }));
  reportTimes('all vouchers of the month made', made, baseline, '-');
  const again = await timed(world, () => ask(makeVouchers, { month }));
  reportTimes('  asked for again, nothing moved', again, baseline, '-');
}
