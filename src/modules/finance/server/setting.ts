import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FinanceSetting } from '../contract/setting.ts';

/** How the company handles its money; payer and approver are two people unless it says otherwise. */
export async function settingOf(ctx: Ctx): Promise<FinanceSetting> {
  const row = await ctx.db
    .selectFrom('finance.setting')
    .select('separate_payer as separatePayer')
    .where('company_id', '=', ctx.companyId)
    .executeTakeFirst();
  return row ?? { separatePayer: true };
}

export async function putSetting(ctx: Ctx, setting: FinanceSetting): Promise<FinanceSetting> {
  const before = await settingOf(ctx);
  const values = { separate_payer: setting.separatePayer };
  await ctx.db
    .insertInto('finance.setting')
    .values({ company_id: ctx.companyId, ...values })
    .onConflict((conflict) => conflict.column('company_id').doUpdateSet(values))
    .execute();
  await audit(ctx, { action: '修改请款设置', resource: 'finance.setting', before, after: setting });
  return setting;
}
