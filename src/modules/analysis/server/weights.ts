import { sql } from 'kysely';
import type { z } from 'zod';
import { Decimal } from '#kit/contract/decimal.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, refused } from '#kit/server/errors.ts';
import type { saveWeights } from '../contract/care.ts';
import { markAll } from './mark.ts';
import { USUAL, type Weights } from './rules.ts';

type Saved = z.output<typeof saveWeights.body>;

/** The company's weights, version 0 where it has chosen none. */
export async function readWeights(ctx: Ctx): Promise<Saved> {
  const row = await ctx.db
    .selectFrom('analysis.pace_weight')
    .select(['weight30', 'weight15', 'weight7', 'skip_out as skipOut', 'version'])
    .where('company_id', '=', ctx.companyId)
    .executeTakeFirst();
  return row ?? { ...USUAL, version: 0 };
}

/** The same without the version. */
export async function weightsOf(ctx: Ctx): Promise<Weights> {
  return readWeights(ctx);
}

/** The windows of the company's average of daily sales, days back and weight, the shortest first. */
export async function paceWindows(ctx: Ctx): Promise<{ days: number; weight: number }[]> {
  const { weight7, weight15, weight30 } = await weightsOf(ctx);
  return [
    { days: 7, weight: Number(weight7) },
    { days: 15, weight: Number(weight15) },
    { days: 30, weight: Number(weight30) },
  ];
}

/** Saves the weights. @throws B0920 unless they add up to 1, conflict where somebody else has changed them */
export async function putWeights(ctx: Ctx, input: Saved): Promise<Saved> {
  const sum = new Decimal(input.weight30).plus(input.weight15).plus(input.weight7);
  if (!sum.equals(1)) throw refused('30日、15日、7日权重之和必须等于 1', 'B0920');
  const before = await readWeights(ctx);
  const { rows } = await sql<{ version: number }>`
    INSERT INTO analysis.pace_weight AS w (company_id, weight30, weight15, weight7, skip_out)
    SELECT ${ctx.companyId}::uuid, ${input.weight30}::numeric, ${input.weight15}::numeric, ${input.weight7}::numeric,
           ${input.skipOut}::boolean
     WHERE ${input.version} = ${before.version}
    ON CONFLICT (company_id) DO UPDATE SET weight30 = excluded.weight30, weight15 = excluded.weight15,
       weight7 = excluded.weight7, skip_out = excluded.skip_out, version = w.version + 1
     WHERE w.version = ${input.version}
    RETURNING version`.execute(ctx.db);
  if (!rows[0]) throw conflict();
  const { version: _, ...old } = before;
  const { version: __, ...set } = input;
  await audit(ctx, { action: '修改日均销量权重', resource: 'analysis.weights', before: old, after: set });
  await markAll(ctx);
  return readWeights(ctx);
}
