import type { UsageKind } from '#modules/identity/server/index.ts';

/** Products of a company, packages and consumables among them. Synchronised stores may bring any number of them. */
export const productUsage: UsageKind = {
  key: 'products',
  title: '商品',
  limited: false,
  count: async (ctx) => {
    const { n } = await ctx.db
      .selectFrom('product.local_product')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('company_id', '=', ctx.companyId)
      .executeTakeFirstOrThrow();
    return n;
  },
};
