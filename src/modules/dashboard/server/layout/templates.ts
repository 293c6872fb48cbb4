import { sql } from 'kysely';
import type { Reply } from '#kit/contract/endpoint.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import { rolesOf } from '#modules/identity/server/index.ts';
import { CARDS } from '../../contract/card-list.ts';
import type { listTemplates, PlacedCard } from '../../contract/layout.ts';

const RESOURCE = 'dashboard.template';

interface Row {
  role_id: string;
  updated_at: string;
  updated_by_name: string;
}

/** Every role of the company, and who gave it a template. */
export async function templates(ctx: Ctx): Promise<Reply<typeof listTemplates>> {
  const { rows } = await sql<Row>`
    SELECT role_id, updated_at, updated_by_name FROM dashboard.template WHERE company_id = ${ctx.companyId}`.execute(
    ctx.db,
  );
  const byRole = new Map(rows.map((row) => [row.role_id, row]));
  return (await rolesOf(ctx)).map(({ id, name }) => ({
    roleId: id,
    role: name,
    updatedAt: byRole.get(id)?.updated_at ?? null,
    updatedByName: byRole.get(id)?.updated_by_name ?? null,
  }));
}

/** Gives roles a template, in place of the one that they had. @throws AppError 404 for a role of nobody here */
export async function putTemplate(ctx: Ctx, roleIds: readonly string[], cards: readonly PlacedCard[]): Promise<void> {
  const roles = (await rolesOf(ctx)).filter(({ id }) => roleIds.includes(id));
  if (roles.length !== new Set(roleIds).size) throw notFound('角色不存在或已删除');
  await sql`
    INSERT INTO dashboard.template (company_id, role_id, cards, updated_by_name)
    SELECT ${ctx.companyId}, id, ${JSON.stringify(cards)}::jsonb, ${ctx.userName} FROM unnest(${[...roleIds]}::uuid[]) AS r (id)
    ON CONFLICT (company_id, role_id) DO UPDATE
      SET cards = excluded.cards, updated_by_name = excluded.updated_by_name, updated_at = kit.now()`.execute(ctx.db);
  await audit(ctx, {
    action: '保存首页布局模板',
    resource: RESOURCE,
    resourceId: roles.map(({ name }) => name).join('、'),
    after: { roles: roles.map(({ name }) => name), cards: cards.map(({ key }) => CARDS[key].title) },
  });
}

/** Takes the template of a role away. @throws AppError 404 where it has none */
export async function dropTemplate(ctx: Ctx, roleId: string): Promise<void> {
  const { numAffectedRows } = await sql`
    DELETE FROM dashboard.template WHERE company_id = ${ctx.companyId} AND role_id = ${roleId}`.execute(ctx.db);
  if (numAffectedRows !== 1n) throw notFound('该角色没有布局模板');
  const role = (await rolesOf(ctx)).find(({ id }) => id === roleId);
  await audit(ctx, { action: '删除首页布局模板', resource: RESOURCE, resourceId: role?.name ?? roleId });
}
