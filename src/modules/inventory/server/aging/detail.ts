import { sql } from 'kysely';
import type { z } from 'zod';
import { currencyScale, Decimal, plainDecimal, round } from '#kit/contract/decimal.ts';
import type { Reply } from '#kit/contract/endpoint.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import type { agingForecast } from '../../contract/aging.ts';
import { type AgingFact, agingFacts, goodsOf } from './facts.ts';
import { planOf } from './months.ts';
import { cardFinder, rateCards } from './rates.ts';
import { daysBetween, depleted } from './reckon.ts';
import { outlookOf, perDayOf } from './refresh.ts';

/** The row of the newest report with that name, of an account that the caller may see. @throws notFound */
async function factOf(ctx: Ctx, rowId: string): Promise<AgingFact> {
  const { rows } = await sql<{ account: string }>`
    SELECT account_id AS account FROM inventory.planning_day
     WHERE company_id = ${ctx.companyId} AND row_id::text = ${rowId} ORDER BY day DESC LIMIT 1`.execute(ctx.db);
  const account = rows[0]?.account;
  const [fact] = account ? await agingFacts(ctx, account, rowId) : [];
  if (!fact) throw notFound('该商品不在最新的库龄报表中');
  return fact;
}

const missingOf = (fact: AgingFact, cards: { aged: boolean; storage: boolean }): string[] => {
  const country = countryOf(fact.marketplace_id);
  return [
    ...(cards.aged ? [] : [`没有 ${country} 的超龄附加费率`]),
    ...(cards.storage ? [] : [`没有 ${country} 的仓储费率`]),
    ...(fact.volume === null ? ['没有单件体积：仓储费报表和费用预览报表都未给出'] : []),
  ];
};

/**
 * What lying there costs if nothing is done, and with other sales or pieces that are taken out now, the oldest first.
 * @throws notFound; refused B0563 for more pieces than there are
 */
export async function forecastOf(
  ctx: Ctx,
  input: z.output<typeof agingForecast.body>,
): Promise<Reply<typeof agingForecast>> {
  const fact = await factOf(ctx, input.id);
  if (input.remove > fact.available)
    throw refused(`移除数量不能超过可售 ${fact.available}`, 'B0563', { most: fact.available });
  const outlook = outlookOf(fact, cardFinder(await rateCards(ctx)));
  const removal =
    input.removeFee === null
      ? null
      : round(new Decimal(input.removeFee).times(input.remove), currencyScale(fact.currency));
  const wanted = { ...outlook, perDay: input.perDay ?? outlook.perDay, layers: depleted(fact.layers, input.remove) };
  const isOther = input.perDay !== null || input.remove > 0;
  const hold = planOf(outlook, fact.currency);
  return {
    product: fact.title || fact.seller_sku,
    currency: fact.currency,
    perDay: plainDecimal(perDayOf(fact)),
    volume: fact.volume,
    ...(({ tier, exempt }) => ({ tier, exempt }))(goodsOf(fact)),
    missing: missingOf(fact, {
      aged: outlook.aged(fact.day) !== undefined,
      storage: outlook.storage(fact.day) !== undefined,
    }),
    layers: fact.layers.map(({ day, qty, estimated }) => ({
      day,
      age: daysBetween(day, fact.day),
      quantity: qty,
      estimated,
    })),
    hold,
    plan: isOther ? planOf(wanted, fact.currency, removal) : null,
    reckonedAt: ctx.clock.now().toISOString(),
  };
}
