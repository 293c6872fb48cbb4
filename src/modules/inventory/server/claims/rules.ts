import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { marketplaceOf } from '#modules/marketplace/contract/marketplaces.ts';
import type { ClaimPolicy, ClaimReason } from '../../contract/claims.ts';

const ALWAYS = '2000-01-01';
const usual = (type: ClaimPolicy['type'], opensAfter: number, closesAfter: number): ClaimPolicy => ({
  type,
  marketplaceId: '',
  opensAfter,
  closesAfter,
  validFrom: ALWAYS,
});

/** Windows where the company says nothing else: days after the loss, the refund, the parcel of the removal, the reversal, the report with too high a fee. */
const USUAL_POLICIES: readonly ClaimPolicy[] = [
  usual('FC_LOST', 0, 60),
  usual('FC_DAMAGED', 0, 60),
  usual('CUSTOMER_REFUND_NO_RETURN', 60, 120),
  usual('REMOVAL_LOST', 15, 75),
  usual('REVERSED', 0, 60),
  usual('FEE_OVERCHARGE', 0, 90),
];

const meaning = (source: ClaimReason['source'], effect: ClaimReason['effect'], ...codes: string[]): ClaimReason[] =>
  codes.map((code) => ({ source, code, effect }));

/** What codes mean where the company says nothing else. What people lost on the way in is claimed beside its shipment. */
const USUAL_REASONS: readonly ClaimReason[] = [
  ...meaning('LEDGER', 'LOST', 'M'),
  ...meaning('LEDGER', 'DAMAGED', 'E'),
  ...meaning('LEDGER', 'FOUND', 'F'),
  ...meaning('LEDGER', 'NEUTRAL', 'H', 'K', 'U', 'D', 'O', 'N', '3', '4', 'Q', 'P'),
  ...meaning('PAID', 'WAREHOUSE', 'Lost_Warehouse', 'Damaged_Warehouse'),
  ...meaning('PAID', 'REFUND', 'CustomerReturn', 'CustomerServiceIssue', 'Lost_Outbound'),
  ...meaning('PAID', 'REMOVAL', 'Removal_Lost', 'Removal_Damaged'),
  ...meaning('PAID', 'NEUTRAL', 'Lost_Inbound', 'Damaged_Inbound', 'FeeCorrection', 'Reimbursement_Reversal'),
];

/** All windows, the usual ones first; of those that fit a happening the last one counts, one of its country before others. */
export async function policiesOf(ctx: Ctx): Promise<ClaimPolicy[]> {
  const { rows } = await sql<ClaimPolicy>`
    SELECT type, marketplace_id AS "marketplaceId", opens_after AS "opensAfter", closes_after AS "closesAfter",
           valid_from AS "validFrom"
      FROM inventory.claim_policy WHERE company_id = ${ctx.companyId} ORDER BY valid_from, id`.execute(ctx.db);
  return [...USUAL_POLICIES, ...rows];
}

/** What each known code of a reason means. */
export async function reasonsOf(ctx: Ctx): Promise<ClaimReason[]> {
  const { rows } = await sql<ClaimReason>`
    SELECT source, code, effect FROM inventory.claim_reason WHERE company_id = ${ctx.companyId} ORDER BY source, code`.execute(
    ctx.db,
  );
  const all = [...USUAL_REASONS, ...rows].map((one) => [`${one.source} ${one.code}`, one] as const);
  return [...new Map(all).values()];
}

/** Windows and meanings as people see them. */
export async function claimRules(ctx: Ctx): Promise<{ policies: ClaimPolicy[]; reasons: ClaimReason[] }> {
  return { policies: await policiesOf(ctx), reasons: await reasonsOf(ctx) };
}

const same = (a: ClaimPolicy, b: ClaimPolicy): boolean =>
  a.type === b.type &&
  a.marketplaceId === b.marketplaceId &&
  a.opensAfter === b.opensAfter &&
  a.closesAfter === b.closesAfter &&
  a.validFrom === b.validFrom;

/**
 * Adds the windows that are not there yet, and writes the meanings that are other than before. An earlier window stays, and
 * counts for happenings before the new one's day.
 * @throws refused B0560 for a marketplace that does not exist
 */
export async function putClaimRules(ctx: Ctx, input: { policies: ClaimPolicy[]; reasons: ClaimReason[] }) {
  const before = await claimRules(ctx);
  const policies = input.policies.filter((one) => !before.policies.some((known) => same(known, one)));
  const unknown = policies.find(({ marketplaceId }) => marketplaceId !== '' && !marketplaceOf(marketplaceId));
  if (unknown) throw refused(`站点 ${unknown.marketplaceId} 不存在`, 'B0560');
  const was = new Map(before.reasons.map((one) => [`${one.source} ${one.code}`, one.effect]));
  const each = [...new Map(input.reasons.map((one) => [`${one.source} ${one.code}`, one])).values()];
  const reasons = each.filter((one) => was.get(`${one.source} ${one.code}`) !== one.effect);
  await sql`
    INSERT INTO inventory.claim_policy (company_id, type, marketplace_id, opens_after, closes_after, valid_from, created_by_name)
    SELECT ${ctx.companyId}, r.type, r."marketplaceId", r."opensAfter", r."closesAfter", r."validFrom", ${ctx.userName}
      FROM jsonb_to_recordset(${JSON.stringify(policies)}::jsonb)
        AS r(type text, "marketplaceId" text, "opensAfter" int, "closesAfter" int, "validFrom" date)`.execute(ctx.db);
  await sql`
    INSERT INTO inventory.claim_reason (company_id, source, code, effect)
    SELECT ${ctx.companyId}, r.source, r.code, r.effect
      FROM jsonb_to_recordset(${JSON.stringify(reasons)}::jsonb) AS r(source text, code text, effect text)
    ON CONFLICT (company_id, source, code) DO UPDATE SET effect = excluded.effect`.execute(ctx.db);
  await audit(ctx, {
    action: '修改索赔规则',
    resource: 'inventory.claimRule',
    before: { reasons: reasons.map((one) => ({ ...one, effect: was.get(`${one.source} ${one.code}`) ?? null })) },
    after: { policies, reasons },
  });
  return claimRules(ctx);
}
