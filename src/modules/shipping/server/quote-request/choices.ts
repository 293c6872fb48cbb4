import type { Reply } from '#kit/contract/endpoint.ts';
import type { Ctx } from '#kit/server/context.ts';
import { maySee, warehouses } from '#modules/warehouse/server/index.ts';
import type { Transport } from '../../contract/fields.ts';
import type { quoteChoices } from '../../contract/quote-request/calls.ts';

/** Carriers and channels in use by name, and the warehouses that the caller sees. */
export async function quoteChoicesOf(ctx: Ctx): Promise<Reply<typeof quoteChoices>> {
  const carriers = await ctx.db
    .selectFrom('shipping.carrier')
    .select(['id', 'name'])
    .where('company_id', '=', ctx.companyId)
    .where('disabled', '=', false)
    .orderBy('name')
    .limit(5000)
    .execute();
  const channels = await ctx.db
    .selectFrom('shipping.channel')
    .select(['id', 'carrier_id as carrierId', 'name', 'mode', 'country'])
    .where('company_id', '=', ctx.companyId)
    .where('disabled', '=', false)
    .orderBy('name')
    .limit(5000)
    .execute();
  return {
    carriers,
    channels: channels.map((one) => ({ ...one, mode: one.mode as Transport })),
    warehouses: [...(await warehouses(ctx)).values()]
      .filter((one) => !one.disabled && maySee(ctx, one.id))
      .map(({ id, name }) => ({ id, name })),
  };
}
