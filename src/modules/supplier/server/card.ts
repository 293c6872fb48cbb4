import type { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import type { Scorecard } from '../contract.ts';
import { gradingOf } from './grading/setting.ts';
import { measured } from './measure.ts';
import { daysOf, quarterOf } from './quarter.ts';
import { score, WEIGHTS } from './scorecard.ts';

/** Scorecard of a supplier in a quarter ("2026Q1"; the running one where left out), as things are now. */
export async function scorecard(ctx: Ctx, id: string, quarter = quarterOf(ctx.clock.today())): Promise<Scorecard> {
  const row = await ctx.db
    .selectFrom('supplier.supplier')
    .select(['id', 'service_score as serviceScore'])
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) throw notFound();
  const period = daysOf(quarter);
  const thresholds = await gradingOf(ctx);
  const cards = await measured(ctx, [row], period, thresholds);
  const card = cards.get(id) ?? score([], row.serviceScore, thresholds);
  const points = (value: Decimal | null) => value?.toFixed(2) ?? null;
  const figure = (key: keyof typeof WEIGHTS) => ({ points: points(card[key]), share: WEIGHTS[key] });
  return {
    ...period,
    lines: card.lines,
    delivery: figure('delivery'),
    quality: figure('quality'),
    price: figure('price'),
    service: figure('service'),
    total: points(card.total),
    grade: card.grade,
    leadDays: card.leadDays?.toFixed(1) ?? null,
  };
}
