import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict } from '#kit/server/errors.ts';
import { task } from '#kit/server/jobs/define.ts';
import { startTask } from '#kit/server/jobs/enqueue.ts';
import { taskPrincipal } from '#kit/server/runtime.ts';
import { OPEN_STATES } from '../../contract/draft.ts';
import { draftsOf, RESOURCE } from '../draft/row.ts';
import { submit } from '../draft/submit.ts';
import { each } from './each.ts';

const TASK = 'publish.submitMany';

interface Named {
  id: string;
  version: number;
}

/** Hands drafts in, in the background. @throws 404; 409 where one of them is another version, or handed in already */
export async function startSubmits(ctx: Ctx, named: readonly Named[]): Promise<{ taskId: string }> {
  const versions = new Map(named.map(({ id, version }) => [id, version]));
  const drafts = await draftsOf(ctx, [...versions.keys()]);
  for (const { id, version, state, seller_sku } of drafts) {
    if (version !== versions.get(id)) throw conflict(`${seller_sku} 的草稿已被修改，请刷新后重试`);
    if (!OPEN_STATES.includes(state)) throw conflict(`${seller_sku} 的草稿已提交，请刷新后重试`);
  }
  await audit(ctx, { action: '批量提交商品刊登', resource: RESOURCE, after: { count: drafts.length } });
  const rows = drafts.map(({ id, version, seller_sku: sku }) => ({ id, version, sku }));
  return { taskId: await startTask(ctx, TASK, `批量提交 ${rows.length} 份草稿`, { drafts: rows }) };
}

/** A draft that went before the task was broken off is another version by then, and is not handed in twice. */
export const submitTask = task<{ drafts: (Named & { sku: string })[] }>(TASK, (runtime, handle, { drafts }) => {
  const asker = { runtime, principal: taskPrincipal(handle) };
  return each(handle, drafts, {
    nameOf: ({ sku }) => sku,
    done: '已提交',
    work: ({ id, version }) => submit(asker, { id, version }),
  });
});
