import type { Ctx } from '#kit/server/context.ts';
import type { ScopeDimension } from '#kit/server/scope.ts';

function warehouses(ctx: Ctx) {
  return ctx.db
    .selectFrom('warehouse.warehouse')
    .select(['id', 'name'])
    .where('company_id', '=', ctx.companyId)
    .where('kind', '<>', 'VIRTUAL')
    .orderBy('sort')
    .orderBy('name')
    .execute();
}

/** Data rights by warehouse: its locations, its stock and all that was posted there. */
export const warehouseDimension: ScopeDimension = {
  name: 'warehouse',
  title: '仓库权限',
  options: async (ctx) => (await warehouses(ctx)).map(({ id, name }) => ({ id, title: name })),
  kinds: ['warehouse'],
  reach: async (ctx) => new Map((await warehouses(ctx)).map(({ id }) => [id, { warehouse: [id] }])),
};
