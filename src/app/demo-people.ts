import type { Ctx, Principal } from '#kit/server/context.ts';
import { inTenant, type Runtime } from '#kit/server/runtime.ts';
import {
  hashPassword,
  insertDepartment,
  insertPeople,
  insertRole,
  putOperator,
} from '#modules/identity/server/index.ts';

/** The operator of the product, as far as the demo goes. */
export const OPERATOR = { account: 'operator@example.com', name: '平台运营' } as const;

interface DemoPerson {
  name: string;
  account: string;
  dept: string;
  role: string;
  template: string;
  /** Sees the first store only. */
  oneStore?: boolean;
}

const PEOPLE: readonly DemoPerson[] = [
  { name: '林悦', account: 'yunying@example.com', dept: '运营部', role: '运营', template: 'operation', oneStore: true },
  { name: '陈浩', account: 'caigou@example.com', dept: '采购部', role: '采购', template: 'purchase' },
  { name: '王敏', account: 'caiwu@example.com', dept: '财务部', role: '财务', template: 'finance' },
];

async function firstStore(ctx: Ctx): Promise<string[]> {
  const row = await ctx.db
    .selectFrom('marketplace.store')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row ? [row.id] : [];
}

/** A few colleagues of different trades, each in his department with the role of his template. */
export async function hireDemoPeople(runtime: Runtime, principal: Principal, password: string): Promise<void> {
  const { pepper } = runtime.secrets;
  const hashes = await Promise.all(PEOPLE.map(() => hashPassword(password, pepper)));
  await inTenant(runtime, principal, async (ctx) => {
    const stores = await firstStore(ctx);
    for (const [index, { name, account, dept, role, template, oneStore }] of PEOPLE.entries()) {
      const deptId = await insertDepartment(ctx, { name: dept, sort: index * 10, status: 'active' });
      const roleId = await insertRole(ctx, { name: role, template, description: `${dept}的日常工作` });
      const scopes = oneStore ? [{ dimension: 'store', mode: 'LIST' as const, ids: stores }] : [];
      await insertPeople(ctx, [
        { name, account, email: account, deptId, roleIds: [roleId], scopes, passwordHash: hashes[index] ?? '' },
      ]);
    }
  });
}

/** The colleague of the demo company with the role of a template; undefined where he has left. */
export async function demoColleague(ctx: Ctx, template: 'purchase' | 'finance') {
  const known = PEOPLE.find((one) => one.template === template);
  return ctx.db
    .selectFrom('identity.member')
    .select(['id', 'name'])
    .where('company_id', '=', ctx.companyId)
    .where('account', '=', known?.account ?? '')
    .where('is_disabled', '=', false)
    .executeTakeFirst();
}

/** The operator's account of the demo. */
export async function ensureDemoOperator(runtime: Runtime, password: string): Promise<void> {
  await putOperator(runtime, { ...OPERATOR, password });
}
