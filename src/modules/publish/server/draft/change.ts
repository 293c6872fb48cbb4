import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, refused } from '#kit/server/errors.ts';
import type { OpenCtx } from '#kit/server/http/serve.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { cancelWrite } from '#modules/marketplace/server/index.ts';
import { type DraftCheck, type DraftState, OPEN_STATES } from '../../contract/draft.ts';
import type { Attributes } from '../../contract/form.ts';
import { isLocked, ownChanges, rebased } from '../form/merge.ts';
import { withoutEmpty } from '../form/values.ts';
import { liveOf } from '../live.ts';
import { asked } from '../site.ts';
import { checkOf, judgedOf } from './judge.ts';
import { type Draft, draftOf, json, lockDraft, putDraft, RESOURCE } from './row.ts';

type Named = { id: string; version: number };

/** What a draft holds after somebody saved it: price and stock of a listing that exists stay what they were. */
export function cleaned(draft: Pick<Draft, 'is_new' | 'base'>, attributes: Attributes): Attributes {
  const own = withoutEmpty(attributes);
  if (draft.is_new) return own;
  const kept = Object.entries(draft.base).filter(([name]) => isLocked(name));
  return {
    ...Object.fromEntries(Object.entries(own).filter(([name]) => !isLocked(name))),
    ...Object.fromEntries(kept),
  };
}

/** Keeps the attributes of a draft, right or wrong. @throws 404; 409 for an older version or one that was handed in */
export async function save(ctx: Ctx, { attributes, ...named }: Named & { attributes: Attributes }): Promise<Named> {
  const draft = await lockDraft(ctx, named, OPEN_STATES);
  const next = cleaned(draft, attributes);
  const changed = ownChanges(draft.attributes, next);
  const saved = await putDraft(ctx, draft.id, { attributes: json(next), state: 'draft', issues: '[]', problem: null });
  const pick = (all: Attributes) => Object.fromEntries(changed.map((name) => [name, all[name] ?? null]));
  await audit(ctx, {
    action: '保存商品刊登草稿',
    resource: RESOURCE,
    resourceId: draft.id,
    before: pick(draft.attributes),
    after: pick(next),
  });
  return saved;
}

/** Checks attributes of a draft by its schema. @throws 404 */
export async function check(open: OpenCtx, id: string, attributes: Attributes): Promise<DraftCheck> {
  const judged = await judgedOf(open, id);
  return checkOf(judged, cleaned(judged.draft, attributes));
}

/** Puts a draft on what the listing is now. @throws 404; 409; 400 where somebody has to choose a side */
export async function rebase(
  open: OpenCtx,
  { take, ...named }: Named & { take: Readonly<Record<string, 'theirs' | 'mine'>> },
): Promise<Named> {
  const judged = await judgedOf(open, named.id);
  const live = await asked(() => liveOf(judged.site, judged.draft.seller_sku));
  if (!live || judged.draft.is_new) throw conflict('亚马逊没有这个商品，请刷新后重试');
  return inTenant(open.runtime, open.principal, async (ctx) => {
    const draft = await lockDraft(ctx, named, OPEN_STATES);
    const { base, attributes: mine } = draft;
    const { attributes, undecided } = rebased({ base, live: live.attributes, attributes: mine }, take);
    if (undecided.length > 0) throw refused('请为双方都修改过的属性选择保留哪一方', 'B0768');
    const change = { base: json(live.attributes), attributes: json(attributes), state: 'draft', issues: '[]' };
    const saved = await putDraft(ctx, draft.id, { ...change, problem: null });
    await audit(ctx, { action: '合并商品刊登', resource: RESOURCE, resourceId: draft.id, after: { take } });
    return saved;
  });
}

const CANCELLABLE: readonly DraftState[] = [...OPEN_STATES, 'queued'];

/** Gives a draft up; one that is queued as long as it has not left. @throws 404; 409 */
export async function cancel(ctx: Ctx, named: Named): Promise<Named> {
  const draft = await lockDraft(ctx, named, CANCELLABLE);
  // Tells us of its end, which takes the draft along.
  if (draft.state === 'queued' && draft.write_id) await cancelWrite(ctx, draft.write_id);
  else await putDraft(ctx, draft.id, { state: 'cancelled', problem: null });
  await audit(ctx, { action: '取消商品刊登', resource: RESOURCE, resourceId: draft.id });
  const { id, version } = await draftOf(ctx, draft.id);
  return { id, version };
}
