import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, invalid, refused } from '#kit/server/errors.ts';
import type { OpenCtx } from '#kit/server/http/serve.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { planWrite } from '#modules/marketplace/server/index.ts';
import { asked, type Site, siteOf } from '#modules/publish/server/index.ts';
import { contentProblems } from '../../contract/check.ts';
import type { Content } from '../../contract/content.ts';
import { type AplusIssue, type Saved, Step } from '../../contract/documents.ts';
import { type Metadata, readAsins, readMetadata } from '../api.ts';
import { contentOf } from '../content.ts';
import { toAmazon } from '../payload.ts';
import { type Document, documentOf, json, lockDocument, putDocument, RESOURCE } from '../row.ts';
import { uploadPictures } from '../upload.ts';
import { issueLine, issuesOf } from '../words.ts';
import { APLUS_WRITE } from './kind.ts';
import type { AplusWrite } from './wish.ts';

interface Looked {
  document: Document;
  site: Site;
}

/** A document with the site that it stands in. @throws 404; 409 for an older version or while something is on its way */
async function look(open: OpenCtx, named: Saved): Promise<Looked> {
  const document = await inTenant(open.runtime, open.principal, (ctx) => lockDocument(ctx, named));
  const { account_id: accountId, marketplace_id: marketplaceId } = document;
  return { document, site: await siteOf(open, { accountId, marketplaceId }) };
}

/** What Amazon says of a document now. @throws 409 where it has none such */
async function liveOf({ document, site }: Looked): Promise<Metadata> {
  const { content_key: key } = document;
  if (key === null || document.gone_at !== null) throw conflict('文档还没有保存到亚马逊，或已在亚马逊消失');
  const live = await asked(() => readMetadata(site, key));
  if (!live) throw conflict('亚马逊没有这份文档，可能已换了编号，请先同步');
  return live;
}

const STEPS = Step.meta()?.states ?? {};

async function plan(open: OpenCtx, named: Saved, request: AplusWrite, after: object): Promise<Saved> {
  return inTenant(
    open.runtime,
    open.principal,
    async (ctx: Ctx) => {
      const document = await lockDocument(ctx, named);
      const { step } = request;
      const title = STEPS[step]?.title ?? step;
      const writeId = await planWrite(ctx, {
        kind: APLUS_WRITE,
        accountId: document.account_id,
        marketplaceId: document.marketplace_id,
        subject: document.id,
        key: step,
        summary: `${title}：${document.name}`.slice(0, 200),
        request,
      });
      const saved = await putDocument(ctx, document.id, {
        step,
        write_id: writeId,
        wish: json(request),
        problem: null,
      });
      await audit(ctx, { action: `A+内容${title}`, resource: RESOURCE, resourceId: document.id, after });
      return saved;
    },
    { requestId: open.requestId, ip: open.ip },
  );
}

/** Insists on a draft without problems. @throws 400 with one entry per problem */
function insistOnWhole(content: Content): void {
  const problems = contentProblems(content);
  if (problems.length === 0) return;
  throw invalid(
    problems.map(({ module, path, label, message }) => ({
      field: module < 0 ? 'content' : `content.modules.${module}.values.${path}`,
      title: label,
      msg: `${label}：${message}`,
    })),
  );
}

/**
 * Has the draft made Amazon's. What somebody changed there since it began is not overwritten.
 * @throws 404; 400; 409, with `changed` where Amazon has another one
 */
export async function push(open: OpenCtx, named: Saved): Promise<Saved> {
  const looked = await look(open, named);
  const { document, site } = looked;
  const { draft, content_key: key } = document;
  if (!draft) throw refused('没有修改，无需保存', 'B0793');
  insistOnWhole(draft);
  let base: string | null = null;
  if (key !== null) {
    const live = await liveOf(looked);
    if (Date.parse(live.updateTime) !== Date.parse(document.base_at ?? '')) {
      throw conflict('文档已在卖家后台被修改，请重新读取后选择保留哪一方', { changed: true });
    }
    if (live.status === 'SUBMITTED') throw conflict('审核中的文档不能修改，请等待审核结束');
    base = live.updateTime;
  }
  const content = toAmazon(draft, await uploadPictures(open, site, draft));
  const known = key === null ? await inTenant(open.runtime, open.principal, (ctx) => keysNamed(ctx, document)) : [];
  return plan(
    open,
    named,
    { step: 'save', key, base, content, known },
    { name: draft.name, modules: draft.modules.length },
  );
}

async function keysNamed(ctx: Ctx, { account_id, marketplace_id, name }: Document): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom('aplus.document')
    .select('content_key')
    .where('company_id', '=', ctx.companyId)
    .where('account_id', '=', account_id)
    .where('marketplace_id', '=', marketplace_id)
    .where('name', '=', name)
    .where('content_key', 'is not', null)
    .execute();
  return rows.flatMap(({ content_key: key }) => key ?? []);
}

/**
 * Makes `asins` all that a document is related to. Those that lose it are told first and have to be confirmed.
 * @throws 404; 409, with `removed` until exactly those are confirmed
 */
export async function relate(
  open: OpenCtx,
  { asins: wished, removed: confirmed, ...named }: Saved & { asins: string[]; removed: string[] },
): Promise<Saved> {
  const looked = await look(open, named);
  const live = await liveOf(looked);
  if (live.status === 'SUBMITTED') throw conflict('审核中的文档不能修改关联，请等待审核结束');
  const { site, document } = looked;
  const asins = [...new Set(wished)];
  const before = (await asked(() => readAsins(site, document.content_key ?? ''))).map(({ asin }) => asin);
  const removed = before.filter((asin) => !asins.includes(asin));
  const same = removed.length === new Set(confirmed).size && removed.every((asin) => confirmed.includes(asin));
  if (!same) throw conflict(`关联是整体替换：${removed.length} 个 ASIN 将被移除并下线，请确认`, { removed });
  if (removed.length === 0 && asins.length === before.length) throw refused('关联的 ASIN 没有变化', 'B0794');
  const request: AplusWrite = { step: 'relate', key: document.content_key, base: live.updateTime, asins };
  return plan(open, named, request, { added: asins.filter((asin) => !before.includes(asin)), removed });
}

/** Hands a document in for review. @throws 404; 409; AppError where it is not ready */
export async function submit(open: OpenCtx, named: Saved): Promise<Saved> {
  const looked = await look(open, named);
  const { document } = looked;
  if (document.draft) throw refused('有未保存到亚马逊的修改，请先保存到亚马逊或放弃修改', 'B0795');
  const live = await liveOf(looked);
  if (live.status !== 'DRAFT' && live.status !== 'REJECTED') throw conflict('只有草稿或被拒绝的文档可以提交审核');
  if (document.asin_count === 0) throw refused('请先关联 ASIN 再提交审核', 'B0796');
  return plan(
    open,
    named,
    { step: 'submit', key: document.content_key, base: live.updateTime },
    { name: document.name },
  );
}

/** Takes a document off all pages of products; document and relations stay. @throws 404; 409 */
export async function suspend(open: OpenCtx, named: Saved): Promise<Saved> {
  const looked = await look(open, named);
  const live = await liveOf(looked);
  const { document, site } = looked;
  const related = await asked(() => readAsins(site, document.content_key ?? ''));
  if (!related.some(({ badgeSet }) => badgeSet?.includes('CONTENT_PUBLISHED')))
    throw conflict('文档没有发布在任何 ASIN 上');
  return plan(
    open,
    named,
    { step: 'suspend', key: document.content_key, base: live.updateTime },
    { name: document.name },
  );
}

interface Validated {
  errors?: readonly object[] | null;
  warnings?: readonly object[] | null;
}

/** Has Amazon check content and ASINs, and keeps what it says. @throws 404; 400; AppError */
export async function validate(
  open: OpenCtx,
  { asins, ...named }: Saved & { asins: string[] },
): Promise<Saved & { issues: AplusIssue[] }> {
  const { document, site } = await look(open, named);
  const content = await inTenant(open.runtime, open.principal, (ctx) => contentOf(ctx, document), { readOnly: true });
  if (!content) throw refused('亚马逊接口不提供这份文档的内容，不能校验', 'B0797');
  insistOnWhole(content);
  const contentDocument = toAmazon(content, await uploadPictures(open, site, content));
  const { body } = await asked(() =>
    site.api.call<Validated>({
      operation: 'validateContentDocumentAsinRelations',
      method: 'POST',
      path: '/aplus/2020-11-01/contentAsinValidations',
      // Several are separated by commas, whatever the guide shows.
      query: { marketplaceId: site.marketplaceId, ...(asins.length > 0 ? { asinSet: [...new Set(asins)] } : {}) },
      body: { contentDocument },
    }),
  );
  const issues = [...issuesOf(body.errors ?? [], 'ERROR'), ...issuesOf(body.warnings ?? [], 'WARNING')];
  return inTenant(
    open.runtime,
    open.principal,
    async (ctx) => {
      await documentOf(ctx, document.id, true);
      const errors = issues.filter(({ severity }) => severity === 'ERROR');
      const saved = await putDocument(ctx, document.id, {
        issues: json(issues),
        problem: errors.length > 0 ? `校验未通过：${issueLine(errors)}`.slice(0, 1000) : null,
      });
      const after = { asins, errors: errors.length };
      await audit(ctx, { action: '校验A+内容', resource: RESOURCE, resourceId: document.id, after });
      return { ...saved, issues };
    },
    { requestId: open.requestId, ip: open.ip },
  );
}
