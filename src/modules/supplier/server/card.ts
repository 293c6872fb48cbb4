import type { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import { extensionPoint, extensionsOf } from '#kit/server/extension.ts';
import type { Scorecard } from '../contract.ts';
import { type ScoredLine, score, WEIGHTS } from './scorecard.ts';

/** Who knows what suppliers delivered: order lines of a supplier that fell due from `from` to `to`, company days. */
export const scoredLines =
  extensionPoint<
    (ctx: Ctx, period: { supplierId: string; from: string; to: string }) => Promise<readonly ScoredLine[]>
  >('supplier.scoredLines');

const ENDS = ['03-31', '06-30', '09-30', '12-31'];

function daysOf(quarter: string): { from: string; to: string } {
  const year = quarter.slice(0, 4);
  const index = Number(quarter.slice(5)) - 1;
  return { from: `${year}-${String(index * 3 + 1).padStart(2, '0')}-01`, to: `${year}-${ENDS[index]}` };
}

function thisQuarter({ runtime }: Ctx): string {
  const [year, month] = runtime.clock.today().split('-');
  return `${year}Q${Math.ceil(Number(month) / 3)}`;
}

/** Scorecard of a supplier in a quarter ("2026Q1"; the running one where left out). */
export async function scorecard(ctx: Ctx, id: string, quarter = thisQuarter(ctx)): Promise<Scorecard> {
  const row = await ctx.db
    .selectFrom('supplier.supplier')
    .select('service_score')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) throw notFound();
  const period = daysOf(quarter);
  const lines: ScoredLine[] = [];
  for (const source of extensionsOf(ctx.runtime.modules, scoredLines)) {
    lines.push(...(await source(ctx, { supplierId: id, ...period })));
  }
  const card = score(lines, row.service_score);
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
