import { sql } from 'kysely';
import { lastDayOf } from '#kit/contract/day.ts';
import { Decimal, round, sum } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { unscoped } from '#kit/server/scope.ts';
import type { CostInput } from '#modules/costshare/contract/document.ts';
import { postCosts, takeBackCosts } from '#modules/costshare/server/index.ts';
import { rateOn } from '#modules/finance/server/index.ts';
import { expenseDocument } from '../contract/document.ts';
import { type Expense, linesOf, type Share, sharesOf } from './load.ts';
import { type Cell, spread } from './spread.ts';

/** Days of a cost: the whole month, or the day itself where one month bears all of it. */
function periodOf(doc: Expense, month: string): { from: string; to: string } {
  if (doc.months === 1) return { from: doc.spentOn, to: doc.spentOn };
  return { from: `${month}-01`, to: lastDayOf(month) };
}

/** Costs of stores and SKUs, one for each month and type. In CNY: later months have no rate yet, and what was paid has one. */
function costsOf(doc: Expense, cells: readonly Cell[], shares: readonly Share[]): CostInput[] {
  const groups = Map.groupBy(cells, ({ month, feeType }) => `${month} ${feeType}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    return [
      {
        feeType: first.feeType,
        currency: 'CNY',
        amount: sum(group.map(({ amount }) => amount)),
        ...periodOf(doc, first.month),
        remark: doc.remark,
        rows: group.map(({ share, amount }) => {
          const { marketplaceId, accountId, sku = '' } = shares[share] ?? {};
          return { store: `${marketplaceId}-${accountId}`, sku, amount };
        }),
      },
    ];
  });
}

async function writePeriod(ctx: Ctx, doc: Expense, cells: readonly Cell[], shares: readonly Share[]): Promise<void> {
  await sql`
    INSERT INTO expense.period_cost (company_id, document_id, mirror, entry_no, month, fee_type, department_id, amount_cny)
    SELECT ${ctx.companyId}, ${doc.id}, false, p.n, p.month, p.fee_type, p.department, p.amount
      FROM unnest(${cells.map(({ month }) => `${month}-01`)}::date[], ${cells.map(({ feeType }) => feeType)}::text[],
                  ${cells.map(({ share }) => shares[share]?.departmentId ?? null)}::uuid[],
                  ${cells.map(({ amount }) => amount)}::numeric[])
           WITH ORDINALITY AS p (month, fee_type, department, amount, n)`.execute(ctx.db);
}

/**
 * Puts an approved expense, whose row the caller holds, on the months that bear it: what belongs to stores into their profit,
 * all else into the ledger of period costs. At the rate of its day. @throws B0930 where the currency has none
 */
export async function post(ctx: Ctx, doc: Expense): Promise<void> {
  const rate = await rateOn(ctx, doc.currency, doc.spentOn);
  const amountCny = round(new Decimal(doc.amount).times(rate), 2);
  // Whoever approves need not see every store that bears a part.
  const shares = await unscoped(ctx, () => sharesOf(ctx, doc.id));
  const lines = await linesOf(ctx, doc.id);
  const weights = shares.length > 0 ? shares.map(({ amount }) => amount) : [doc.amount];
  const cells = spread({ ...doc, amountCny, lines, shares: weights });
  const source = { id: doc.id, number: doc.number, path: expenseDocument.detail };
  if (doc.scope === 'STORE' || doc.scope === 'SKU') await postCosts(ctx, source, costsOf(doc, cells, shares));
  else await writePeriod(ctx, doc, cells, shares);
  await sql`
    UPDATE expense.document SET rate = ${rate}::numeric, amount_cny = ${amountCny}::numeric,
           approved_by_name = ${ctx.userName}, approved_at = kit.now()
     WHERE company_id = ${ctx.companyId} AND id = ${doc.id}`.execute(ctx.db);
}

/** Writes the mirror of what the approval of an expense, whose row the caller holds, put on its months. */
export async function takeBack(ctx: Ctx, doc: Expense, reason: string): Promise<void> {
  await takeBackCosts(ctx, doc.id, `${doc.number} 冲销：${reason}`);
  await sql`
    INSERT INTO expense.period_cost (company_id, document_id, mirror, entry_no, month, fee_type, department_id, amount_cny)
    SELECT company_id, document_id, true, entry_no, month, fee_type, department_id, -amount_cny FROM expense.period_cost
     WHERE company_id = ${ctx.companyId} AND document_id = ${doc.id} AND NOT mirror`.execute(ctx.db);
}
