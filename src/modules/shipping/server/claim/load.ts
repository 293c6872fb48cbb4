import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { DocumentRow } from '#kit/server/document.ts';
import { notFound } from '#kit/server/errors.ts';
import type { Cause, ClaimKind, ClaimState } from '../../contract/claim/claim.ts';

export const CLAIMS = 'shipping.discrepancy';

/** A discrepancy as its rules see it. */
export interface Claim extends DocumentRow {
  number: string;
  state: ClaimState;
  kind: ClaimKind;
  account: string;
  marketplaceId: string;
  orderId: string;
  shipmentNo: string;
  msku: string;
  shipped: number;
  received: number;
  qty: number;
  value: string | null;
  closedOn: string | null;
  cause: Cause | null;
  caseNo: string;
  updatedByName: string;
}

const COLUMNS = sql`id, number, state, version, kind, account_id AS account, marketplace_id AS "marketplaceId",
  order_id AS "orderId", shipment_no AS "shipmentNo", msku, shipped, received, qty, value::text, closed_on AS "closedOn", cause,
  case_no AS "caseNo", updated_by_name AS "updatedByName"`;

/** One discrepancy; `lock` keeps its row until the transaction ends. @throws notFound */
export async function claimOf(ctx: Ctx, id: string, lock: boolean): Promise<Claim> {
  const { rows } = await sql<Claim>`
    SELECT ${COLUMNS} FROM shipping.discrepancy
     WHERE company_id = ${ctx.companyId} AND id = ${id} ${sql.raw(lock ? 'FOR UPDATE' : '')}`.execute(ctx.db);
  const [claim] = rows;
  if (!claim) throw notFound('货件差异不存在或已删除');
  return claim;
}

/** Discrepancies of an order, or those of one SKU of an account that were once short, locked in the order of their ids. */
export async function claimsOf(
  ctx: Ctx,
  of: { order: string } | { account: string; mskus: readonly string[] },
): Promise<Claim[]> {
  const condition =
    'order' in of
      ? sql`order_id = ${of.order}`
      : sql`account_id = ${of.account} AND msku = ANY (${[...of.mskus]}::text[]) AND kind = 'SHORT'`;
  const { rows } = await sql<Claim>`
    SELECT ${COLUMNS} FROM shipping.discrepancy
     WHERE company_id = ${ctx.companyId} AND ${condition} ORDER BY id FOR UPDATE`.execute(ctx.db);
  return rows;
}
