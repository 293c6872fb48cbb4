import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { PriceSetting } from '../../contract/requests.ts';

/** What the company does with prices below the floor: somebody else agrees to them, unless it says otherwise. */
export async function priceSettingOf(ctx: Ctx): Promise<PriceSetting> {
  const row = await ctx.db
    .selectFrom('listing.setting')
    .select('below_floor')
    .where('company_id', '=', ctx.companyId)
    .executeTakeFirst();
  return { belowFloor: row?.below_floor === 'refuse' ? 'refuse' : 'approve' };
}

/** Writes that setting down. */
export async function putPriceSetting(ctx: Ctx, setting: PriceSetting): Promise<PriceSetting> {
  const before = await priceSettingOf(ctx);
  const values = { below_floor: setting.belowFloor };
  await ctx.db
    .insertInto('listing.setting')
    .values({ company_id: ctx.companyId, ...values })
    .onConflict((conflict) => conflict.column('company_id').doUpdateSet(values))
    .execute();
  await audit(ctx, { action: '修改低价设置', resource: 'listing.setting', before, after: setting });
  return setting;
}
