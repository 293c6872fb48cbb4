import { sql } from 'kysely';
import { inTenant } from '#kit/server/runtime.ts';
import type { Values } from '../contract/form.ts';
import { beginEdit } from './draft/begin.ts';
import { save } from './draft/change.ts';
import { draftOf } from './draft/row.ts';
import { validate } from './draft/submit.ts';
import type { Asker } from './site.ts';

/** What is written into a list of values of a text: the last one, in the words of its language. */
function withWords(values: Values, words: string): Values {
  const last = values.at(-1);
  return last === undefined ? [] : [...values.slice(0, -1), { ...last, value: words }];
}

/**
 * Drafts of the demo: new selling points for two listings, of which one was looked at by Amazon. Made once: a listing has
 * one open draft.
 */
export async function demoDrafts(open: Asker): Promise<void> {
  const ids = await inTenant(open.runtime, open.principal, async (ctx) => {
    const { rows } = await sql<{ id: string }>`
      SELECT listing_id AS id FROM listing.product AS p
       WHERE company_id = ${ctx.companyId} AND state = 'ACTIVE' AND fulfilled_by = 'AMAZON' AND currency = 'USD'
         AND NOT EXISTS (SELECT FROM publish.draft AS d WHERE d.company_id = ${ctx.companyId})
       ORDER BY seller_sku DESC OFFSET 6 LIMIT 2`.execute(ctx.db);
    return rows.map(({ id }) => id);
  });
  for (const [index, listingId] of ids.entries()) {
    const begun = await beginEdit(open, listingId);
    const saved = await inTenant(open.runtime, open.principal, async (ctx) => {
      const { attributes } = await draftOf(ctx, begun.id);
      const points = withWords(attributes.bullet_point ?? [], 'Easy to clean, packed without plastic');
      return save(ctx, { ...begun, attributes: { ...attributes, bullet_point: points } });
    });
    if (index === 0) await validate(open, saved);
  }
}
