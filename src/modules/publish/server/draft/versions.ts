import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { DraftVersion } from '../../contract/draft.ts';
import type { Attributes } from '../../contract/form.ts';
import { ownChanges } from '../form/merge.ts';
import type { Draft } from './row.ts';

type Place = Pick<Draft, 'id' | 'account_id' | 'marketplace_id' | 'seller_sku'>;

function versionsOf(ctx: Ctx, place: Place) {
  return ctx.db
    .selectFrom('publish.version')
    .where('company_id', '=', ctx.companyId)
    .where('account_id', '=', place.account_id)
    .where('marketplace_id', '=', place.marketplace_id)
    .where('seller_sku', '=', place.seller_sku);
}

/**
 * Keeps what a listing is as its next version, unless the last one is the same but for price and stock. Versions of one
 * listing are counted under a lock.
 */
export async function keepVersion(
  ctx: Ctx,
  place: Place,
  { attributes, source, by }: { attributes: Attributes; source: 'found' | 'live'; by: string },
): Promise<void> {
  const key = `publish:${place.account_id}:${place.marketplace_id}:${place.seller_sku}`;
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(ctx.db);
  const last = await versionsOf(ctx, place)
    .select(['number', 'attributes'])
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (last && ownChanges(last.attributes as unknown as Attributes, attributes).length === 0) return;
  await ctx.db
    .insertInto('publish.version')
    .values({
      company_id: ctx.companyId,
      account_id: place.account_id,
      marketplace_id: place.marketplace_id,
      seller_sku: place.seller_sku,
      number: (last?.number ?? 0) + 1,
      attributes: JSON.stringify(attributes),
      source,
      draft_id: place.id,
      created_by_name: by,
    })
    .execute();
}

const MOST_VERSIONS = 100;

/** Versions of a listing, the newest first. */
export async function versionList(ctx: Ctx, place: Place): Promise<DraftVersion[]> {
  const rows = await versionsOf(ctx, place)
    .select(['number', 'source', 'created_by_name as by', 'created_at as at'])
    .orderBy('number', 'desc')
    .limit(MOST_VERSIONS)
    .execute();
  return rows as DraftVersion[];
}
