import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { inSystem, inTenant, systemPrincipal } from '#kit/server/runtime.ts';
import type { SsoDomain } from '../../contract/sso.ts';

/** Whose people which mail domains stand for, of all companies. Only the operator gets here. */
export async function listDomains(ctx: Ctx): Promise<SsoDomain[]> {
  return inSystem(ctx.runtime, (db) =>
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
}

interface NewDomain {
  domain: string;
  companyId: string;
  roleId?: string | undefined;
}

/** Gives a mail domain to a company. 404 where company or role are not there, B0192 where the domain is given away. */
export async function addDomain(ctx: Ctx, { domain, companyId, roleId }: NewDomain): Promise<string> {
  const operator = { ...systemPrincipal(companyId, ctx.userName), userId: ctx.userId };
  const id = await inTenant(ctx.runtime, operator, async (theirs) => {
    const company = await theirs.db
      .selectFrom('identity.company')
      .select('company_id')
      .where('company_id', '=', companyId)
      .executeTakeFirst();
    if (!company) throw notFound();
    if (roleId) {
      const role = await theirs.db
        .selectFrom('identity.role')
        .select('id')
        .where('company_id', '=', companyId)
        .where('id', '=', roleId)
        .executeTakeFirst();
      if (!role) throw notFound();
    }
    const row = await theirs.db
      .insertInto('identity.sso_domain')
      .values({ company_id: companyId, domain, role_id: roleId ?? null })
      .onConflict((on) => on.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!row) throw refused('该域名已被使用', 'B0192');
    await audit(theirs, {
      action: '新增单点登录域名',
      resource: 'identity.sso',
      resourceId: row.id,
      after: { domain },
    });
    return row.id;
  });
  await audit(ctx, {
    action: '新增单点登录域名',
    resource: 'identity.sso',
    resourceId: id,
    after: { domain, companyId },
  });
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
