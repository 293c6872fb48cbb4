import type { Endpoint } from '#kit/contract/endpoint.ts';
import { firstDay, monthAfter } from '#modules/accounting/contract/fields.ts';
import { generalLedger, subjectLedger } from '#modules/accounting/contract/ledger.ts';
import { readStatement } from '#modules/accounting/contract/statements.ts';
import { applyTemplate } from '#modules/accounting/contract/subjects.ts';
import { inTurn, reportTimes, step } from './support/measure.ts';
import { type BenchWorld, sessionOf } from './support/world.ts';

const MONTHS = 12;
const LINES = 4;
const PAGE_MS = 200;

/** A year of posted vouchers of four entries each, every other one with the bank, on all subjects of the chart. */
async function fill({ admin }: BenchWorld, companyId: string, start: string, entries: number): Promise<void> {
  const of = [companyId];
  const count = Math.ceil(entries / LINES);
  const month = `('${firstDay(start)}'::date + (v % ${MONTHS}) * interval '1 month')::date`;
  await admin.query(
    `INSERT INTO accounting.voucher (company_id, type, month, seq, number, day, summary, state, amount, created_by_name)
     SELECT $1, 'GENERAL', m, v / ${MONTHS} + 1, '记-' || v, m + v % 28, '测量', 'posted', 30, '测量'
       FROM generate_series(0, ${count - 1}) AS v, LATERAL (SELECT ${month} AS m) AS at`,
    of,
  );
  await admin.query(
    `INSERT INTO accounting.entry (company_id, voucher_id, line_no, subject_id, summary, debit, credit, ledger_day)
     SELECT $1, v.id, n, CASE WHEN n > 1 THEN s.all_of[1 + (v.seq * 3 + n) % array_length(s.all_of, 1)]
                              WHEN v.seq % 2 = 0 THEN s.bank ELSE s.owed END,
            '测量', CASE WHEN n = 1 THEN 30 ELSE 0 END, CASE WHEN n = 1 THEN 0 ELSE 10 END, v.day
       FROM accounting.voucher AS v, generate_series(1, ${LINES}) AS n,
            (SELECT array_agg(id ORDER BY code) AS all_of, (array_agg(id) FILTER (WHERE code = '1002'))[1] AS bank,
                    (array_agg(id) FILTER (WHERE code = '112201'))[1] AS owed
               FROM accounting.subject WHERE company_id = $1 AND leaf AND code <> '3103') AS s
      WHERE v.company_id = $1`,
    of,
  );
  await admin.query(
    `INSERT INTO accounting.balance (company_id, month, subject_id, debit, credit)
     SELECT company_id, date_trunc('month', ledger_day)::date, subject_id, sum(debit), sum(credit)
       FROM accounting.entry WHERE company_id = $1 GROUP BY 1, 2, 3`,
    of,
  );
  for (const table of ['voucher', 'entry', 'balance', 'subject'])
    await admin.query(`VACUUM (ANALYZE) accounting.${table}`);
}

const BANK = "SELECT id FROM accounting.subject WHERE company_id = $1 AND code = '1002'";
/** Sums of all subjects by hand, from the same months. */
const sums = (to: string) =>
  `SELECT s.code, sum(b.debit - b.credit), sum(b.debit), sum(b.credit) FROM accounting.balance AS b
     JOIN accounting.subject AS s ON s.company_id = b.company_id AND s.id = b.subject_id
    WHERE b.company_id = $1 AND b.month <= '${firstDay(to)}' GROUP BY s.code ORDER BY s.code`;
/** What stands opposite to the bank by hand, in the days of some months. */
const counters = (from: string, to: string) =>
  `SELECT subject_id, sum(debit), sum(credit) FROM accounting.entry AS e
    WHERE company_id = $1 AND voucher_id IN (
      SELECT voucher_id FROM accounting.entry WHERE company_id = $1 AND subject_id IN (${BANK})
         AND ledger_day >= '${firstDay(from)}' AND ledger_day < '${firstDay(monthAfter(to, 1))}')
    GROUP BY 1`;

/** Statements and ledgers of books with so many entries in a year. */
export async function books(world: BenchWorld, entries: number): Promise<void> {
  const principal = await world.company();
  const { app } = await world.api();
  const headers = { jsessionid: await sessionOf(world, app, principal) };
  const ask = async (endpoint: Endpoint, payload: object) => {
    const answer = await app.inject({ method: 'POST', url: `/api${endpoint.path}`, headers, payload });
    const { code, data } = answer.json<{ code: number; data: { next?: object } }>();
    if (code !== 201) throw new Error(answer.body.slice(0, 300));
    return data;
  };
  const { rows } = await world.admin.query<{ month: string }>("SELECT to_char(now(), 'YYYY-MM') AS month");
  const last = monthAfter(rows[0]?.month ?? '', -1);
  const start = monthAfter(last, 1 - MONTHS);
  await ask(applyTemplate, { startMonth: start });
  await step('filling', () => fill(world, principal.companyId, start, entries));
  const bank = await world.admin.query<{ id: string }>(BANK, [principal.companyId]);
  const subjectId = bank.rows[0]?.id;
  const since = last.slice(0, 4) > start.slice(0, 4) ? `${last.slice(0, 4)}-01` : start;
  const page = { subjectId, from: start, to: last };
  const { next } = await ask(subjectLedger, page);
  const statement = (name: string) => () => ask(readStatement, { statement: name, month: last });
  const cases = [
    { name: '资产负债表', ours: statement('balance'), byHand: sums(last) },
    { name: '利润表', ours: statement('income'), byHand: sums(last) },
    { name: '现金流量表 with the year so far', ours: statement('cash'), byHand: counters(since, last) },
    { name: '总账 of a year', ours: () => ask(generalLedger, { from: start, to: last }), byHand: sums(last) },
    {
      name: '明细账, second page of the bank',
      ours: () => ask(subjectLedger, { ...page, after: next }),
      byHand: `SELECT count(*), sum(debit - credit) FROM accounting.entry WHERE company_id = $1 AND subject_id IN (${BANK})`,
    },
  ];
  for (const { name, ours, byHand } of cases) {
    const [product, plain] = await inTurn(world, [ours, () => world.admin.query(byHand, [principal.companyId])]);
    if (product && plain) {
      reportTimes(`books, ${name}`, product, plain, `<= ${PAGE_MS} ms`, `${Math.round(product.ms)} of ${PAGE_MS} ms`);
    }
  }
}
