import type { Ctx } from '#kit/server/context.ts';
import type { UsageKind } from '#modules/identity/server/index.ts';
import { countSites } from './auth/site-room.ts';

/** Stores of a company, and sites on which they sell: what its plan may limit. */
export const usage: readonly UsageKind[] = [
  {
    key: 'stores',
    title: '店铺',
    limited: true,
    count: async (ctx: Ctx) => {
      const { n } = await ctx.db
        .selectFrom('marketplace.store')
        .select((eb) => eb.fn.countAll<number>().as('n'))
        .where('company_id', '=', ctx.companyId)
        .where('deleted_at', 'is', null)
        .executeTakeFirstOrThrow();
      return n;
    },
  },
  {
    key: 'sites',
    title: '站点',
    limited: true,
    count: countSites,
  },
];
