import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { inSystem, inTenant, systemPrincipal } from '#kit/server/runtime.ts';
import type { SsoDomain } from '../../contract/sso.ts';

/** Names of a company's roles; no transaction across companies reads them. */
async function roleNames(ctx: Ctx, companyId: string): Promise<Map<string, string>> {
  const rows = await inTenant(ctx.runtime, systemPrincipal(companyId), (theirs) =>
    theirs.db.selectFrom('identity.role').select(['id', 'name']).where('company_id', '=', companyId).execute(),
  );
  return new Map(rows.map((row) => [row.id, row.name]));
}

/** Whose people which mail domains stand for, of all companies. Only the operator gets here. */
export async function listDomains(ctx: Ctx): Promise<SsoDomain[]> {
  const rows = await inSystem(ctx.runtime, (db) =>
    db
      .selectFrom('identity.sso_domain as d')
      .innerJoin('identity.company as c', 'c.company_id', 'd.company_id')
      .select([
        'd.id',
        'd.domain',
        'd.company_id as companyId',
        'c.name as company',
        'd.role_id as roleId',
        'd.created_at as createdAt',
      ])
      .orderBy('d.domain')
      .execute(),
  );
  const roles = new Map<string, string>();
  for (const companyId of new Set(rows.flatMap((row) => (row.roleId ? [row.companyId] : [])))) {
    for (const [id, name] of await roleNames(ctx, companyId)) roles.set(id, name);
  }
  return rows.map(({ roleId, ...row }) => ({ ...row, role: (roleId && roles.get(roleId)) ?? null }));
}

interface NewDomain {
  domain: string;
  companyId: string;
  role?: string | undefined;
}

async function roleCalled(theirs: Ctx, name: string): Promise<string> {
  const role = await theirs.db
    .selectFrom('identity.role')
    .select('id')
    .where('company_id', '=', theirs.companyId)
    .where('name', '=', name)
    .executeTakeFirst();
  if (!role) throw refused(`该公司没有名为“${name}”的角色`, 'B0193');
  return role.id;
}

async function insertDomain(theirs: Ctx, { domain, role }: NewDomain): Promise<string> {
  const { companyId: company_id } = theirs;
  const company = await theirs.db
    .selectFrom('identity.company')
    .select('company_id')
    .where('company_id', '=', company_id)
    .executeTakeFirst();
  if (!company) throw notFound();
  const role_id = role ? await roleCalled(theirs, role) : null;
  const row = await theirs.db
    .insertInto('identity.sso_domain')
    .values({ company_id, domain, role_id })
    .onConflict((on) => on.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!row) throw refused('该域名已被使用', 'B0192');
  await audit(theirs, {
    action: '新增单点登录域名',
    resource: 'identity.sso',
    resourceId: row.id,
    after: { domain, role },
  });
  return row.id;
}

/**
 * Gives a mail domain to a company. 404 where the company is not there; B0192 where the domain is given away, B0193
 * where the company has no role of that name.
 */
export async function addDomain(ctx: Ctx, input: NewDomain): Promise<string> {
  const operator = { ...systemPrincipal(input.companyId, ctx.userName), userId: ctx.userId };
  const id = await inTenant(ctx.runtime, operator, (theirs) => insertDomain(theirs, input));
  await audit(ctx, { action: '新增单点登录域名', resource: 'identity.sso', resourceId: id, after: input });
  return id;
}

/** Takes a mail domain away again; who came by it stays. */
export async function removeDomain(ctx: Ctx, id: string): Promise<void> {
  const row = await inSystem(ctx.runtime, (db) =>
    db.deleteFrom('identity.sso_domain').where('id', '=', id).returning(['domain', 'company_id']).executeTakeFirst(),
  );
  if (!row) throw notFound();
  await audit(ctx, { action: '删除单点登录域名', resource: 'identity.sso', resourceId: id, before: row });
}
