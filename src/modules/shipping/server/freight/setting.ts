import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FreightSetting } from '../../contract/freight/calls.ts';
import type { FreightBase } from '../../contract/freight/fields.ts';

const DEFAULTS: FreightSetting = { base: 'BILLABLE', threshold: '0.05' };

/** How the company shares freight bills, and from which share of the estimate on one differs. */
export async function freightSettingOf(ctx: Ctx): Promise<FreightSetting> {
  const row = await ctx.db
    .selectFrom('shipping.freight_setting')
    .select(['base', 'threshold'])
    .where('company_id', '=', ctx.companyId)
    .executeTakeFirst();
  return row ? { base: row.base as FreightBase, threshold: row.threshold } : DEFAULTS;
}

export async function putFreightSetting(ctx: Ctx, setting: FreightSetting): Promise<FreightSetting> {
  const before = await freightSettingOf(ctx);
  await ctx.db
    .insertInto('shipping.freight_setting')
    .values({ company_id: ctx.companyId, ...setting })
    .onConflict((conflict) => conflict.column('company_id').doUpdateSet(setting))
    .execute();
  await audit(ctx, { action: '修改头程费用设置', resource: 'shipping.freightSetting', before, after: setting });
  return freightSettingOf(ctx);
}
