import type { Ctx } from '#kit/server/context.ts';
import type { ScopeDimension } from '#kit/server/scope.ts';
import { OWNER_DIMENSION } from '../../contract/roles.ts';

async function people(ctx: Ctx) {
  return ctx.db
    .selectFrom('identity.member as m')
    .leftJoin('identity.department as d', (join) =>
      join.onRef('d.company_id', '=', 'm.company_id').onRef('d.id', '=', 'm.dept_id'),
    )
    .select(['m.id', 'm.name', 'm.account', 'd.name as dept', 'm.deleted_at'])
    .where('m.company_id', '=', ctx.companyId)
    .orderBy('m.name')
    .orderBy('m.id')
    .execute();
}

/** Data rights by the person that a document or a product belongs to: tables say so with kit.data_scope(…, 'owner', …). */
export const ownerDimension: ScopeDimension = {
  name: OWNER_DIMENSION,
  title: '数据权限',
  kinds: ['owner'],
  options: async (ctx) =>
    (await people(ctx))
      .filter((person) => person.deleted_at === null)
      .map((person) => ({ id: person.id, title: person.name, group: person.dept ?? '未分部门' })),
  reach: async (ctx) => new Map((await people(ctx)).map((person) => [person.id, { owner: [person.id] }])),
};
