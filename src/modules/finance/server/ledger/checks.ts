import type { Ctx } from '#kit/server/context.ts';

/** One law of the ledger as a query of what breaks it: no row is the proof. `$1` is the company. */
interface LedgerCheck {
  code: string;
  title: string;
  sql: string;
}

const CHECKS: readonly LedgerCheck[] = [
  {
    code: 'M1',
    title: '借贷平衡：每次记账中，每个币种的分录合计为 0',
    sql: `SELECT concat_ws(' ', posting_id, currency) AS what, '0' AS expected, sum(amount)::text AS found
            FROM finance.entry WHERE company_id = $1 GROUP BY posting_id, currency HAVING sum(amount) <> 0`,
  },
  {
    code: 'M2',
    title: '余额等于流水合计：账户、应付、预付、应收的余额等于其全部分录之和',
    sql: `SELECT concat_ws(' ', book, item_id) AS what, coalesce(e.amount, 0)::text AS expected, coalesce(b.amount, 0)::text AS found
            FROM (SELECT book, item_id, sum(amount) AS amount FROM finance.entry
                   WHERE company_id = $1 AND item_id IS NOT NULL GROUP BY 1, 2) AS e
            FULL JOIN (SELECT book, item_id, amount FROM finance.balance WHERE company_id = $1) AS b USING (book, item_id)
           WHERE coalesce(e.amount, 0) <> coalesce(b.amount, 0)`,
  },
  {
    code: 'M3',
    title: '余额逐笔相接：每笔分录后的余额等于上一笔余额加本笔金额',
    sql: `SELECT seq::text AS what, (before + amount)::text AS expected, balance_after::text AS found
            FROM (SELECT seq, amount, balance_after,
                         coalesce(lag(balance_after) OVER (PARTITION BY book, item_id ORDER BY seq), 0) AS before
                    FROM finance.entry WHERE company_id = $1 AND item_id IS NOT NULL) AS e
           WHERE before + amount <> balance_after`,
  },
  {
    code: 'M4',
    title: '往来不越界：应付、预付、应收在任何一笔之后都在 0 与原金额之间',
    sql: `SELECT e.seq::text AS what, '0..' || i.amount AS expected, e.balance_after::text AS found
            FROM finance.entry AS e JOIN finance.open_item AS i ON i.company_id = $1 AND i.id = e.item_id
           WHERE e.company_id = $1 AND (abs(e.balance_after) > i.amount
              OR CASE e.book WHEN 'PAYABLE' THEN e.balance_after > 0 ELSE e.balance_after < 0 END)`,
  },
  {
    code: 'M5',
    title: '本位币平衡：按人民币计值的记账，各分录的人民币金额（含汇兑损益）合计为 0',
    sql: `SELECT posting_id::text AS what, '0' AS expected,
                 sum(CASE currency WHEN 'CNY' THEN amount ELSE base END)::text AS found
            FROM finance.entry WHERE company_id = $1 AND book <> 'EXCHANGE'
           GROUP BY posting_id
          HAVING count(base) > 0 AND (sum(CASE currency WHEN 'CNY' THEN amount ELSE base END) <> 0
              OR bool_or(currency <> 'CNY' AND base IS NULL))`,
  },
  {
    code: 'M6',
    title: '外币往来的人民币余额等于其分录之和，结清时为 0',
    sql: `SELECT b.item_id::text AS what, coalesce(sum(e.base), 0)::text AS expected, b.base::text AS found
            FROM finance.balance AS b
            LEFT JOIN finance.entry AS e ON e.company_id = $1 AND e.item_id = b.item_id
           WHERE b.company_id = $1 AND b.base IS NOT NULL
           GROUP BY b.item_id, b.amount, b.base
          HAVING coalesce(sum(e.base), 0) <> b.base OR (b.amount = 0 AND b.base <> 0)`,
  },
];

export interface CheckResult {
  code: string;
  title: string;
  /** Offenders found; 0 is the proof. */
  broken: number;
  samples: { what: string; expected: string; found: string }[];
}

/** Proves the laws of the ledger for the caller's company. Repairs nothing. */
export async function checkLedger(ctx: Ctx): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const { code, title, sql } of CHECKS) {
    const { rows } = await ctx.client.query<{ what: string; expected: string; found: string; n: number }>(
      `SELECT x.*, count(*) OVER ()::int AS n FROM (${sql}) AS x LIMIT 20`,
      [ctx.companyId],
    );
    const samples = rows.map(({ what, expected, found }) => ({ what, expected, found }));
    results.push({ code, title, broken: rows[0]?.n ?? 0, samples });
  }
  return results;
}
