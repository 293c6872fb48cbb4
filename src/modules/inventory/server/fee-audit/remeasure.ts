import { sql } from 'kysely';
import type { z } from 'zod';
import { plainDecimal } from '#kit/contract/decimal.ts';
import type { Reply } from '#kit/contract/endpoint.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { nextNumbers } from '#kit/server/sequence.ts';
import type { FeeTier } from '#modules/ratecard/contract/tiers.ts';
import { type ClaimEvidence, fbaClaim } from '../../contract/claims.ts';
import type { askRemeasure, FeeVerdict } from '../../contract/fee-audit.ts';
import { policyCte, WINDOW } from '../claims/allocate.ts';
import { followReports } from '../claims/follow.ts';
import { lockClaims } from '../claims/lock.ts';
import { policiesOf } from '../claims/rules.ts';

interface Found {
  account_id: string;
  row_id: string;
  day: string;
  measured_since: string;
  marketplace_id: string;
  seller_sku: string;
  fnsku: string;
  asin: string;
  verdict: FeeVerdict;
  currency: string;
  amazon_size: string;
  amazon_weight: string;
  amazon_tier: string;
  amazon_fee: string;
  own_size: string;
  own_weight: string;
  own_tier: FeeTier;
  own_billable: string;
  own_fee: string;
  card: string;
  diff: string;
  units: number;
  happening: string;
}

async function rowsOf(ctx: Ctx, ids: readonly string[]): Promise<Found[]> {
  const { rows } = await sql<Found>`
    SELECT f.*, greatest(1, coalesce(f.units_30, 0)) AS units FROM inventory.fee_audit_seen AS f
     WHERE f.company_id = ${ctx.companyId} AND f.row_id::text = ANY (${ids})
     ORDER BY f.account_id, f.seller_sku, f.row_id`.execute(ctx.db);
  return rows;
}

/** Words of a tier as Amazon writes them. */
const english = (tier: FeeTier): string => tier.toLowerCase().replaceAll('_', ' ');

/** Both measurements and the card, as they are on the day of the request. */
function basisOf(row: Found): ClaimEvidence[] {
  const common = { reference: row.seller_sku, quantity: row.units, centre: '', currency: row.currency };
  const weight = (kg: string) => `${plainDecimal(kg)} kg`;
  return [
    {
      ...common,
      id: 'amazon',
      source: 'AMAZON',
      day: row.measured_since,
      what: [
        row.amazon_size && `${row.amazon_size} cm`,
        row.amazon_weight && weight(row.amazon_weight),
        row.amazon_tier,
      ]
        .filter(Boolean)
        .join(', '),
      amount: plainDecimal(row.amazon_fee),
    },
    {
      ...common,
      id: 'own',
      source: 'OWN',
      day: row.day,
      what: `${row.own_size} cm, ${weight(row.own_weight)}, ${english(row.own_tier)}`,
      amount: plainDecimal(row.own_fee),
    },
    {
      ...common,
      id: 'card',
      source: 'CARD',
      day: row.day,
      reference: row.card,
      what: `${row.card}, ${english(row.own_tier)}, billable ${weight(row.own_billable)}`,
      amount: plainDecimal(row.own_fee),
    },
  ];
}

async function insert(ctx: Ctx, rows: readonly Found[]): Promise<Set<string>> {
  const numbers = await nextNumbers(ctx, fbaClaim.number, ctx.clock.today(), rows.length);
  const wanted = rows.map((row, at) => ({ ...row, number: numbers[at], basis: basisOf(row) }));
  const { rows: made } = await sql<{ key: string }>`
    WITH ${policyCte(await policiesOf(ctx))},
    f AS (
      SELECT r.*, 'FEE_OVERCHARGE' AS type FROM jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) AS r(number text,
             account_id uuid, marketplace_id text, happening text, asin text, day date, fnsku text, seller_sku text, units int,
             diff numeric, currency text, basis jsonb))
    INSERT INTO inventory.claim (company_id, number, state, type, account_id, marketplace_id, happening, reference, event_day,
                                 fnsku, seller_sku, asin, lost, found, paid, qty, unit_value, currency, opens_on, deadline,
                                 basis, updated_by_name)
    SELECT ${ctx.companyId}, f.number, 'candidate', f.type, f.account_id, f.marketplace_id, f.happening,
           coalesce(nullif(f.asin, ''), f.seller_sku), f.day, f.fnsku, f.seller_sku, f.asin, f.units, 0, 0, f.units, f.diff,
           f.currency, w.opens_on, w.deadline, f.basis, ${ctx.userName}
      FROM f CROSS JOIN ${WINDOW}
    RETURNING account_id || ' ' || happening AS key`.execute(ctx.db);
  return new Set(made.map(({ key }) => key));
}

const keyOf = (row: Found): string => `${row.account_id} ${row.happening}`;

async function claimed(ctx: Ctx, rows: readonly Found[]): Promise<Map<string, { id: string; number: string }>> {
  const { rows: found } = await sql<{ key: string; id: string; number: string }>`
    SELECT c.account_id || ' ' || c.happening AS key, c.id, c.number FROM inventory.claim AS c
     WHERE c.company_id = ${ctx.companyId} AND c.type = 'FEE_OVERCHARGE' AND c.account_id || ' ' || c.happening = ANY (${rows.map(keyOf)})
       AND c.account_id = ANY (${rows.map((row) => row.account_id)}::uuid[])`.execute(ctx.db);
  return new Map(found.map((one) => [one.key, one]));
}

/**
 * Makes claims for another measurement of listings that are charged too much, with what both sides measured. A listing has
 * one for each measurement of Amazon's: a second request names the first one.
 * @throws notFound for rows out of reach; refused B0564 for one that is not overcharged
 */
export async function remeasure(
  ctx: Ctx,
  { ids }: z.output<typeof askRemeasure.body>,
): Promise<Reply<typeof askRemeasure>> {
  const wanted = [...new Set(ids)];
  const accounts = [...new Set((await rowsOf(ctx, wanted)).map((row) => row.account_id))].sort();
  for (const account of accounts) await lockClaims(ctx, account);
  const rows = await rowsOf(ctx, wanted);
  if (new Set(rows.map((row) => row.row_id)).size < wanted.length) throw notFound('商品不在最新的费用核对中，请刷新');
  const unfit = rows.find((row) => row.verdict !== 'OVER');
  if (unfit) throw refused(`${unfit.seller_sku} 未判定为超收，不能申请复测`, 'B0564', { sku: unfit.seller_sku });
  const before = await claimed(ctx, rows);
  const fresh = rows.filter((row) => !before.has(keyOf(row)));
  const made = fresh.length > 0 ? await insert(ctx, fresh) : new Set<string>();
  for (const account of accounts) await followReports(ctx, account);
  const all = await claimed(ctx, rows);
  const claims = rows.flatMap((row) => {
    const claim = all.get(keyOf(row));
    return claim ? [{ id: claim.id, number: claim.number, sku: row.seller_sku, repeated: !made.has(keyOf(row)) }] : [];
  });
  if (made.size > 0) {
    await audit(ctx, {
      action: '申请复测',
      resource: fbaClaim.name,
      after: { claims: claims.filter((one) => !one.repeated).map(({ number, sku }) => ({ number, sku })) },
    });
  }
  const old = claims.length - made.size;
  const message = [made.size > 0 && `已生成 ${made.size} 张索赔单`, old > 0 && `${old} 个商品已有索赔单`]
    .filter(Boolean)
    .join('，');
  return { claims, message };
}
