import { sql } from 'kysely';
import { Decimal, plainDecimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FeeTier } from '#modules/ratecard/contract/tiers.ts';
import type { ClaimState } from '../../contract/claims.ts';
import {
  type ChargedVerdict,
  type FeeAuditFilter,
  FeeAuditRow,
  type FeeAuditTab,
  type FeeGap,
  type FeeVerdict,
} from '../../contract/fee-audit.ts';
import { among, type FactList, type Facts, factsOf } from '../lists/base.ts';

const plain = (value: string | null): string | null => (value === null ? null : plainDecimal(value));

const TABS: Record<FeeAuditTab, ReturnType<typeof sql<boolean>>> = {
  over: sql<boolean>`f.verdict = 'OVER'`,
  higher: sql<boolean>`f.diff > 0`,
  lower: sql<boolean>`f.diff < 0`,
  equal: sql<boolean>`f.diff = 0`,
  none: sql<boolean>`f.verdict = 'NONE'`,
  charged: sql<boolean>`f.charged_diff >= f.tolerance`,
};

interface Db {
  title: string;
  verdict: FeeVerdict;
  amazon_size: string | null;
  amazon_weight: string | null;
  amazon_tier: string;
  amazon_fee: string | null;
  own_size: string | null;
  own_weight: string | null;
  own_tier: FeeTier | null;
  own_billable: string | null;
  own_fee: string | null;
  card_fee: string | null;
  card: string;
  gap: FeeGap | null;
  diff: string | null;
  tolerance: string;
  units_30: number | null;
  monthly: string | null;
  measured_since: string;
  reckoned_at: string;
  price: string | null;
  currency: string;
  claim_id: string | null;
  claim_number: string | null;
  claim_state: ClaimState | null;
  charged: string | null;
  charged_units: number | null;
  charged_diff: string | null;
}

/** Where what was charged stands to the preview; the same within the tolerance. */
function chargingOf({ charged_diff, tolerance }: Db): ChargedVerdict | null {
  if (charged_diff === null) return null;
  const diff = new Decimal(charged_diff);
  return diff.abs().lt(tolerance) ? 'SAME' : diff.gt(0) ? 'MORE' : 'LESS';
}

function matching(ctx: Ctx, { tab, gaps, ...filter }: FeeAuditFilter): Facts {
  const query = among(factsOf(ctx, 'inventory.fee_audit_seen', filter), 'gap', gaps);
  return tab ? query.where(TABS[tab]) : query;
}

/** Fees by Amazon's measurement and by our own, the dearest overcharge first. */
export const feeAuditList = (ctx: Ctx, filter: FeeAuditFilter): FactList<Db, FeeAuditRow> => ({
  title: 'FBA费用核对',
  resource: 'inventory.feeAudit',
  row: FeeAuditRow,
  query: matching(ctx, filter),
  order: [['f.monthly', 'desc', 'last']],
  sort: {
    amazonFee: 'f.amazon_fee',
    ownFee: 'f.own_fee',
    diff: 'f.diff',
    units30: 'f.units_30',
    monthly: 'f.monthly',
    charged: 'f.charged',
    chargedDiff: 'f.charged_diff',
  },
  sums: { units30: 'units_30' },
  money: { monthly: 'monthly' },
  map: (row, goods) => ({
    ...goods,
    verdict: row.verdict,
    amazonSides: row.amazon_size,
    amazonWeight: plain(row.amazon_weight),
    amazonTier: row.amazon_tier,
    amazonFee: row.amazon_fee,
    ownSides: row.own_size,
    ownWeight: plain(row.own_weight),
    ownTier: row.own_tier,
    ownFee: row.own_fee,
    diff: row.diff,
    units30: row.units_30,
    monthly: row.monthly,
    charged: row.charged,
    chargedDiff: row.charged_diff,
    charging: chargingOf(row),
    chargedUnits: row.charged_units,
    gap: row.gap,
    claimNumber: row.claim_number ?? '',
    reckonedAt: row.reckoned_at,
    cardFee: row.card_fee,
    ownBillable: plain(row.own_billable),
    card: row.card,
    measuredSince: row.measured_since,
    price: row.price,
    tolerance: row.tolerance,
    currency: row.currency,
    fnsku: row.fnsku,
    claimId: row.claim_id,
    claimState: row.claim_state,
  }),
});

/** How many rows each tab has under the other filters. */
export async function feeAuditCounts(ctx: Ctx, { tab: _, ...filter }: FeeAuditFilter): Promise<Record<string, number>> {
  const tabs = Object.entries(TABS).map(([name, when]) => sql<number>`count(*) FILTER (WHERE ${when})::int`.as(name));
  const row = await matching(ctx, filter)
    .clearSelect()
    .select([sql<number>`count(*)::int`.as('all'), ...tabs])
    .executeTakeFirstOrThrow();
  return row as Record<string, number>;
}
