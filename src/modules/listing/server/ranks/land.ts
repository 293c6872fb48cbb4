import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { Ctx } from '#kit/server/context.ts';
import { emit, event } from '#kit/server/events.ts';

/** Ranks of an account's products changed in the transaction that tells it. */
export const ranksTouched = event<{ accountId: string }>('listing.ranks');

/** Ranks of a product on a site; null where Amazon names none. */
export interface RankFact {
  asin: string;
  groupTitle: string | null;
  groupRank: number | null;
  classTitle: string | null;
  classRank: number | null;
}

const Rank = z.object({ title: z.string(), rank: z.int().positive() });
const Item = z.object({
  asin: z.string(),
  salesRanks: z.array(
    z.object({
      marketplaceId: z.string(),
      displayGroupRanks: z.array(Rank).nullish(),
      classificationRanks: z.array(Rank).nullish(),
    }),
  ),
});

/** The best rank of several. */
const best = (ranks: readonly z.infer<typeof Rank>[] | null | undefined) =>
  (ranks ?? []).toSorted((a, b) => a.rank - b.rank)[0];

/** Ranks of an item of Catalog Items 2022-04-01, of several classes the best; undefined for what is none. */
export function rankOfItem(item: unknown, marketplaceId: string): RankFact | undefined {
  const parsed = Item.safeParse(item).data;
  const here = parsed?.salesRanks.find((one) => one.marketplaceId === marketplaceId);
  if (!parsed || !here) return undefined;
  const group = best(here.displayGroupRanks);
  const narrow = best(here.classificationRanks);
  return {
    asin: parsed.asin,
    groupTitle: group?.title ?? null,
    groupRank: group?.rank ?? null,
    classTitle: narrow?.title ?? null,
    classRank: narrow?.rank ?? null,
  };
}

interface Reading {
  accountId: string;
  marketplaceId: string;
  /** Marketplace time, ISO. */
  asOf: string;
  /** Of the site, whose day it is. */
  zone: string;
}

/** Writes a reading as that of its day; an older one that comes late is left alone. Returns how many rows it wrote. */
export async function landRanks(
  ctx: Ctx,
  { accountId, marketplaceId, asOf, zone }: Reading,
  facts: readonly RankFact[],
) {
  if (facts.length === 0) return 0;
  const { numAffectedRows } = await sql`
    INSERT INTO listing.rank_day AS r (company_id, account_id, marketplace_id, asin, day, group_title, group_rank, class_title,
           class_rank, as_of)
    SELECT ${ctx.companyId}::uuid, ${accountId}::uuid, ${marketplaceId}, asin, (${asOf}::timestamptz AT TIME ZONE ${zone})::date,
           "groupTitle", "groupRank", "classTitle", "classRank", ${asOf}::timestamptz
      FROM jsonb_to_recordset(${JSON.stringify(facts)}::jsonb) AS f (asin text, "groupTitle" text, "groupRank" int,
           "classTitle" text, "classRank" int)
     ORDER BY asin
    ON CONFLICT (company_id, account_id, marketplace_id, asin, day) DO UPDATE
       SET (group_title, group_rank, class_title, class_rank, as_of) =
           (excluded.group_title, excluded.group_rank, excluded.class_title, excluded.class_rank, excluded.as_of)
     WHERE r.as_of <= excluded.as_of`.execute(ctx.db);
  const changed = Number(numAffectedRows ?? 0);
  if (changed > 0) await emit(ctx, ranksTouched, { accountId });
  return changed;
}

/** Ranks of a product on a day of its site. */
export interface RankDay {
  day: string;
  group_title: string | null;
  group_rank: number | null;
  class_title: string | null;
  class_rank: number | null;
  as_of: string;
}

/** SELECT of a product's ranks by day, of days that were read. */
export function rankDaysSelect(
  ctx: Pick<Ctx, 'companyId'>,
  { accountId, marketplaceId, asin }: { accountId: string; marketplaceId: string; asin: string | null },
): RawBuilder<RankDay> {
  return sql<RankDay>`
    SELECT day, group_title, group_rank, class_title, class_rank, as_of FROM listing.rank_day
     WHERE company_id = ${ctx.companyId} AND account_id = ${accountId} AND marketplace_id = ${marketplaceId} AND asin = ${asin}`;
}
