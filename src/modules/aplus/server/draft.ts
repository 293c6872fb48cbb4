import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, notFound, refused } from '#kit/server/errors.ts';
import type { OpenCtx } from '#kit/server/http/serve.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { accountOf, marketplaceNow } from '#modules/marketplace/server/index.ts';
import { asked, siteOf, siteParts } from '#modules/publish/server/index.ts';
import { type Content, localesOf } from '../contract/content.ts';
import type { Saved } from '../contract/documents.ts';
import { readAsins, readDocument } from './api.ts';
import { contentOf } from './content.ts';
import { insistOnPictures, movedTo } from './pictures.ts';
import { type Document, documentOf, json, lockDocument, putDocument, RESOURCE } from './row.ts';
import { landDocument } from './sync/land.ts';

/** A site of the caller's and a language that it shows. @throws 404; AppError */
async function insistOnPlace(ctx: Ctx, site: string, locale: string) {
  const { accountId, marketplaceId } = siteParts(site);
  const account = await accountOf(ctx.db, ctx.companyId, accountId);
  if (!account?.marketplaceIds.includes(marketplaceId)) throw notFound('店铺站点不存在或未授权');
  const locales = localesOf(countryOf(marketplaceId));
  if (!locales.includes(locale)) throw refused(`该站点的 A+ 语言只能是 ${locales.join('、')}`, 'B0798');
  return { accountId, marketplaceId };
}

async function insert(ctx: Ctx, site: string, draft: Content): Promise<Saved> {
  const { accountId, marketplaceId } = await insistOnPlace(ctx, site, draft.locale);
  return ctx.db
    .insertInto('aplus.document')
    .values({
      company_id: ctx.companyId,
      account_id: accountId,
      marketplace_id: marketplaceId,
      name: draft.name,
      locale: draft.locale,
      badges: ['STANDARD'],
      draft: json(draft),
      created_by_name: ctx.userName,
    })
    .returning(['id', 'version'])
    .executeTakeFirstOrThrow();
}

/** An empty document that is here only. @throws 404; AppError */
export async function create(
  ctx: Ctx,
  { site, name, locale }: { site: string; name: string; locale: string },
): Promise<Saved> {
  const saved = await insert(ctx, site, { name, locale, modules: [] });
  await audit(ctx, { action: '新建A+内容', resource: RESOURCE, resourceId: saved.id, after: { name, locale } });
  return saved;
}

/** A new document of the same modules for a site and language; pictures of the same account are sent no second time. */
export async function copy(
  ctx: Ctx,
  { id, site, locale }: { id: string; site: string; locale: string },
): Promise<Saved> {
  const document = await documentOf(ctx, id);
  const content = await contentOf(ctx, document);
  if (!content) throw refused(document.unreadable ?? '这份文档的模块不能在这里编辑', 'B0799');
  const { accountId } = await insistOnPlace(ctx, site, locale);
  const own = accountId === document.account_id ? content : await movedTo(ctx, accountId, content);
  const saved = await insert(ctx, site, { ...own, locale });
  await audit(ctx, {
    action: '复制A+内容',
    resource: RESOURCE,
    resourceId: saved.id,
    after: { from: id, site, locale },
  });
  return saved;
}

/** Keeps what was written, right or wrong. @throws 404; 409; AppError */
export async function save(ctx: Ctx, { content, ...named }: Saved & { content: Content }): Promise<Saved> {
  const document = await lockDocument(ctx, named);
  insistOnEditable(document);
  await insistOnPictures(ctx, document.account_id, content);
  const locales = localesOf(countryOf(document.marketplace_id));
  if (!locales.includes(content.locale)) {
    throw refused(`该站点的 A+ 语言只能是 ${locales.join('、')}`, 'B0798');
  }
  const isLocal = document.content_key === null;
  const base = document.draft ? document.base_at : document.amazon_updated_at;
  const saved = await putDocument(ctx, document.id, {
    draft: json(content),
    base_at: base,
    issues: '[]',
    ...(isLocal ? { name: content.name, locale: content.locale, problem: null } : {}),
  });
  await audit(ctx, {
    action: '保存A+草稿',
    resource: RESOURCE,
    resourceId: document.id,
    before: { name: document.draft?.name ?? document.name, modules: document.draft?.modules.length },
    after: { name: content.name, modules: content.modules.length },
  });
  return saved;
}

function insistOnEditable({ unreadable, content, content_key, state }: Document): void {
  if (state === 'GONE') throw conflict('文档已在亚马逊消失，可复制为新文档');
  if (state === 'SUBMITTED') throw conflict('审核中的文档不能修改，请等待审核结束');
  if (content_key !== null && content === null) {
    throw refused(unreadable ?? '还没有读取到这份文档的内容，请先同步', 'B0799');
  }
}

/** Gives up what was written; a document that is here only goes for good. @throws 404; 409 */
export async function discard(ctx: Ctx, named: Saved): Promise<null> {
  const document = await lockDocument(ctx, named);
  await audit(ctx, {
    action: '放弃A+草稿',
    resource: RESOURCE,
    resourceId: document.id,
    before: { name: document.name, modules: document.draft?.modules.length ?? 0 },
  });
  if (document.content_key !== null) {
    await putDocument(ctx, document.id, { draft: null, base_at: null, issues: '[]', problem: null });
    return null;
  }
  await ctx.db
    .deleteFrom('aplus.document')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', document.id)
    .execute();
  return null;
}

/** Hides a document in lists, or shows it again; Amazon deletes none. @throws 404; 409 */
export async function hide(ctx: Ctx, { hidden, ...named }: Saved & { hidden: boolean }): Promise<Saved> {
  const document = await lockDocument(ctx, named);
  const saved = await putDocument(ctx, document.id, { hidden_at: hidden ? ctx.clock.now() : null });
  const action = hidden ? '隐藏A+内容' : '显示A+内容';
  await audit(ctx, { action, resource: RESOURCE, resourceId: document.id, after: { hidden } });
  return saved;
}

/** Reads a document again from Amazon; what was written here stays on top of it, or gives way. @throws 404; 409; AppError */
export async function reload(open: OpenCtx, { keep, ...named }: Saved & { keep: 'mine' | 'theirs' }): Promise<Saved> {
  const before = await inTenant(open.runtime, open.principal, (ctx) => lockDocument(ctx, named));
  const { content_key: key, account_id: accountId, marketplace_id: marketplaceId } = before;
  if (key === null) throw conflict('文档还没有保存到亚马逊');
  const site = await siteOf(open, { accountId, marketplaceId });
  const read = await asked(() => readDocument(site, key));
  if (!read) throw conflict('亚马逊没有这份文档，可能已换了编号，请先同步');
  const asins = await asked(() => readAsins(site, key));
  const asOf = (await marketplaceNow(open.runtime)).toISOString();
  return inTenant(
    open.runtime,
    open.principal,
    async (ctx) => {
      const { id } = await lockDocument(ctx, named);
      await landDocument(ctx, { accountId, marketplaceId, asOf }, { key, metadata: read.metadata, read, asins });
      const now = await documentOf(ctx, id);
      const stays = keep === 'mine' && now.draft !== null;
      const saved = await putDocument(ctx, id, {
        base_at: stays ? now.amazon_updated_at : null,
        ...(stays ? {} : { draft: null, issues: '[]' }),
        problem: null,
      });
      await audit(ctx, { action: '重新读取A+内容', resource: RESOURCE, resourceId: id, after: { keep } });
      return saved;
    },
    { requestId: open.requestId, ip: open.ip },
  );
}
