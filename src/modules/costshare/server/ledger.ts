import { sql } from 'kysely';
import { Decimal, round } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { emit, event } from '#kit/server/events.ts';
import { rateOn } from '#modules/finance/server/index.ts';
import { partsOf } from './lines.ts';
import type { Cost } from './load.ts';

/** Lines of a document were added to the ledger in the transaction that tells it. */
export const feesTouched = event<{ documentId: string }>('costshare.feesTouched');

interface RowDb {
  rowNo: number;
  amount: string;
}

/**
 * Writes the lines of a document, whose row the caller holds, at the rate of its first day.
 * @returns columns of the document that keep how it was posted
 * @throws B0930 where the currency has no rate on that day
 */
export async function postLines(ctx: Ctx, doc: Cost) {
  const rate = await rateOn(ctx, doc.currency, doc.from);
  const { rows } = await sql<RowDb>`
    SELECT row_no AS "rowNo", amount::text AS amount FROM costshare.document_row
     WHERE company_id = ${ctx.companyId} AND document_id = ${doc.id} ORDER BY row_no`.execute(ctx.db);
  const posting = doc.posting + 1;
  const parts = partsOf(rows, doc, { currency: doc.currency, rate });
  await sql`
    INSERT INTO costshare.cost_line (company_id, document_id, posting, mirror, row_no, date, account_id, marketplace_id, sku, amount, amount_cny)
    SELECT r.company_id, r.document_id, ${posting}::int, false, r.row_no, p.day, r.account_id, r.marketplace_id, r.sku, p.amount, p.cny
      FROM unnest(${parts.map(({ rowNo }) => rowNo)}::int[], ${parts.map(({ day }) => day)}::date[],
                  ${parts.map(({ amount }) => amount)}::numeric[], ${parts.map(({ amountCny }) => amountCny)}::numeric[])
        AS p (row_no, day, amount, cny)
      JOIN costshare.document_row AS r
        ON r.company_id = ${ctx.companyId} AND r.document_id = ${doc.id} AND r.row_no = p.row_no`.execute(ctx.db);
  await emit(ctx, feesTouched, { documentId: doc.id });
  return { rate, amountCny: round(new Decimal(doc.amount).times(rate), 2), posting };
}

/** Writes the mirror of the last posting of a document, whose row the caller holds. */
export async function mirrorLines(ctx: Ctx, doc: Cost): Promise<void> {
  await sql`
    INSERT INTO costshare.cost_line (company_id, document_id, posting, mirror, row_no, date, account_id, marketplace_id, sku, amount, amount_cny)
    SELECT company_id, document_id, posting, true, row_no, date, account_id, marketplace_id, sku, -amount, -amount_cny
      FROM costshare.cost_line
     WHERE company_id = ${ctx.companyId} AND document_id = ${doc.id} AND posting = ${doc.posting}::int AND NOT mirror`.execute(
    ctx.db,
  );
  await emit(ctx, feesTouched, { documentId: doc.id });
}
