import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { membersAmong } from '#modules/identity/server/index.ts';

/** Remembers the caller as somebody who works with products: owners and purchasers are chosen among them. */
export async function rememberPerson(ctx: Ctx): Promise<void> {
  if (ctx.userId === null) return;
  await ctx.db
    .insertInto('product.person')
    .values({ company_id: ctx.companyId, user_id: ctx.userId, name: ctx.userName })
    .onConflict((conflict) =>
      conflict
        .columns(['company_id', 'user_id'])
        .doUpdateSet({ name: ctx.userName })
        .where('product.person.name', '<>', ctx.userName),
    )
    .execute();
}

/** People who may be chosen: those known and still in the company, and the caller. */
export async function people(ctx: Ctx): Promise<{ id: string; name: string }[]> {
  const known = await ctx.db
    .selectFrom('product.person')
    .select(['user_id as id', 'name'])
    .where('company_id', '=', ctx.companyId)
    .orderBy('name')
    .execute();
  const self = ctx.userId === null ? [] : [{ id: ctx.userId, name: ctx.userName }];
  const all = new Map([...known, ...self].map((one) => [one.id, one]));
  const here = new Set(await membersAmong(ctx, [...all.keys()]));
  return [...all.values()].filter((one) => here.has(one.id));
}

/** @throws AppError B0701 unless all of them may be chosen */
export async function requirePeople(ctx: Ctx, ids: readonly (string | null | undefined)[]): Promise<void> {
  const wanted = ids.filter((id): id is string => typeof id === 'string');
  if (wanted.length === 0) return;
  const known = new Set((await people(ctx)).map((one) => one.id));
  if (wanted.some((id) => !known.has(id))) throw refused('负责人或采购员不存在', 'B0701');
}
