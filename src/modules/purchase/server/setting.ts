import { actsForFlow } from '#kit/server/approval.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { membersWith } from '#modules/identity/server/index.ts';
import type { PurchaseSetting } from '../contract/setting.ts';

const DEFAULTS: PurchaseSetting = {
  separateApprover: true,
  receiveTolerance: '0',
  priceRise: '0.05',
  changeTolerance: '0',
};

/** How the company buys. */
export async function settingOf(ctx: Ctx): Promise<PurchaseSetting> {
  const row = await ctx.db
    .selectFrom('purchase.setting')
    .select([
      'separate_approver as separateApprover',
      'receive_tolerance as receiveTolerance',
      'price_rise as priceRise',
      'change_tolerance as changeTolerance',
    ])
    .where('company_id', '=', ctx.companyId)
    .executeTakeFirst();
  return row ?? DEFAULTS;
}

export async function putSetting(ctx: Ctx, setting: PurchaseSetting): Promise<PurchaseSetting> {
  const before = await settingOf(ctx);
  const values = {
    separate_approver: setting.separateApprover,
    receive_tolerance: setting.receiveTolerance,
    price_rise: setting.priceRise,
    change_tolerance: setting.changeTolerance,
  };
  await ctx.db
    .insertInto('purchase.setting')
    .values({ company_id: ctx.companyId, ...values })
    .onConflict((conflict) => conflict.column('company_id').doUpdateSet(values))
    .execute();
  await audit(ctx, { action: '修改采购设置', resource: 'purchase.setting', before, after: setting });
  return settingOf(ctx);
}

/**
 * Who made a document does not approve it, unless nobody else could, or a flow decides who may.
 * @throws refused B1020
 */
export async function requireOtherApprover(ctx: Ctx, createdBy: string | null, permission: string): Promise<void> {
  if (actsForFlow(ctx) || ctx.userId === null || createdBy !== ctx.userId) return;
  if (!(await settingOf(ctx)).separateApprover) return;
  const able = await membersWith(ctx, permission);
  if (able.some((id) => id !== ctx.userId)) throw refused('不能审批自己提交的单据', 'B1020');
}
