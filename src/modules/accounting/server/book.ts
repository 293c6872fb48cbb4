import { sql } from 'kysely';
import { dayAfter } from '#kit/contract/day.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, refused } from '#kit/server/errors.ts';
import { firstDay } from '../contract/fields.ts';
import { CHART } from './chart.ts';
import { kept } from './refusal.ts';

interface State {
  startMonth: string | null;
  /** The last day before the first month: that of the opening balances. */
  openingDay: string | null;
  openingId: string | null;
}

/** Where the books of the company stand; months are "yyyy-MM". */
export async function stateOf(ctx: Ctx): Promise<State> {
  const { rows } = await sql<{ month: string; openingId: string | null }>`
    SELECT to_char(b.start_month, 'YYYY-MM') AS month,
           (SELECT v.id FROM accounting.voucher AS v
             WHERE v.company_id = b.company_id AND v.type = 'OPENING' AND v.reversal_of IS NULL
               AND v.state NOT IN ('void', 'reversed') ORDER BY v.id LIMIT 1) AS "openingId"
      FROM accounting.book AS b WHERE b.company_id = ${ctx.companyId}`.execute(ctx.db);
  const [row] = rows;
  if (!row) return { startMonth: null, openingDay: null, openingId: null };
  return { startMonth: row.month, openingDay: dayAfter(firstDay(row.month), -1), openingId: row.openingId };
}

/** Opens the books, or changes their first month while there is no voucher. @throws refused B2709 */
async function openBook(ctx: Ctx, startMonth: string): Promise<void> {
  const { startMonth: known } = await stateOf(ctx);
  if (known === startMonth) return;
  const { rows } = await sql`SELECT FROM accounting.voucher WHERE company_id = ${ctx.companyId} LIMIT 1`.execute(
    ctx.db,
  );
  if (known !== null && rows.length > 0) throw refused(`账套已从 ${known} 启用并有凭证，启用月份不能更改`, 'B2709');
  await sql`
    INSERT INTO accounting.book (company_id, standard, start_month, created_by_name)
    VALUES (${ctx.companyId}, 'SMALL', ${firstDay(startMonth)}::date, ${ctx.userName})
    ON CONFLICT (company_id) DO UPDATE SET start_month = excluded.start_month`.execute(ctx.db);
}

/**
 * Opens the books and adds what is missing of the chart. Below a subject that has entries already nothing is added: it
 * stays a leaf. Answers how many subjects are new.
 * @throws refused B2709 for another first month of books in use
 */
export async function applyChart(ctx: Ctx, startMonth: string): Promise<{ count: number }> {
  await openBook(ctx, startMonth);
  const used = await sql<{ code: string }>`
    SELECT s.code FROM accounting.subject AS s WHERE s.company_id = ${ctx.companyId}
       AND EXISTS (SELECT FROM accounting.entry AS e WHERE e.company_id = s.company_id AND e.subject_id = s.id)`.execute(
    ctx.db,
  );
  const leaves = new Set(used.rows.map(({ code }) => code));
  const wanted = CHART.filter(({ code }) => code.length === 4 || !leaves.has(code.slice(0, 4)));
  let count = 0;
  for (const length of [4, 6]) {
    const level = wanted.filter(({ code }) => code.length === length);
    const { rows } = await kept(() =>
      sql`
        INSERT INTO accounting.subject (company_id, code, name, kind, direction, parent_id)
        SELECT ${ctx.companyId}::uuid, x.code, x.name, x.kind, x.direction, p.id
          FROM jsonb_to_recordset(${JSON.stringify(level)}::jsonb) AS x (code text, name text, kind text, direction text)
          LEFT JOIN accounting.subject AS p ON p.company_id = ${ctx.companyId} AND length(x.code) > 4 AND p.code = left(x.code, -2)
         ORDER BY x.code
        ON CONFLICT (company_id, code) DO NOTHING RETURNING id`.execute(ctx.db),
    );
    count += rows.length;
  }
  await audit(ctx, { action: '科目·套用模板', resource: 'accounting.subject', after: { startMonth, count } });
  return { count };
}

/** The first month of the books, "yyyy-MM". @throws conflict where there are none */
export async function startOf(ctx: Ctx): Promise<string> {
  const { startMonth } = await stateOf(ctx);
  if (startMonth === null) throw conflict('还没有账套，请先在「科目」套用模板');
  return startMonth;
}
