import { on } from '#kit/server/events.ts';
import { companyErased } from '#modules/identity/server/index.ts';

/** Addresses of people go with their company. */
export const onCompanyErased = on(companyErased, async (ctx) => {
  await ctx.db.deleteFrom('message.delivery').where('company_id', '=', ctx.companyId).execute();
});
