import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, notFound, refused } from '#kit/server/errors.ts';
import { type FreightBy, type Plan, PlanSite, type savePlan } from '../contract/plans.ts';

const RESOURCE = 'ratecard.plan';

/** Plans of the company, the default one first, then by name. */
export async function plans(ctx: Ctx): Promise<Plan[]> {
  const rows = await ctx.db
    .selectFrom('ratecard.plan')
    .selectAll()
    .where('company_id', '=', ctx.companyId)
    .orderBy('is_default', 'desc')
    .orderBy('name')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    freightBy: row.freight_by as FreightBy,
    sites: PlanSite.array().parse(row.sites),
    isDefault: row.is_default,
    version: row.version,
    updatedBy: row.updated_by_name,
    updatedAt: row.updated_at,
  }));
}

/** A plan whose row is locked. @throws 404; 409 where it is not the version that the caller saw */
async function lock(ctx: Ctx, id: string, version?: number): Promise<{ name: string }> {
  const row = await ctx.db
    .selectFrom('ratecard.plan')
    .select(['name', 'version'])
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw notFound('利润方案不存在或已删除');
  if (version !== undefined && row.version !== version) throw conflict();
  return row;
}

async function requireFreeName(ctx: Ctx, name: string, id: string): Promise<void> {
  const taken = await ctx.db
    .selectFrom('ratecard.plan')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('name', '=', name)
    .where('id', '<>', id)
    .executeTakeFirst();
  if (taken) throw refused(`方案名称：已有方案「${name}」`, 'B1720');
}

/**
 * Makes a plan or changes one. The first plan of a company is its default.
 * @throws refused B1720 for a name that is taken, B1721 for a country that stands there twice; 404; conflict
 */
export async function putPlan(
  ctx: Ctx,
  input: z.output<typeof savePlan.body>,
): Promise<{ id: string; version: number }> {
  const { version, name, freightBy, sites } = input;
  const id = input.id ?? randomUUID();
  if (input.id) await lock(ctx, id, version);
  await requireFreeName(ctx, name, id);
  if (new Set(sites.map(({ country }) => country)).size < sites.length) throw refused('国家：不能重复', 'B1721');
  const values = { name, freight_by: freightBy, sites: JSON.stringify(sites), updated_by_name: ctx.userName };
  const next = input.id ? version + 1 : 1;
  if (input.id) {
    await ctx.db
      .updateTable('ratecard.plan')
      .set({ ...values, version: next, updated_at: ctx.clock.now().toISOString() })
      .where('company_id', '=', ctx.companyId)
      .where('id', '=', id)
      .execute();
  } else {
    const any = await ctx.db
      .selectFrom('ratecard.plan')
      .select('id')
      .where('company_id', '=', ctx.companyId)
      .limit(1)
      .executeTakeFirst();
    await ctx.db
      .insertInto('ratecard.plan')
      .values({ company_id: ctx.companyId, id, ...values, is_default: any === undefined })
      .execute();
  }
  await audit(ctx, { action: '保存利润方案', resource: RESOURCE, resourceId: id, after: { name, freightBy } });
  return { id, version: next };
}

/** From now on the calculator begins with this plan. @throws 404 */
export async function chooseDefault(ctx: Ctx, id: string): Promise<'success'> {
  const { name } = await lock(ctx, id);
  const all = ctx.db.updateTable('ratecard.plan').where('company_id', '=', ctx.companyId);
  await all.set({ is_default: false }).where('is_default', '=', true).execute();
  await all.set({ is_default: true }).where('id', '=', id).execute();
  await audit(ctx, { action: '设为默认利润方案', resource: RESOURCE, resourceId: id, after: { name } });
  return 'success';
}

/** Calculations that were kept under it stay as they are. @throws 404; conflict */
export async function dropPlan(ctx: Ctx, { id, version }: { id: string; version: number }): Promise<'success'> {
  const { name } = await lock(ctx, id, version);
  await ctx.db.deleteFrom('ratecard.plan').where('company_id', '=', ctx.companyId).where('id', '=', id).execute();
  await audit(ctx, { action: '删除利润方案', resource: RESOURCE, resourceId: id, before: { name } });
  return 'success';
}
