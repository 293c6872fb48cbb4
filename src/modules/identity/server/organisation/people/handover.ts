import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { extensionPoint, extensionsOf } from '#kit/server/extension.ts';
import { unscoped } from '#kit/server/scope.ts';
import type { HandoverItem } from '../../../contract/sub-users.ts';
import { requireMayChange, targetOf } from './guard.ts';
import { MEMBER } from './save.ts';
import { disable } from './state.ts';

/** Something that belongs to a person and passes to another when he leaves. The module that owns it declares it. */
export interface Handover {
  /** e.g. "system.tasks" */
  key: string;
  /** e.g. 长任务 */
  title: string;
  count: (ctx: Ctx, from: string) => Promise<number>;
  /** Moves all of it in the caller's transaction; answers how much it was. */
  move: (ctx: Ctx, from: string, to: string) => Promise<number>;
}

/** Where modules declare what a leaver hands over. */
export const handovers = extensionPoint<Handover>('identity.handovers');

function all(ctx: Ctx): Handover[] {
  return extensionsOf(ctx.runtime.modules, handovers);
}

/** What a person has to hand over, also what is nothing now. */
export async function waiting(ctx: Ctx, from: string): Promise<HandoverItem[]> {
  const items: HandoverItem[] = [];
  for (const { key, title, count } of all(ctx)) {
    items.push({ key, title, count: await unscoped(ctx, () => count(ctx, from)) });
  }
  return items;
}

/** Moves it, all in one transaction, and disables the person afterwards if asked to. */
export async function handOverTo(
  ctx: Ctx,
  input: { from: string; to: string; keys?: string[] | undefined; disable: boolean },
): Promise<HandoverItem[]> {
  const { from, to } = input;
  if (from === to) throw refused('接收人不能是本人', 'B0171');
  // Whoever passed his own documents to a colleague could approve them himself afterwards.
  if (from === ctx.userId) throw refused('不能交接自己名下的事项，请由其他管理员操作', 'B0176');
  const leaver = await targetOf(ctx, from);
  const heir = await targetOf(ctx, to);
  await requireMayChange(ctx, leaver);
  if (heir.is_disabled) throw refused('接收人账号已停用', 'B0172');
  const items: HandoverItem[] = [];
  for (const { key, title, move } of all(ctx).filter((each) => !input.keys || input.keys.includes(each.key))) {
    items.push({ key, title, count: await unscoped(ctx, () => move(ctx, from, to)) });
  }
  await audit(ctx, {
    action: '离职交接',
    resource: MEMBER,
    resourceId: from,
    before: { person: leaver.name },
    after: { person: heir.name, moved: Object.fromEntries(items.map((item) => [item.title, item.count])) },
  });
  if (input.disable) await disable(ctx, [from]);
  return items;
}

/** Departments that a person leads. */
export const ledDepartments: Handover = {
  key: 'identity.departments',
  title: '负责的部门',
  count: async (ctx, from) => {
    const { n } = await ctx.db
      .selectFrom('identity.department')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('company_id', '=', ctx.companyId)
      .where('leader_id', '=', from)
      .executeTakeFirstOrThrow();
    return n;
  },
  move: async (ctx, from, to) => {
    const { numUpdatedRows } = await ctx.db
      .updateTable('identity.department')
      .set({ leader_id: to })
      .where('company_id', '=', ctx.companyId)
      .where('leader_id', '=', from)
      .executeTakeFirst();
    return Number(numUpdatedRows);
  },
};
