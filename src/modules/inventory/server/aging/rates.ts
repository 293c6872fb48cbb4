import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { MARKETPLACES } from '#modules/marketplace/contract/marketplaces.ts';
import type { RateCard, RateCardRow, RateKind } from '../../contract/aging.ts';
import { agingLater } from './later.ts';
import { usualCards } from './usual-rates.ts';

const keyOf = ({ kind, country, validFrom }: Pick<RateCard, 'kind' | 'country' | 'validFrom'>) =>
  `${kind} ${country} ${validFrom}`;

/** All cards: the usual ones, and those of the company, which stand for the usual ones of the same day. */
export async function rateCards(ctx: Ctx): Promise<RateCardRow[]> {
  const { rows } = await sql<RateCardRow>`
    SELECT kind, country, valid_from AS "validFrom", currency, volume_unit AS "volumeUnit", bands, true AS own
      FROM inventory.rate_card WHERE company_id = ${ctx.companyId}`.execute(ctx.db);
  const all = new Map([...usualCards, ...rows].map((card) => [keyOf(card), card]));
  return [...all.values()].sort(
    (a, b) =>
      a.country.localeCompare(b.country) || a.kind.localeCompare(b.kind) || b.validFrom.localeCompare(a.validFrom),
  );
}

/** Finds the newest card of a kind and country that is valid on a day. */
export function cardFinder(cards: readonly RateCardRow[]) {
  return (kind: RateKind, country: string, day: string): RateCardRow | undefined =>
    cards
      .filter((card) => card.kind === kind && card.country === country && card.validFrom <= day)
      .sort((a, b) => b.validFrom.localeCompare(a.validFrom))[0];
}

/** @throws refused B0561 for a country without a marketplace, B0562 for another currency than that of its marketplace */
export async function putRateCard(ctx: Ctx, card: RateCard): Promise<RateCardRow[]> {
  const market = MARKETPLACES.find(({ country }) => country === card.country);
  if (!market) throw refused(`国家 ${card.country} 没有站点`, 'B0561');
  if (market.currency !== card.currency) throw refused(`${card.country} 的费率币种应为 ${market.currency}`, 'B0562');
  const before = (await rateCards(ctx)).find((one) => keyOf(one) === keyOf(card)) ?? null;
  await sql`
    INSERT INTO inventory.rate_card (company_id, kind, country, valid_from, currency, volume_unit, bands, updated_by_name)
    VALUES (${ctx.companyId}, ${card.kind}, ${card.country}, ${card.validFrom}, ${card.currency}, ${card.volumeUnit},
            ${JSON.stringify(card.bands)}::jsonb, ${ctx.userName})
    ON CONFLICT (company_id, kind, country, valid_from) DO UPDATE
      SET currency = excluded.currency, volume_unit = excluded.volume_unit, bands = excluded.bands,
          updated_at = kit.now(), updated_by_name = excluded.updated_by_name`.execute(ctx.db);
  await audit(ctx, {
    action: '保存仓储费率',
    resource: 'inventory.rateCard',
    resourceId: keyOf(card),
    before,
    after: card,
  });
  await agingLater(ctx);
  return rateCards(ctx);
}

/** @throws notFound for a card that is not the company's own */
export async function dropRateCard(ctx: Ctx, which: Pick<RateCard, 'kind' | 'country' | 'validFrom'>) {
  const before = (await rateCards(ctx)).find((one) => one.own && keyOf(one) === keyOf(which));
  if (!before) throw notFound('该费率卡不存在，或不是本公司维护的');
  await sql`DELETE FROM inventory.rate_card WHERE company_id = ${ctx.companyId} AND kind = ${which.kind}
     AND country = ${which.country} AND valid_from = ${which.validFrom}`.execute(ctx.db);
  await audit(ctx, {
    action: '删除仓储费率',
    resource: 'inventory.rateCard',
    resourceId: keyOf(which),
    before,
    after: null,
  });
  await agingLater(ctx);
  return rateCards(ctx);
}
