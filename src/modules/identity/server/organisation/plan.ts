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

async function placesOf(ctx: Ctx, key: string): Promise<{ kind: UsageKind; limit: number | null; left: number }> {
  const kind = [subUsers, ...extensionsOf(ctx.runtime.modules, usageKinds)].find((each) => each.key === key);
  if (!kind) throw new Error(`nobody counts ${key}`);
  const company = await ctx.db
    .selectFrom('identity.company')
    .select('plan_limits')
    .where('company_id', '=', ctx.companyId)
    .forUpdate()
    .executeTakeFirst();
  const limit = (company?.plan_limits as Record<string, unknown> | undefined)?.[key];
  if (typeof limit !== 'number') return { kind, limit: null, left: Number.POSITIVE_INFINITY };
  return { kind, limit, left: limit - (await kind.count(ctx)) };
}

/**
 * How many more of a kind the company's plan has room for; below zero where it has too many, infinite without a limit.
 * Others who add wait until the transaction ends. A kind that the plan does not limit is not even counted.
 */
export async function roomFor(ctx: Ctx, key: string): Promise<number> {
  return (await placesOf(ctx, key)).left;
}

/**
 * Refuses (B0164) what would take the company past its plan: `adding` more of a kind that is counted under `key`. To be
 * called before they are written; others who add wait until the transaction ends, so that two cannot share the last place.
 */
export async function requireRoom(ctx: Ctx, key: string, adding = 1): Promise<void> {
  const { kind, limit, left } = await placesOf(ctx, key);
  if (adding > left) throw refused(`${kind.title}数量已达上限（${limit}）`, 'B0164');
}
