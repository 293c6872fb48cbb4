import { sql } from 'kysely';
import type { Reply } from '#kit/contract/endpoint.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { COST, Stage, type WorthFilter } from '../../contract/fields.ts';
import type { worthSummary } from '../../contract/worth.ts';
import { isFrozen } from '../make/days.ts';
import { proofAt } from '../months.ts';
import { amountsOf, linesAt, newestDay, SUMS, type Sums } from './at.ts';

const NOTHING: Sums = {
  qty: 0,
  uncosted: 0,
  purchase: '0',
  first_leg: '0',
  duty: '0',
  other: '0',
  total: '0',
  reserve: '0',
  net: '0',
};

interface KnownDay {
  madeAt: string;
  missing: number;
}

async function known(ctx: Ctx, day: string): Promise<KnownDay | undefined> {
  const { rows } = await sql<KnownDay>`
    SELECT made_at AS "madeAt", stocks - stocks_known AS missing FROM worth.day
     WHERE company_id = ${ctx.companyId} AND day = ${day}::date`.execute(ctx.db);
  return rows[0];
}

/** The worth of a day by stage, in the order of the stages; of a day that is not known nothing. CNY. */
export async function summary(ctx: Ctx, filter: WorthFilter): Promise<Reply<typeof worthSummary>> {
  const day = filter.day ?? (await newestDay(ctx));
  const costs = can(ctx, COST);
  const at = day === null ? undefined : await known(ctx, day);
  const empty = amountsOf(NOTHING, costs);
  if (day === null || !at) {
    const none = {
      madeAt: null,
      frozen: false,
      missingStocks: 0,
      uncostedSkus: 0,
      stages: [],
      all: empty,
      proof: null,
    };
    return { day, known: false, ...none };
  }
  const { rows } = await sql<Sums & { stage: Stage | null }>`
    SELECT k.stage, ${SUMS} FROM ${linesAt(ctx, day, filter)} GROUP BY GROUPING SETS ((k.stage), ())`.execute(ctx.db);
  const skus = await sql<{ n: number }>`
    SELECT count(DISTINCT coalesce(k.product_id::text, k.seller_sku))::int AS n
      FROM ${linesAt(ctx, day, filter)} AND k.uncosted > 0`.execute(ctx.db);
  const stages = Stage.options.flatMap((stage) => {
    const row = rows.find((one) => one.stage === stage);
    return row ? [{ stage, ...amountsOf(row, costs) }] : [];
  });
  const all = rows.find((one) => one.stage === null);
  return {
    day,
    known: true,
    madeAt: at.madeAt,
    frozen: await isFrozen(ctx, day),
    missingStocks: at.missing,
    uncostedSkus: skus.rows[0]?.n ?? 0,
    stages,
    all: all && stages.length > 0 ? amountsOf(all, costs) : empty,
    proof: costs ? await proofAt(ctx, day) : null,
  };
}
