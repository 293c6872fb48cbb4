import { sql } from 'kysely';
import type { z } from 'zod';
import { actionsOf } from '#kit/contract/document.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { timelineOf } from '#kit/server/document.ts';
import { notFound } from '#kit/server/errors.ts';
import type { voucherData } from '../contract/voucher-calls.ts';
import { type EntryRow, voucher } from '../contract/vouchers.ts';
import { rowOf } from './list.ts';
import { factsOf } from './rules/facts.ts';

type Data = z.output<typeof voucherData.reply>;
type Other = Data['reversalOf'];

async function entriesOf(ctx: Ctx, id: string): Promise<EntryRow[]> {
  const { rows } = await sql<EntryRow>`
    SELECT e.line_no AS "lineNo", e.summary, s.code || ' ' || concat_ws('-', g.name, p.name, s.name) AS subject,
           nullif(e.debit, 0)::text AS debit, nullif(e.credit, 0)::text AS credit, e.subject_id AS "subjectId",
           e.currency, e.original::text AS original, e.rate::text AS rate
      FROM accounting.entry AS e
      JOIN accounting.subject AS s ON s.company_id = e.company_id AND s.id = e.subject_id
      LEFT JOIN accounting.subject AS p ON p.company_id = s.company_id AND p.id = s.parent_id
      LEFT JOIN accounting.subject AS g ON g.company_id = p.company_id AND g.id = p.parent_id
     WHERE e.company_id = ${ctx.companyId} AND e.voucher_id = ${id} ORDER BY e.line_no`.execute(ctx.db);
  return rows;
}

/** Everything that the page of a voucher shows. @throws notFound */
export async function detailOf(ctx: Ctx, id: string): Promise<Data> {
  const document = await rowOf(ctx, id);
  if (!document) throw notFound();
  const { rows } = await sql<{ id: string; number: string; way: 'of' | 'by' }>`
    SELECT o.id, o.number, 'of' AS way FROM accounting.voucher AS v
      JOIN accounting.voucher AS o ON o.company_id = v.company_id AND o.id = v.reversal_of
     WHERE v.company_id = ${ctx.companyId} AND v.id = ${id}
    UNION ALL
    SELECT id, number, 'by' FROM accounting.voucher WHERE company_id = ${ctx.companyId} AND reversal_of = ${id}`.execute(
    ctx.db,
  );
  const other = (way: string): Other => {
    const found = rows.find((row) => row.way === way);
    return found ? { id: found.id, number: found.number } : null;
  };
  const codes = [...new Set(Object.values(voucher.transitions).map((rule) => rule.permission))];
  const offered = actionsOf(voucher, document.state, new Set(codes.filter((code) => can(ctx, code))));
  return {
    document,
    lines: await entriesOf(ctx, id),
    reversalOf: other('of'),
    reversedBy: other('by'),
    facts: await factsOf(ctx, id),
    actions: offered.filter(({ name }) => name !== 'reverse' || !other('of')),
    timeline: await timelineOf(ctx, voucher.name, id),
  };
}
