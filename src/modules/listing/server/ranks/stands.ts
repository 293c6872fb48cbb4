import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';

/** Ranks of a product as they stand, and by how many places they fell since the day before and since a week before. */
export interface RankStand {
  marketplace_id: string;
  asin: string;
  day: string;
  group_title: string | null;
  group_rank: number | null;
  /** Below zero: it rose. NULL where the earlier day was not read, or told another group. */
  group_move1: number | null;
  group_move7: number | null;
  class_title: string | null;
  class_rank: number | null;
  class_move1: number | null;
  class_move7: number | null;
}

interface Asked {
  accountId: string;
  /** The newest reading counts if it is of a later day than that, YYYY-MM-DD. */
  since: string;
  /** What these SKUs sell; everything where left out. */
  skus?: readonly string[] | undefined;
}

/** SELECT of the newest ranks of an account's products against those of one and of seven days before. */
export function rankStandsSelect(
  ctx: Pick<Ctx, 'companyId'>,
  { accountId, since, skus }: Asked,
): RawBuilder<RankStand> {
  const some = skus
    ? sql`AND asin IN (SELECT asin FROM listing.listing WHERE company_id = ${ctx.companyId} AND account_id = ${accountId}
                          AND seller_sku = ANY (${skus}::text[]))`
    : sql``;
  const earlier = (alias: string, days: number) => sql`
    LEFT JOIN read AS ${sql.ref(alias)} ON ${sql.ref(`${alias}.marketplace_id`)} = n.marketplace_id
     AND ${sql.ref(`${alias}.asin`)} = n.asin AND ${sql.ref(`${alias}.day`)} = n.day - ${sql.lit(days)}`;
  const move = (kind: 'group' | 'class', alias: string) =>
    sql.raw(`CASE WHEN n.${kind}_title = ${alias}.${kind}_title THEN n.${kind}_rank - ${alias}.${kind}_rank END`);
  // Read once by a range of days, which row-level security lets go by an index; an earlier day that is reckoned from each row
  // would have all that was ever read of the product looked through.
  return sql<RankStand>`
    WITH read AS MATERIALIZED (
      SELECT marketplace_id, asin, day, group_title, group_rank, class_title, class_rank FROM listing.rank_day
       WHERE company_id = ${ctx.companyId} AND account_id = ${accountId} AND day > ${since}::date - 7 ${some})
    SELECT n.*, ${move('group', 'd')} AS group_move1, ${move('group', 'w')} AS group_move7,
           ${move('class', 'd')} AS class_move1, ${move('class', 'w')} AS class_move7
      FROM (SELECT DISTINCT ON (marketplace_id, asin) * FROM read WHERE day > ${since}::date
             ORDER BY marketplace_id, asin, day DESC) AS n
      ${earlier('d', 1)} ${earlier('w', 7)}`;
}

/** A reading of ranks: the newest of a day of the site. */
export interface RankReading {
  account_id: string;
  marketplace_id: string;
  asin: string;
  day: string;
  group_title: string | null;
  group_rank: number | null;
  class_title: string | null;
  class_rank: number | null;
  as_of: string;
}

/** SELECT of all readings of the company of days later than `since`, YYYY-MM-DD, to join by product. */
export function rankReadingsSelect({ companyId }: Pick<Ctx, 'companyId'>, since: string): RawBuilder<RankReading> {
  return sql<RankReading>`
    SELECT account_id, marketplace_id, asin, day, group_title, group_rank, class_title, class_rank, as_of
      FROM listing.rank_day WHERE company_id = ${companyId} AND day > ${since}::date`;
}
