import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import type { FeeType } from '../contract/calls.ts';
import { USUAL_TYPES } from '../contract/document.ts';

/** The usual types and those of the company; one that it stopped is not active. */
export async function feeTypes(ctx: Ctx): Promise<FeeType[]> {
  const own = await ctx.db
    .selectFrom('costshare.fee_type')
    .select(['name', 'active'])
    .where('company_id', '=', ctx.companyId)
    .orderBy('name')
    .execute();
  const usual = USUAL_TYPES.map((name) => own.find((one) => one.name === name) ?? { name, active: true });
  return [...usual, ...own.filter(({ name }) => !USUAL_TYPES.includes(name))];
}

/** @throws B2306 for a type that is not there or was stopped */
export async function requireType(ctx: Ctx, name: string): Promise<void> {
  const found = (await feeTypes(ctx)).find((one) => one.name === name);
  if (!found) throw refused(`费用类型【${name}】不存在`, 'B2306');
  if (!found.active) throw refused(`费用类型【${name}】已停用`, 'B2306');
}

/** Adds a type, stops one or takes it up again. */
export async function saveFeeType(ctx: Ctx, { name, active }: FeeType): Promise<FeeType> {
  await ctx.db
    .insertInto('costshare.fee_type')
    .values({ company_id: ctx.companyId, name, active })
    .onConflict((conflict) => conflict.columns(['company_id', 'name']).doUpdateSet({ active }))
    .execute();
  await audit(ctx, {
    action: '保存费用类型',
    resource: 'costshare.feeType',
    resourceId: name,
    after: { name, active },
  });
  return { name, active };
}
