import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, invalid, refused } from '#kit/server/errors.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { planWrite } from '#modules/marketplace/server/index.ts';
import { type DraftState, OPEN_STATES } from '../../contract/draft.ts';
import type { Attributes, Values } from '../../contract/form.ts';
import { clashesOf, ownChanges, patchesOf } from '../form/merge.ts';
import { diffOf, labelOf } from '../form/values.ts';
import { type ApiIssue, draftIssues, itemPath, liveOf, problemWords } from '../live.ts';
import { stalePictures } from '../pictures.ts';
import { type Asker, asked } from '../site.ts';
import { checkOf, type Judged, judgedOf } from './judge.ts';
import { type Draft, json, lockDraft, putDraft, RESOURCE } from './row.ts';
import { keepVersion } from './versions.ts';

type Named = { id: string; version: number };

/** Name of these writes. */
export const LISTING_WRITE = 'publish.listing';

/** What a write of a listing is made of. */
export interface ListingWrite {
  sellerId: string;
  sku: string;
  isNew: boolean;
  body: object;
  /** What the draft took for the present of each attribute that it sends. */
  base: Attributes;
  /** Attribute to what is sent of it; null where it is taken away. */
  sent: Record<string, Values | null>;
}

function sentOf({ attributes, base, is_new }: Draft): Record<string, Values | null> {
  const names = is_new ? Object.keys(attributes) : ownChanges(base, attributes);
  return Object.fromEntries(names.map((name) => [name, attributes[name] ?? null]));
}

/** What is sent, without what is taken away. */
function pickSent(draft: Draft): Attributes {
  return Object.fromEntries(
    Object.entries(sentOf(draft)).flatMap(([name, values]) => (values ? [[name, values]] : [])),
  );
}

function writeOf({ draft, site }: Judged): ListingWrite {
  const { attributes, base, product_type: productType, requirements, is_new: isNew, seller_sku: sku } = draft;
  const names = ownChanges(base, attributes);
  return {
    sellerId: site.account.sellingPartnerId,
    sku,
    isNew,
    body: isNew ? { productType, requirements, attributes } : { productType, patches: patchesOf(base, attributes) },
    base: Object.fromEntries(names.map((name) => [name, base[name] ?? []])),
    sent: sentOf(draft),
  };
}

function insistOnChanges({ draft }: Judged): void {
  if (draft.is_new || ownChanges(draft.base, draft.attributes).length > 0) return;
  throw refused('没有修改任何属性，无需提交', 'B0769');
}

interface Preview {
  status?: string;
  issues?: readonly ApiIssue[];
}

/** Has Amazon judge a draft without doing anything. @throws 404; 409; AppError where Amazon cannot be asked */
export async function validate(open: Asker, named: Named): Promise<Named & { state: DraftState; errors: number }> {
  const judged = await judgedOf(open, named.id);
  insistOnChanges(judged);
  const { sellerId, sku, isNew, body } = writeOf(judged);
  const { site, form } = judged;
  const answer = await asked(() =>
    site.api.call<Preview>({
      operation: isNew ? 'putListingsItem' : 'patchListingsItem',
      method: isNew ? 'PUT' : 'PATCH',
      path: itemPath(sellerId, sku),
      query: { marketplaceIds: [site.marketplaceId], mode: 'VALIDATION_PREVIEW', issueLocale: 'zh_CN' },
      body,
    }),
  );
  const issues = draftIssues(form, answer.body.issues ?? []);
  const errors = issues.filter(({ severity }) => severity === 'ERROR').length;
  const state = answer.body.status === 'VALID' ? 'valid' : 'invalid';
  const problem = state === 'valid' ? null : `预校验未通过：${errors} 个错误，请按提示修改`;
  return inTenant(open.runtime, open.principal, async (ctx) => {
    const draft = await lockDraft(ctx, named, OPEN_STATES);
    const saved = await putDraft(ctx, draft.id, { state, issues: json(issues), problem });
    await audit(ctx, { action: '预校验商品刊登', resource: RESOURCE, resourceId: draft.id, after: { state } });
    return { ...saved, state, errors };
  });
}

async function insistOnNoOther(ctx: Ctx, draft: Draft): Promise<void> {
  const other = await ctx.db
    .selectFrom('publish.draft')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('account_id', '=', draft.account_id)
    .where('marketplace_id', '=', draft.marketplace_id)
    .where('seller_sku', '=', draft.seller_sku)
    .where('state', 'in', ['queued', 'processing'])
    .executeTakeFirst();
  if (other) throw conflict('该商品有正在处理的提交，请等待其结束');
}

/**
 * Hands a draft in. What somebody changed at Amazon since it began is not overwritten: the call is refused and says what.
 * @throws 404; 400 with one entry per attribute that the schema refuses; 409, with `clashes` where the listing is another one
 */
export async function submit(open: Asker, named: Named): Promise<Named> {
  const judged = await judgedOf(open, named.id);
  insistOnChanges(judged);
  const { draft, form, site } = judged;
  const { issues } = checkOf(judged, draft.attributes);
  if (issues.length > 0) {
    throw invalid(
      issues.map(({ attribute, label, message }) => ({
        field: `attributes.${attribute}`,
        title: label,
        msg: `${label}：${message}`,
      })),
    );
  }
  const stale = stalePictures(open.runtime, pickSent(draft));
  if (stale.length > 0) {
    throw invalid(
      stale.map((name) => {
        const title = labelOf(form, name);
        return { field: `attributes.${name}`, title, msg: `${title}：图片地址已过期，请重新上传` };
      }),
    );
  }
  const live = await asked(() => liveOf(site, draft.seller_sku));
  if (draft.is_new && live) throw conflict(`平台SKU ${draft.seller_sku} 在该站点已存在，请编辑原商品`);
  if (!draft.is_new && !live) throw conflict('亚马逊没有这个商品，可能已被删除');
  const clashes = live ? clashesOf(form, draft.base, live.attributes, draft.attributes) : [];
  if (clashes.length > 0) throw conflict('商品已在卖家后台被修改，请选择保留哪一方', { clashes });
  return inTenant(open.runtime, open.principal, async (ctx) => {
    const locked = await lockDraft(ctx, named, OPEN_STATES);
    await insistOnNoOther(ctx, locked);
    if (live) await keepVersion(ctx, locked, { attributes: live.attributes, source: 'found', by: '' });
    const changes = diffOf(form, locked.base, locked.attributes);
    const writeId = await planWrite(ctx, {
      kind: LISTING_WRITE,
      accountId: locked.account_id,
      marketplaceId: locked.marketplace_id,
      subject: locked.seller_sku,
      key: locked.id,
      summary: changes
        .map(({ label }) => label)
        .join('、')
        .slice(0, 200),
      request: writeOf({ ...judged, draft: locked }),
    });
    const saved = await putDraft(ctx, locked.id, {
      state: 'queued',
      problem: null,
      issues: '[]',
      write_id: writeId,
      sent: json(sentOf(locked)),
      submitted_by_name: ctx.userName,
      submitted_at: sql`kit.now()`,
      accepted_at: null,
      live_at: null,
      submit_at: null,
    });
    await audit(ctx, {
      action: '提交商品刊登',
      resource: RESOURCE,
      resourceId: locked.id,
      before: Object.fromEntries(changes.map(({ attribute, before }) => [attribute, before])),
      after: Object.fromEntries(changes.map(({ attribute, after }) => [attribute, after])),
    });
    return saved;
  });
}

/** What Amazon's answer to a submission says is wrong, in one line; undefined where it was accepted. */
export function refusalIn(body: unknown): string | undefined {
  const { status, issues = [] } = (body ?? {}) as Preview;
  if (status === 'ACCEPTED' || status === 'VALID') return undefined;
  const errors = issues.filter(({ severity }) => severity === 'ERROR');
  return problemWords(draftIssues({ groups: [], attributes: [] }, errors)) ?? '亚马逊没有接受这次提交，也没有说明原因';
}
