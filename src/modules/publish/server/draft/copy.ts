import { AppError, refused } from '#kit/server/errors.ts';
import type { OpenCtx } from '#kit/server/http/serve.ts';
import { inTenant } from '#kit/server/runtime.ts';
import type { Attributes, FormModel } from '../../contract/form.ts';
import { definitionOf, formFor } from '../definition.ts';
import { isLocked } from '../form/merge.ts';
import { liveOf } from '../live.ts';
import { asked, type Site, siteOf, siteParts } from '../site.ts';
import { insert } from './begin.ts';
import { type Draft, draftOf } from './row.ts';

type Saved = { id: string; version: number };

/** Of these every site has its own. */
const OWN = new Set(['merchant_suggested_asin']);

/**
 * Attributes for another site: those that its product type knows, in its language and marketplace. Price, stock and the ASIN
 * stay behind; texts come along untranslated.
 */
export function movedTo(form: FormModel, attributes: Attributes): Attributes {
  return Object.fromEntries(
    form.attributes.flatMap(({ name, defaults }) => {
      const values = attributes[name];
      if (!values || isLocked(name) || OWN.has(name)) return [];
      return [[name, values.map(({ marketplace_id: _, language_tag: __, ...value }) => ({ ...value, ...defaults }))]];
    }),
  );
}

async function copyTo(open: OpenCtx, draft: Draft, site: Site): Promise<Saved> {
  const { account, marketplaceId } = site;
  if (account.id === draft.account_id && marketplaceId === draft.marketplace_id) throw refused('与原站点相同', 'B0770');
  const live = await asked(() => liveOf(site, draft.seller_sku));
  const productType = live?.productType ?? draft.product_type;
  const definition = await asked(() => definitionOf(open.runtime, site, { productType, requirements: 'LISTING' }));
  const copied = movedTo(formFor(definition, live === undefined), draft.attributes);
  return inTenant(open.runtime, open.principal, (ctx) =>
    insert(ctx, {
      site,
      sellerSku: draft.seller_sku,
      isNew: live === undefined,
      listingId: null,
      origin: 'copy',
      productType,
      requirements: 'LISTING',
      live: live ?? { title: draft.title, image: draft.image, asin: null },
      base: live?.attributes ?? {},
      attributes: { ...live?.attributes, ...copied },
    }),
  );
}

/** Drafts of the same SKU in other sites. A site that cannot be had does not keep the others from it. @throws 404 */
export async function copy(
  open: OpenCtx,
  { id, sites }: { id: string; sites: readonly string[] },
): Promise<{ made: Saved[]; failed: { site: string; reason: string }[] }> {
  const draft = await inTenant(open.runtime, open.principal, (ctx) => draftOf(ctx, id), { readOnly: true });
  const made: Saved[] = [];
  const failed: { site: string; reason: string }[] = [];
  // Somebody else's site is no site of whoever asks: nothing is made then.
  const targets = new Map<string, Site>();
  for (const site of sites) targets.set(site, await siteOf(open, siteParts(site)));
  for (const [name, site] of targets) {
    try {
      made.push(await copyTo(open, draft, site));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      failed.push({ site: name, reason: error.message });
    }
  }
  return { made, failed };
}
