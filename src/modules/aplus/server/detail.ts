import { sql } from 'kysely';
import { type Ctx, can } from '#kit/server/context.ts';
import type { OpenCtx } from '#kit/server/http/serve.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { asked, siteOf } from '#modules/publish/server/index.ts';
import { localesOf } from '../contract/content.ts';
import { type AplusAsin, type AplusDetail, type AplusRecord, EDIT, SUBMIT } from '../contract/documents.ts';
import { publishRecords } from './api.ts';
import { liveContent } from './content.ts';
import { kindOf, rowOf } from './list.ts';
import { type Document, documentOf } from './row.ts';

async function relatedOf(ctx: Ctx, document: Document): Promise<AplusAsin[]> {
  const { rows } = await sql<AplusAsin>`
    SELECT a.asin, coalesce(a.title, p.name, '') AS title, coalesce(a.image, p.image) AS image, a.parent_asin AS parent,
           (SELECT b FROM unnest(a.badges) AS b
             WHERE b IN ('CONTENT_PUBLISHED', 'CONTENT_NOT_PUBLISHED', 'BRAND_NOT_ELIGIBLE', 'CATALOG_NOT_FOUND')
             ORDER BY b IN ('CONTENT_PUBLISHED', 'CONTENT_NOT_PUBLISHED') LIMIT 1) AS badge
      FROM aplus.document_asin AS a
      LEFT JOIN LATERAL (SELECT name, image FROM listing.product
                          WHERE company_id = a.company_id AND account_id = ${document.account_id}
                            AND marketplace_id = ${document.marketplace_id} AND asin = a.asin LIMIT 1) AS p ON true
     WHERE a.company_id = ${ctx.companyId} AND a.document_id = ${document.id}
     ORDER BY a.asin`.execute(ctx.db);
  return rows;
}

/** What the caller may do with a document as it stands. */
function mayOf(ctx: Ctx, document: Document): AplusDetail['may'] {
  const { step, state, content_key, content, draft } = document;
  const isFree = step === null && state !== 'GONE';
  const isThere = isFree && content_key !== null;
  const mayEdit = can(ctx, EDIT);
  const maySubmit = can(ctx, SUBMIT);
  const isReadable = content_key === null || content !== null;
  const isOpen = isFree && state !== 'SUBMITTED';
  return {
    edit: mayEdit && isOpen && isReadable,
    push: mayEdit && isOpen && isReadable && draft !== null,
    relate: mayEdit && isThere && state !== 'SUBMITTED',
    submit: maySubmit && isThere && draft === null && (state === 'DRAFT' || state === 'REJECTED'),
    suspend: maySubmit && isThere && document.asin_count > 0 && ['PUBLISHED', 'DRAFT', 'REJECTED'].includes(state),
  };
}

/** A document with its modules, ASINs and what is wrong with it. @throws 404 */
export async function detailOf(ctx: Ctx, id: string): Promise<AplusDetail> {
  const document = await documentOf(ctx, id);
  const { account_id, marketplace_id, draft, issues, reasons, state } = document;
  const live = await liveContent(ctx, document);
  return {
    ...rowOf(document, await storeNames(ctx)),
    site: `${marketplace_id}-${account_id}`,
    contentKey: document.content_key,
    draft,
    live,
    unreadable: document.unreadable ?? (document.content && !live ? '含有这里不能编辑的模块，请在卖家后台编辑' : null),
    related: await relatedOf(ctx, document),
    issues: [...(state === 'REJECTED' ? reasons : []), ...issues],
    locales: [...localesOf(countryOf(marketplace_id))],
    mediaBase: ctx.runtime.config.marketplace?.mediaBase ?? '',
    may: mayOf(ctx, document),
  };
}

/** Which documents an ASIN shows now, asked of Amazon. @throws 404; AppError */
export async function recordsOf(open: OpenCtx, { id, asin }: { id: string; asin: string }): Promise<AplusRecord[]> {
  const { account_id: accountId, marketplace_id: marketplaceId } = await inTenant(
    open.runtime,
    open.principal,
    (ctx) => documentOf(ctx, id),
    { readOnly: true },
  );
  const site = await siteOf(open, { accountId, marketplaceId });
  const records = await asked(() => publishRecords(site, asin));
  const keys = records.map(({ contentReferenceKey: key }) => key);
  const names = await inTenant(
    open.runtime,
    open.principal,
    (ctx) =>
      ctx.db
        .selectFrom('aplus.document')
        .select(['content_key', 'name', 'badges'])
        .where('company_id', '=', ctx.companyId)
        .where('account_id', '=', accountId)
        .where('marketplace_id', '=', marketplaceId)
        .where('content_key', 'in', keys.length > 0 ? keys : [''])
        .execute(),
    { readOnly: true },
  );
  return records.map(({ contentReferenceKey: contentKey, locale, contentType, contentSubType }) => {
    const known = names.find((one) => one.content_key === contentKey);
    const kind = kindOf({ badges: known?.badges ?? [], content_type: contentType, sub_type: contentSubType ?? null });
    return { contentKey, name: known?.name ?? '', locale, kind };
  });
}
