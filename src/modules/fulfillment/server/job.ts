import { job } from '#kit/server/jobs/define.ts';
import { inSystem, inTenant, systemPrincipal } from '#kit/server/runtime.ts';
import { marketplaceNow } from '#modules/marketplace/server/index.ts';
import { forgetRecipients } from './address.ts';

/** Deletes the addresses of every company that are needed no more. */
export const forgetJob = job('fulfillment.forget', async (runtime) => {
  if (!runtime.config.marketplace) return;
  const now = (await marketplaceNow(runtime)).toISOString();
  const companies = await inSystem(runtime, (db) =>
    db.selectFrom('fulfillment.mcf_order').select('company_id').distinct().where('address', 'is not', null).execute(),
  );
  for (const { company_id: companyId } of companies) {
    await inTenant(runtime, systemPrincipal(companyId), (ctx) => forgetRecipients(ctx, now));
  }
});
