import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { forbidden } from '#kit/server/errors.ts';
import { MARKETPLACES } from '#modules/marketplace/contract/marketplaces.ts';
import { MOST_PARTS } from '../contract/report.ts';
import { compared, sharedScope } from './drill.ts';
import { type Scope, within } from './scope.ts';

interface FeeDbRow {
  id: string;
  date: string;
  account_id: string;
  marketplace_id: string;
  sku: string;
  document_id: string;
  number: string;
  fee_type: string;
  amount: string;
}

const negated = (value: string | undefined) => new Decimal(value ?? 0).negated().toFixed();

/** Days of documents that a row bears itself (`direct`), or that its whole store does. A posting and its mirror cancel out. */
function linesOf(ctx: Ctx, scope: Scope, direct: boolean) {
  // Lines are in CNY; a row of one currency stands for the stores of that currency.
  const where = within(ctx, { ...scope, rowCurrency: null }, 'l', 'date');
  const sites = MARKETPLACES.filter(({ currency }) => currency === scope.rowCurrency).map(({ id }) => id);
  const own = scope.rowCurrency ? sql`AND l.marketplace_id = ANY (${sites}::text[])` : sql``;
  return sql`
    SELECT l.document_id, l.row_no, l.date, l.account_id, l.marketplace_id, l.sku, -sum(l.amount_cny) AS amount
      FROM costshare.cost_line AS l
     WHERE ${where} ${own} AND ${direct ? sql`l.sku <> ''` : sql`l.sku = ''`}
     GROUP BY l.document_id, l.row_no, l.date, l.account_id, l.marketplace_id, l.sku HAVING sum(l.amount_cny) <> 0`;
}

/** Sum of the rollup by the days of a scope, as the report shows it. */
async function stored(ctx: Ctx, scope: Scope, direct: boolean) {
  const { rows } = await sql<{ sum: string | null }>`
    SELECT sum(p.fee_cny) AS sum FROM profit.profit_daily AS p
     WHERE ${within(ctx, scope)} AND p.scope = ${direct ? 'DIRECT' : 'SHARE'}`.execute(ctx.db);
  return [{ currency: 'CNY', amount: negated(rows[0]?.sum ?? '0') }];
}

async function proofOf(ctx: Ctx, scope: Scope, direct: boolean) {
  const { rows } = await sql<{ again: string | null }>`
    SELECT sum(l.amount) AS again FROM (${linesOf(ctx, scope, direct)}) AS l`.execute(ctx.db);
  return compared(
    direct ? '费用分摊合计' : '整店费用合计',
    await stored(ctx, scope, direct),
    await stored(ctx, { ...scope, basis: 'BELONG' }, direct),
    [{ currency: 'CNY', amount: rows[0]?.again ?? '0' }],
  );
}

/**
 * What 自定义费用 of a row is made of: the days of documents of its SKUs and those of its stores as a whole, of which it bears a
 * part; with the proof that both add up to the rollup, in CNY.
 * @throws forbidden without fin:cost:view
 */
export async function feeDrill<S>(
  ctx: Ctx,
  scope: Scope,
  store: (row: { account_id: string; marketplace_id: string }) => S,
) {
  if (!can(ctx, 'fin:cost:view')) throw forbidden('fin:cost:view');
  const shared = await sharedScope(ctx, scope);
  const lines = shared
    ? sql`${linesOf(ctx, scope, true)} UNION ALL ${linesOf(ctx, shared, false)}`
    : linesOf(ctx, scope, true);
  const { rows } = await sql<FeeDbRow>`
    SELECT l.document_id || ' ' || l.row_no || ' ' || l.date AS id, l.date::text AS date, l.account_id, l.marketplace_id, l.sku,
           l.document_id, d.number, d.fee_type, l.amount
      FROM (${lines}) AS l
      JOIN costshare.document AS d ON d.company_id = ${ctx.companyId} AND d.id = l.document_id
     ORDER BY l.date DESC, d.number, l.row_no LIMIT ${MOST_PARTS}`.execute(ctx.db);
  return {
    fees: rows.map((row) => ({
      id: row.id,
      day: row.date,
      store: store(row),
      sku: row.sku,
      documentId: row.document_id,
      number: row.number,
      feeType: row.fee_type,
      amount: row.amount,
    })),
    proof: [...(await proofOf(ctx, scope, true)), ...(shared ? await proofOf(ctx, shared, false) : [])],
  };
}
