import { sql } from 'kysely';
import { actionsOf } from '#kit/contract/document.ts';
import type { Reply } from '#kit/contract/endpoint.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { timelineOf } from '#kit/server/document.ts';
import { notFound } from '#kit/server/errors.ts';
import type { costData } from '../contract/calls.ts';
import { type CostDetailRow, costDocument } from '../contract/document.ts';
import { bearerCells } from './cells.ts';
import { rowOf } from './list.ts';

interface DbRow {
  account_id: string;
  marketplace_id: string;
  sku: string;
  amount: string;
}

async function rowsOf(ctx: Ctx, id: string, currency: string): Promise<CostDetailRow[]> {
  const { rows } = await sql<DbRow>`
    SELECT account_id, marketplace_id, sku, trim_scale(amount)::text AS amount FROM costshare.document_row
     WHERE company_id = ${ctx.companyId} AND document_id = ${id} ORDER BY row_no`.execute(ctx.db);
  const cells = await bearerCells(ctx, rows);
  return rows.map((row) => ({
    storeKey: `${row.marketplace_id}-${row.account_id}`,
    sku: row.sku,
    ...cells(row),
    amount: row.amount,
    currency,
  }));
}

/** Everything that the page of a document shows. @throws notFound */
export async function detailOf(ctx: Ctx, id: string): Promise<Reply<typeof costData>> {
  const document = await rowOf(ctx, id);
  if (!document) throw notFound();
  const codes = [...new Set(Object.values(costDocument.transitions).map((rule) => rule.permission))];
  return {
    document,
    rows: await rowsOf(ctx, id, document.currency),
    // What another document made is taken back there.
    actions:
      document.sourceId === null && document.kind === 'SHARE'
        ? actionsOf(costDocument, document.state, new Set(codes.filter((code) => can(ctx, code))))
        : [],
    timeline: await timelineOf(ctx, costDocument.name, id),
  };
}
