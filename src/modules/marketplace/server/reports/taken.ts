import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { codeId } from '#kit/server/release.ts';
import type { LandCounts, ReportSource } from '../streams.ts';

/**
 * Large files that were taken over whole are remembered until something else is told about their days, so that the same
 * bytes again cost nothing. That is right only while the same reading would have the same effect, namely none:
 *
 * - The same bytes are read the same: by the same code, with the same sites, charset and whatever else the loader names.
 *   A file in which lines were put aside or put right is never remembered, as its bytes are not all that there is to it.
 * - Its rows are still there as it left them: whoever writes rows of those days says so with `forgetTaken`, in the
 *   transaction that writes them, and an upload that is undone makes all files of the company unknown.
 * - Nobody wishes to have it read: a replay (`afresh`) always reads.
 *
 * What a load does beside writing its rows (noting when it was asked for, catching up a stream) its loader does all the same.
 */

/** A smaller file is read before it would have been looked up. */
const WORTH_IT = 1000;

/** Business days, ISO; both count. */
export interface Days {
  first: string;
  last: string;
}

export interface Taking {
  /** What reading it again would come to, where it was taken over before and is still good; undefined where it must be read. */
  known: LandCounts | undefined;
  /** Remembers it as taken over whole: no line refused, and all of its rows of these days. */
  keep(counts: LandCounts, days: Days): Promise<void>;
}

interface Found {
  /** Names the uploads that were undone: a number would not tell those that somebody may not see from later ones. */
  undone: string;
  terms: string | null;
  rows: number | null;
  facts: number | null;
}

/**
 * What is known of a file. Asked before the first statement that reads what is stored: an upload that is undone meanwhile
 * must not be missed. `place` names the files that could tell something else about the same rows; who writes rows of a place
 * holds a lock of it. `also` is what the effect depends on beside the file and its sites.
 */
export async function taking(
  ctx: Ctx,
  source: ReportSource,
  place: string,
  also: readonly unknown[] = [],
): Promise<Taking> {
  const { account, reportType, marketplaceIds, charset, sha256 } = source;
  const { rows } = await sql<Found>`
    SELECT b.undone, t.terms, t.rows, t.facts
      FROM (SELECT md5(coalesce(string_agg(id::text, ',' ORDER BY id), '')) AS undone FROM marketplace.upload_batch
             WHERE company_id = ${ctx.companyId} AND state = 'reverted') AS b
      LEFT JOIN marketplace.taken_file AS t
        ON t.company_id = ${ctx.companyId} AND t.place = ${place} AND t.sha256 = ${sha256}`.execute(ctx.db);
  const found = rows[0];
  const terms = async () =>
    JSON.stringify([await codeId(), found?.undone, account.id, reportType, marketplaceIds, charset ?? null, also]);
  const isKnown = !source.afresh && !source.corrected && found?.terms != null && found.terms === (await terms());
  return {
    known: isKnown
      ? {
          rowsIn: Number(found.rows),
          inserted: 0,
          updated: 0,
          unchanged: Number(found.facts),
          quarantined: 0,
          refused: [],
        }
      : undefined,
    keep: async ({ rowsIn, inserted, updated, unchanged, quarantined }, { first, last }) => {
      if (rowsIn < WORTH_IT || quarantined || source.corrected) return;
      await sql`
        INSERT INTO marketplace.taken_file (company_id, place, sha256, account_id, terms, first_day, last_day, rows, facts)
        VALUES (${ctx.companyId}, ${place}, ${sha256}, ${account.id}, ${await terms()}, ${first}, ${last}, ${rowsIn},
                ${inserted + updated + unchanged})
        ON CONFLICT (company_id, place, sha256) DO UPDATE
          SET account_id = excluded.account_id, terms = excluded.terms, first_day = excluded.first_day,
              last_day = excluded.last_day, rows = excluded.rows, facts = excluded.facts`.execute(ctx.db);
    },
  };
}

/** Something is told about these days of a place: what was remembered of them holds no longer. */
export async function forgetTaken(ctx: Ctx, place: string, { first, last }: Days): Promise<void> {
  await sql`
    DELETE FROM marketplace.taken_file
     WHERE company_id = ${ctx.companyId} AND place = ${place}
       AND first_day <= ${last}::date AND last_day >= ${first}::date`.execute(ctx.db);
}
