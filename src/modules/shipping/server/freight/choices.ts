import type { Reply } from '#kit/contract/endpoint.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { freightChoices } from '../../contract/freight/calls.ts';
import { freightSettingOf } from './setting.ts';

/** Carriers by name, those that are no longer used as well: their last bills come late. */
export async function choicesOf(ctx: Ctx): Promise<Reply<typeof freightChoices>> {
  const carriers = await ctx.db
    .selectFrom('shipping.carrier')
    .select(['id', 'name', 'disabled'])
    .where('company_id', '=', ctx.companyId)
    .orderBy('disabled')
    .orderBy('name')
    .limit(5000)
    .execute();
  return { carriers, base: (await freightSettingOf(ctx)).base };
}
