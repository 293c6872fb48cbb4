import type { Ctx } from '#kit/server/context.ts';
import type { ScopeDimension } from '#kit/server/scope.ts';

async function options(ctx: Ctx) {
  const rows = await ctx.db
    .selectFrom('marketplace.store')
    .select(['id', 'name'])
    .where('company_id', '=', ctx.companyId)
    .where('deleted_at', 'is', null)
    .orderBy('sort_index')
    .orderBy('name')
    .execute();
  return rows.map((row) => ({ id: row.id, title: row.name }));
}

async function reach(ctx: Ctx) {
  const rows = await ctx.db
    .selectFrom('marketplace.store as s')
    .leftJoin('marketplace.seller_account as a', (join) =>
      join.onRef('a.company_id', '=', 's.company_id').onRef('a.store_id', '=', 's.id'),
    )
    .select(['s.id', 'a.id as account'])
    .where('s.company_id', '=', ctx.companyId)
    .execute();
  const accounts = Map.groupBy(rows, (row) => row.id);
  return new Map(
    [...accounts].map(([id, found]) => [id, { store: [id], account: found.flatMap((row) => row.account ?? []) }]),
  );
}

/** Data rights by store: a store brings its seller accounts along, and with them everything that they sold and hold. */
export const storeDimension: ScopeDimension = {
  name: 'store',
  title: '店铺权限',
  options,
  kinds: ['store', 'account'],
  reach,
};
