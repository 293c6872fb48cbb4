import type { Ctx } from '#kit/server/context.ts';
import { AppError, refused } from '#kit/server/errors.ts';
import type { OpenCtx } from '#kit/server/http/serve.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { isNamedBefore, type WorkNode } from '../../contract/flow.ts';
import { act } from '../core/acts.ts';
import { OWN } from '../core/machine.ts';
import { type Plan, stepsAfter } from '../core/plan.ts';
import type { Env } from '../core/state.ts';
import type { Held } from '../engine/advance.ts';
import { type OnTask, onTask, requirePeople } from './commands.ts';

type Named = readonly { nodeKey: string; people: string[] }[];

/** Steps right after one whose people are picked by whoever decides there. */
export function namedAfter({ plan, holds }: Pick<Env, 'holds'> & { plan: Plan }, key: string): WorkNode[] {
  return stepsAfter(plan, key, holds).filter(isNamedBefore);
}

async function keep(ctx: Ctx, { instance, chosen, world }: Held, node: WorkNode, people: string[]): Promise<string> {
  if (people.some((person) => world.env.bars(node, person))) throw refused(`节点「${node.name}」${OWN}`, 'B0854');
  await ctx.db
    .insertInto('approval.choice')
    .values({
      company_id: ctx.companyId,
      doc_type: instance.docType,
      doc_id: instance.docId,
      node_key: node.key,
      people,
    })
    .onConflict((conflict) =>
      conflict.columns(['company_id', 'doc_type', 'doc_id', 'node_key']).doUpdateSet({ people }),
    )
    .execute();
  chosen[node.key] = people;
  return `指定「${node.name}」：${people.map((id) => world.chart.members.get(id)?.name ?? '').join('、')}`;
}

/**
 * Keeps whom somebody who agrees picks for the steps right after his; answers what the log tells of it.
 * @throws refused B0859 where his agreement ends the step and nobody is picked, B0851 for a step that he does not pick for
 */
async function pick(ctx: Ctx, held: Held, task: number, by: string, next: Named): Promise<string> {
  const { state, world, chosen } = held;
  const key = state.tasks[task - 1]?.node;
  const after = key === undefined ? [] : namedAfter(world.env, key);
  const told: string[] = [];
  for (const { nodeKey, people } of next) {
    const node = after.find((one) => one.key === nodeKey);
    if (!node) throw refused('该节点不由您指定审批人', 'B0851');
    told.push(await keep(ctx, held, node, [...new Set(people)]));
  }
  const missing = after.find((node) => !chosen[node.key]?.length);
  if (missing && key !== undefined) {
    const { passed } = act(world.env, state, { act: 'approve', task, by }).state;
    if (passed.includes(key)) throw refused(`请指定下一节点「${missing.name}」的审批人`, 'B0859');
  }
  return told.join('；');
}

/** 同意, with whom the next steps are given to where these leave that to the step before. */
export async function agreeTo(ctx: Ctx, input: OnTask & { next: Named }, check: (held: Held) => void = () => {}) {
  await requirePeople(
    ctx,
    input.next.flatMap(({ people }) => people),
  );
  return onTask(ctx, input, 'approve', async (held, own, said) => {
    check(held);
    said.detail = (await pick(ctx, held, own.task, own.by, input.next)) || undefined;
    return { act: 'approve', ...own };
  });
}

/** Agrees to many, each in a transaction of its own: one that fails keeps no other. */
export async function approveMany(open: OpenCtx, { taskIds, comment }: { taskIds: string[]; comment: string }) {
  const results: { taskId: string; ok: boolean; msg: string }[] = [];
  let refusal: AppError | undefined;
  for (const taskId of new Set(taskIds)) {
    try {
      const { message } = await inTenant(
        open.runtime,
        open.principal,
        (ctx) =>
          agreeTo(ctx, { taskId, comment, next: [] }, ({ instance, setting }) => {
            if (!setting.batch) throw refused(`${instance.number} 所属单据类型不允许批量审批`, 'B0858');
          }),
        { requestId: open.requestId, ip: open.ip },
      );
      results.push({ taskId, ok: true, msg: message });
    } catch (error) {
      if (error instanceof AppError) refusal ??= error;
      // Those before it have been agreed to: a fault of one is said in its row, and the rest go on.
      else open.runtime.log.error({ err: error, task: taskId }, 'agreeing to one of many failed');
      const msg = error instanceof AppError ? error.message : '系统错误，请稍后单独处理';
      results.push({ taskId, ok: false, msg });
    }
  }
  if (refusal && results.every(({ ok }) => !ok)) throw refusal;
  return results;
}
