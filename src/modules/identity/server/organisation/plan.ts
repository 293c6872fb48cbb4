import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { extensionsOf } from '#kit/server/extension.ts';
import { type UsageKind, usageKinds } from '../operator/customers.ts';

/** Sub-users are counted here; owners come with the company. */
export const subUsers: UsageKind = {
  key: 'users',
  title: '子账号',
  limited: true,
  async count(ctx) {
    const { n } = await ctx.db
      .selectFrom('identity.member')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('company_id', '=', ctx.companyId)
      .where('deleted_at', 'is', null)
      .where('user_type', '<>', 'owner')
      .executeTakeFirstOrThrow();
    return n;
  },
};

/**
 * Refuses (B0164) what would take the company past its plan: `adding` more of a kind that is counted under `key`. To be
 * called before they are written; others who add wait until the transaction ends, so that two cannot share the last place.
 * A kind that the plan does not limit is not even counted.
 */
export async function requireRoom(ctx: Ctx, key: string, adding = 1): Promise<void> {
  const kind = [subUsers, ...extensionsOf(ctx.runtime.modules, usageKinds)].find((each) => each.key === key);
  if (!kind) throw new Error(`nobody counts ${key}`);
  const company = await ctx.db
    .selectFrom('identity.company')
    .select('plan_limits')
    .where('company_id', '=', ctx.companyId)
    .forUpdate()
    .executeTakeFirst();
  const limit = (company?.plan_limits as Record<string, unknown> | undefined)?.[key];
  if (typeof limit !== 'number') return;
  if ((await kind.count(ctx)) + adding > limit) throw refused(`${kind.title}数量已达上限（${limit}）`, 'B0164');
}
