import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { type JobDef, job } from '#kit/server/jobs/define.ts';
import { inTenant, systemPrincipal } from '#kit/server/runtime.ts';
import { reimbursedFor } from '#modules/inventory/server/index.ts';
import { type ClaimState, claimCase } from '../../contract/claim/claim.ts';
import { type Claim, claimsOf } from './load.ts';
import { type Match, matchPayments } from './match.ts';
import { type AnyClaimStep, follow } from './step.ts';

interface Known {
  claim: string;
  reimbursementId: string;
  msku: string;
  qty: number;
  amount: string;
  manual: boolean;
}

async function knownOf(ctx: Ctx, claims: readonly Claim[]): Promise<Known[]> {
  const { rows } = await sql<Known>`
    SELECT p.discrepancy_id AS claim, p.reimbursement_id AS "reimbursementId", d.msku, p.qty,
           trim_scale(p.amount)::text AS amount, p.manual
      FROM shipping.claim_payment AS p
      JOIN shipping.discrepancy AS d ON d.company_id = p.company_id AND d.id = p.discrepancy_id
     WHERE p.company_id = ${ctx.companyId} AND p.discrepancy_id = ANY (${claims.map(({ id }) => id)}::uuid[])`.execute(
    ctx.db,
  );
  return rows;
}

/** Writes what is paid for; answers the claims of which it is other than before. */
async function write(
  ctx: Ctx,
  claims: readonly Claim[],
  matches: readonly Match[],
  known: readonly Known[],
): Promise<Set<string>> {
  const rows = matches.map(({ claim, payment, qty, amount }) => ({
    claim,
    reimbursementId: payment.reimbursementId,
    originalId: payment.originalId,
    reason: payment.reason,
    qty,
    amount,
    currency: payment.currency,
    paidAt: payment.approvedAt,
  }));
  const keep = new Set(rows.map((row) => `${row.claim} ${row.reimbursementId}`));
  // What somebody entered stays until the marketplace says it itself, of whichever claim.
  const told = new Set(rows.map((row) => row.reimbursementId));
  const gone = known.filter(
    (one) => !keep.has(`${one.claim} ${one.reimbursementId}`) && (!one.manual || told.has(one.reimbursementId)),
  );
  for (const { claim, reimbursementId } of gone) {
    await sql`DELETE FROM shipping.claim_payment WHERE company_id = ${ctx.companyId} AND discrepancy_id = ${claim}
       AND reimbursement_id = ${reimbursementId}`.execute(ctx.db);
  }
  const written = await sql<{ claim: string }>`
    INSERT INTO shipping.claim_payment AS p (company_id, discrepancy_id, reimbursement_id, original_id, reason, qty, amount, currency,
                                             paid_at)
    SELECT ${ctx.companyId}, r.claim, r."reimbursementId", r."originalId", r.reason, r.qty, r.amount, r.currency, r."paidAt"
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        AS r(claim uuid, "reimbursementId" text, "originalId" text, reason text, qty int, amount numeric, currency text,
             "paidAt" timestamptz)
    ON CONFLICT (company_id, discrepancy_id, reimbursement_id) DO UPDATE
       SET original_id = excluded.original_id, reason = excluded.reason, qty = excluded.qty, amount = excluded.amount,
           currency = excluded.currency, paid_at = excluded.paid_at, manual = false
     WHERE (p.original_id, p.reason, p.qty, p.amount, p.currency, p.paid_at, p.manual)
           IS DISTINCT FROM (excluded.original_id, excluded.reason, excluded.qty, excluded.amount, excluded.currency,
                             excluded.paid_at, false)
    RETURNING p.discrepancy_id AS claim`.execute(ctx.db);
  const changed = new Set([...gone.map(({ claim }) => claim), ...written.rows.map(({ claim }) => claim)]);
  return new Set(claims.map(({ id }) => id).filter((id) => changed.has(id)));
}

/** The step that a claim takes with so many pieces paid for; undefined where it stays. */
export function stepFor(state: ClaimState, qty: number, paid: number): AnyClaimStep | undefined {
  if (state === 'closed') return undefined;
  if (paid > 0 && paid >= qty) return state === 'paid' ? undefined : 'pay';
  if (paid > 0) return state === 'partly' ? undefined : 'payPart';
  return state === 'paid' || state === 'partly' ? 'unpay' : undefined;
}

/** Brings a claim's state in line with what was paid for it. */
export async function reckon(ctx: Ctx, claim: Claim): Promise<Claim> {
  const { rows } = await sql<{ qty: number }>`
    SELECT coalesce(sum(qty), 0)::int AS qty FROM shipping.claim_payment
     WHERE company_id = ${ctx.companyId} AND discrepancy_id = ${claim.id}`.execute(ctx.db);
  const name = stepFor(claim.state, claim.qty, rows[0]?.qty ?? 0);
  return name ? follow(ctx, claim, name) : claim;
}

const paidIn = (rows: readonly Known[], claim: string): number =>
  rows.filter((row) => row.claim === claim).reduce((total, row) => total + row.qty, 0);

/** Matches all that the marketplace paid an account for some SKUs with their claims; repeating it changes nothing. */
export async function payClaims(ctx: Ctx, account: string, mskus: readonly string[]): Promise<void> {
  const claims = await claimsOf(ctx, { account, mskus });
  if (claims.length === 0) return;
  const known = await knownOf(ctx, claims);
  const before = Map.groupBy(known, (one) => `${one.reimbursementId} ${one.msku}`);
  const payments = await reimbursedFor(ctx, account, mskus);
  const told = new Set(payments.map((payment) => payment.reimbursementId));
  const entered = known.filter((one) => one.manual && !told.has(one.reimbursementId));
  const matches = matchPayments(
    claims.map((claim) => ({ ...claim, qty: claim.qty - paidIn(entered, claim.id) })),
    payments,
    new Map([...before].map(([key, rows]) => [key, rows.map(({ claim }) => claim)])),
  );
  const changed = await write(ctx, claims, matches, known);
  for (const claim of claims.filter(({ id }) => changed.has(id))) {
    const mine = matches.filter((match) => match.claim === claim.id);
    const body = mine.map(
      ({ payment, qty, amount }) => `${payment.reimbursementId}：${qty} 件 ${amount} ${payment.currency}`,
    );
    await note(ctx, claimCase.name, claim.id, { kind: 'note', title: '平台赔偿', body: body.join('；') || '已撤销' });
    await reckon(ctx, claim);
  }
}

interface Payload {
  companyId: string;
  /** All accounts where left out. */
  accountId?: string;
}

export const claimJobs: JobDef[] = [
  job<Payload>('shipping.payClaims', (runtime, { companyId, accountId }) =>
    inTenant(runtime, systemPrincipal(companyId, '亚马逊'), async (ctx) => {
      const { rows } = await sql<{ account: string; mskus: string[] }>`
        SELECT account_id AS account, array_agg(DISTINCT msku ORDER BY msku) AS mskus FROM shipping.discrepancy
         WHERE company_id = ${companyId} AND kind = 'SHORT'
           AND (${accountId ?? null}::uuid IS NULL OR account_id = ${accountId ?? null}::uuid) GROUP BY 1`.execute(
        ctx.db,
      );
      for (const { account, mskus } of rows) await payClaims(ctx, account, mskus);
    }),
  ),
];
