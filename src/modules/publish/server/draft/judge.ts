import { inTenant } from '#kit/server/runtime.ts';
import type { DraftCheck, DraftIssue } from '../../contract/draft.ts';
import type { Attributes, FormModel } from '../../contract/form.ts';
import { type Definition, definitionOf, formFor } from '../definition.ts';
import { isLocked, ownChanges } from '../form/merge.ts';
import { checked } from '../form/validate.ts';
import { type Asker, asked, type Site, siteOf } from '../site.ts';
import { type Draft, draftOf } from './row.ts';

/** A draft with the definition that it is judged by. */
export interface Judged {
  draft: Draft;
  site: Site;
  definition: Definition;
  form: FormModel;
}

/** Reads a draft and what its product type is made of. @throws 404; AppError where Amazon has to be asked and cannot */
export async function judgedOf(open: Asker, id: string): Promise<Judged> {
  const draft = await inTenant(open.runtime, open.principal, (ctx) => draftOf(ctx, id), { readOnly: true });
  const site = await siteOf(open, { accountId: draft.account_id, marketplaceId: draft.marketplace_id });
  const key = { productType: draft.product_type, requirements: draft.requirements };
  const definition = await asked(() => definitionOf(open.runtime, site, key));
  return { draft, site, definition, form: formFor(definition, draft.is_new) };
}

/**
 * What the schema says of a draft. Of a listing that exists only what the draft touches counts: rules that came after it, and
 * what others wrote, are not this draft's.
 */
export function checkOf({ draft, definition, form }: Judged, attributes: Attributes): DraftCheck {
  const all = checked(definition.schemaText, form, attributes);
  if (draft.is_new) return all;
  const touched = new Set(ownChanges(draft.base, attributes));
  const before = checked(definition.schemaText, form, draft.base);
  const old = new Set(before.issues.map(({ attribute, message }) => `${attribute} ${message}`));
  const counts = ({ attribute, message }: DraftIssue) =>
    !isLocked(attribute) && (touched.has(attribute) || !old.has(`${attribute} ${message}`));
  return { ...all, issues: all.issues.filter(counts) };
}
