import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { DocumentRow } from '#kit/server/document.ts';
import { notFound } from '#kit/server/errors.ts';
import type { ClaimEvidence, ClaimState, ClaimType } from '../../contract/claims.ts';

export const CLAIMS = 'inventory.claim';

/** A claim as its rules see it. */
export interface Claim extends DocumentRow {
  number: string;
  state: ClaimState;
  type: ClaimType;
  accountId: string;
  marketplaceId: string;
  happening: string;
  reference: string;
  day: string;
  fnsku: string;
  sku: string;
  asin: string;
  lost: number;
  found: number;
  paid: number;
  qty: number;
  unitValue: string | null;
  currency: string;
  opensOn: string;
  deadline: string;
  caseNo: string;
  appealed: boolean;
  /** What a claim by people rests on, as it was then; null for what follows from the reports. */
  basis: ClaimEvidence[] | null;
  updatedByName: string;
}

/** One claim; `lock` keeps its row until the transaction ends. @throws notFound for one out of reach */
export async function claimOf(ctx: Ctx, id: string, lock: boolean): Promise<Claim> {
  const { rows } = await sql<Claim>`
    SELECT id, number, state, version, type, account_id AS "accountId", marketplace_id AS "marketplaceId", happening, reference,
           event_day AS day, fnsku, seller_sku AS sku, asin, lost, found, paid, qty, trim_scale(unit_value)::text AS "unitValue",
           currency, opens_on AS "opensOn", deadline, case_no AS "caseNo", appealed, basis, updated_by_name AS "updatedByName"
      FROM inventory.claim WHERE company_id = ${ctx.companyId} AND id = ${id} ${sql.raw(lock ? 'FOR UPDATE' : '')}`.execute(
    ctx.db,
  );
  const [claim] = rows;
  if (!claim) throw notFound('索赔单不存在或已删除');
  return claim;
}
