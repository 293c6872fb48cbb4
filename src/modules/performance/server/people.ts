import { type Ctx, can } from '#kit/server/context.ts';
import { forbidden, notFound } from '#kit/server/errors.ts';
import { chartOf } from '#modules/identity/server/index.ts';
import { ALL } from '../contract/report.ts';

/** Who the caller may see: everybody, or himself only. */
export const seesAll = (ctx: Ctx): boolean => can(ctx, ALL);

/** @throws forbidden for somebody else's figures without the right to all; not found for who is no member */
export async function requirePerson(ctx: Ctx, member: string): Promise<void> {
  if (!seesAll(ctx) && member !== ctx.userId) throw forbidden(ALL);
  if (!(await chartOf(ctx)).members.has(member)) throw notFound('负责人不存在');
}

/** Members whose figures the caller may see and who may work now, by name. */
export async function peopleOf(ctx: Ctx): Promise<{ id: string; name: string }[]> {
  const { members } = await chartOf(ctx);
  return [...members]
    .filter(([id, { active }]) => active && (seesAll(ctx) || id === ctx.userId))
    .map(([id, { name }]) => ({ id, name }))
    .toSorted((a, b) => a.name.localeCompare(b.name, 'zh'));
}
