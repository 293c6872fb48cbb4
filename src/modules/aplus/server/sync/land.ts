import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { AplusState } from '../../contract/documents.ts';
import type { Metadata, Read, RelatedAsin } from '../api.ts';
import { json } from '../row.ts';
import { issuesOf } from '../words.ts';

/** What was read of a document; `read` and `asins` only where they were. */
export interface Fact {
  key: string;
  metadata: Metadata;
  read?: Read;
  asins?: readonly RelatedAsin[];
}

export interface Shelf {
  accountId: string;
  marketplaceId: string;
  /** Marketplace time, ISO. */
  asOf: string;
}

/**
 * What a status means together with where the document is published: an approved one that no ASIN shows was suspended, or is
 * about to be published.
 */
export function stateOf(
  status: Metadata['status'],
  published: boolean,
  suspended: boolean,
): Exclude<AplusState, 'LOCAL' | 'GONE'> {
  if (status !== 'APPROVED') return status;
  if (published) return 'PUBLISHED';
  return suspended ? 'SUSPENDED' : 'APPROVED';
}

const isPublished = (asins: readonly RelatedAsin[]): boolean =>
  asins.some(({ badgeSet }) => badgeSet?.includes('CONTENT_PUBLISHED'));

interface Before {
  id: string;
  state: AplusState;
  suspended: boolean;
}

async function before(ctx: Ctx, { accountId, marketplaceId }: Shelf, key: string): Promise<Before | undefined> {
  const { rows } = await sql<Before>`
    SELECT id, state, suspended_at IS NOT NULL AS suspended FROM aplus.document
     WHERE company_id = ${ctx.companyId} AND account_id = ${accountId} AND marketplace_id = ${marketplaceId}
       AND content_key = ${key} FOR UPDATE`.execute(ctx.db);
  return rows[0];
}

async function landAsins(ctx: Ctx, shelf: Shelf, documentId: string, asins: readonly RelatedAsin[]): Promise<void> {
  const rows = [...new Map(asins.map((one) => [one.asin, one])).values()].map((one) => ({
    asin: one.asin,
    badges: one.badgeSet ?? [],
    parent: one.parent ?? null,
    title: one.title ?? null,
    image: one.imageUrl ?? null,
  }));
  await sql`
    DELETE FROM aplus.document_asin
     WHERE company_id = ${ctx.companyId} AND document_id = ${documentId} AND asin <> ALL(${rows.map(({ asin }) => asin)}::text[])`.execute(
    ctx.db,
  );
  if (rows.length === 0) return;
  await sql`
    INSERT INTO aplus.document_asin AS d (company_id, document_id, account_id, asin, badges, parent_asin, title, image)
    SELECT ${ctx.companyId}::uuid, ${documentId}::uuid, ${shelf.accountId}::uuid, asin,
           ARRAY(SELECT jsonb_array_elements_text(badges)), parent, title, image
      FROM jsonb_to_recordset(${json(rows)}::jsonb) AS f (asin text, badges jsonb, parent text, title text, image text)
    ON CONFLICT (company_id, document_id, asin) DO UPDATE
       SET (badges, parent_asin, title, image) = (excluded.badges, excluded.parent_asin, excluded.title, excluded.image)
     WHERE (d.badges, d.parent_asin, d.title, d.image)
           IS DISTINCT FROM (excluded.badges, excluded.parent_asin, excluded.title, excluded.image)`.execute(ctx.db);
}

/** Writes what was read of one document; what is older than what is known is left alone. Says whether it was new here. */
export async function landDocument(ctx: Ctx, shelf: Shelf, fact: Fact): Promise<'inserted' | 'updated' | 'older'> {
  const { accountId, marketplaceId, asOf } = shelf;
  const { key, metadata, read, asins } = fact;
  const known = await before(ctx, shelf, key);
  const published = asins ? isPublished(asins) : known?.state === 'PUBLISHED';
  const suspended = (known?.suspended ?? false) && !published && metadata.status === 'APPROVED';
  const state = stateOf(metadata.status, published, suspended);
  const { content = null } = read ?? {};
  const { rows } = await sql<{ id: string }>`
    INSERT INTO aplus.document AS d (company_id, account_id, marketplace_id, content_key, name, content_type, sub_type, locale,
           badges, status, state, amazon_updated_at, content, unreadable, reasons, as_of)
    VALUES (${ctx.companyId}, ${accountId}, ${marketplaceId}, ${key}, ${metadata.name}, ${content?.contentType ?? 'EBC'},
           ${content?.contentSubType ?? null}, ${content?.locale ?? null}, ${[...(metadata.badgeSet ?? [])]}::text[],
           ${metadata.status}, ${state}, ${metadata.updateTime}, ${content && json(content)}::jsonb,
           ${read?.unreadable ?? null}, ${json(read ? issuesOf(read.warnings, 'ERROR') : [])}::jsonb, ${asOf})
    ON CONFLICT (company_id, account_id, marketplace_id, content_key) DO UPDATE
       SET name = excluded.name, badges = excluded.badges, status = excluded.status, state = excluded.state,
           amazon_updated_at = excluded.amazon_updated_at, as_of = excluded.as_of, gone_at = NULL,
           suspended_at = CASE WHEN ${suspended} THEN d.suspended_at END,
           content = CASE WHEN ${read !== undefined} THEN excluded.content ELSE d.content END,
           content_type = CASE WHEN ${content !== null} THEN excluded.content_type ELSE d.content_type END,
           sub_type = CASE WHEN ${content !== null} THEN excluded.sub_type ELSE d.sub_type END,
           locale = CASE WHEN ${content !== null} THEN excluded.locale ELSE d.locale END,
           unreadable = CASE WHEN ${read !== undefined} THEN excluded.unreadable ELSE d.unreadable END,
           reasons = CASE WHEN ${read !== undefined} THEN excluded.reasons ELSE d.reasons END
     WHERE d.as_of IS NULL OR d.as_of <= excluded.as_of
    RETURNING id`.execute(ctx.db);
  const id = rows[0]?.id;
  if (id === undefined) return 'older';
  if (asins) {
    await landAsins(ctx, shelf, id, asins);
    await sql`
      UPDATE aplus.document SET asin_count = ${new Set(asins.map(({ asin }) => asin)).size}, asins_at = ${asOf}
       WHERE company_id = ${ctx.companyId} AND id = ${id}`.execute(ctx.db);
  }
  return known ? 'updated' : 'inserted';
}

/** A key that stands for nothing any more, or for something that is not known yet. */
export interface Keyed {
  key: string;
  name: string;
  /** Null where it is not known. */
  locale: string | null;
}

const fits = (a: Keyed, b: Keyed): boolean =>
  a.name === b.name && (a.locale === b.locale || a.locale === null || b.locale === null);

/**
 * Keys of documents are not permanent: one that vanished and one that appeared with the same name and language are the same
 * document, unless there are several such. Answers old keys to new ones.
 */
export function rekeyed(vanished: readonly Keyed[], appeared: readonly Keyed[]): Map<string, string> {
  return new Map(
    vanished.flatMap((old) => {
      const [one, second] = appeared.filter((next) => fits(old, next));
      if (!one || second || vanished.filter((other) => fits(other, one)).length > 1) return [];
      return [[old.key, one.key] as const];
    }),
  );
}

/** What is known of a shelf before it is read. */
export interface Known extends Keyed {
  updatedAt: string | null;
  status: string | null;
  state: AplusState;
  asinsAt: string | null;
}

/** Documents of a shelf that Amazon had when it was read last. */
export async function knownDocuments(ctx: Ctx, { accountId, marketplaceId }: Omit<Shelf, 'asOf'>): Promise<Known[]> {
  const { rows } = await sql<Known>`
    SELECT content_key AS key, name, locale, amazon_updated_at AS "updatedAt", status, state, asins_at AS "asinsAt" FROM aplus.document
     WHERE company_id = ${ctx.companyId} AND account_id = ${accountId} AND marketplace_id = ${marketplaceId}
       AND content_key IS NOT NULL AND gone_at IS NULL`.execute(ctx.db);
  return rows;
}

/** Writes a whole reading of a shelf: `keys` are all that Amazon has. */
export async function landShelf(ctx: Ctx, shelf: Shelf, keys: readonly string[], facts: readonly Fact[]) {
  const { accountId, marketplaceId, asOf } = shelf;
  const known = await knownDocuments(ctx, shelf);
  const had = new Set(known.map(({ key }) => key));
  const vanished = known.filter(({ key }) => !keys.includes(key));
  const appeared = facts
    .filter(({ key }) => !had.has(key))
    .map(({ key, metadata, read }) => ({ key, name: metadata.name, locale: read?.content?.locale ?? null }));
  const moved = rekeyed(vanished, appeared);
  const here = sql`company_id = ${ctx.companyId} AND account_id = ${accountId} AND marketplace_id = ${marketplaceId}`;
  for (const [old, key] of moved) {
    await sql`UPDATE aplus.document SET content_key = ${key} WHERE ${here} AND content_key = ${old}`.execute(ctx.db);
  }
  const gone = vanished.filter(({ key }) => !moved.has(key)).map(({ key }) => key);
  await sql`
    UPDATE aplus.document SET gone_at = kit.now(), state = 'GONE', as_of = ${asOf}
     WHERE ${here} AND content_key = ANY(${gone}::text[]) AND as_of <= ${asOf}`.execute(ctx.db);
  const counts = { inserted: 0, updated: gone.length, older: 0 };
  for (const fact of facts) counts[await landDocument(ctx, shelf, fact)] += 1;
  const { inserted, updated } = counts;
  return { rowsIn: keys.length, inserted, updated, unchanged: Math.max(0, keys.length - inserted - updated) };
}
