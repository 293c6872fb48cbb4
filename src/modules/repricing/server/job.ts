import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { on } from '#kit/server/events.ts';
import { job } from '#kit/server/jobs/define.ts';
import { enqueue } from '#kit/server/jobs/enqueue.ts';
import { inSystem, inTenant, systemPrincipal } from '#kit/server/runtime.ts';
import { offerSettled, offersChanged } from '#modules/listing/server/index.ts';
import { marketplaceNow } from '#modules/marketplace/server/index.ts';
import { decideBinding } from './decide.ts';

/** Changes of a product's offers within so long are one reason to decide. */
const GATHER_MS = 60_000;
/** The first pause between two tries of a call is 2 s where nothing else is set: a minute shrinks with it in tests. */
const USUAL_BASE_MS = 2_000;
/** Decisions of one sweep and company at most; the next goes on. */
const MOST_AT_ONCE = 2_000;

interface Decide {
  companyId: string;
  bindingId: string;
  listingId: string;
}

/** Has bindings decided on soon; asked again before that, each is still decided once. */
export async function decideSoon(
  ctx: Ctx,
  bindings: readonly { id: string; listingId: string }[],
  afterMs = GATHER_MS,
) {
  const { clock, config } = ctx.runtime;
  const runAt = new Date(clock.ms() + afterMs * Math.min(1, config.retryBaseMs / USUAL_BASE_MS));
  for (const { id, listingId } of bindings) {
    const payload: Decide = { companyId: ctx.companyId, bindingId: id, listingId };
    await enqueue(ctx, 'repricing.decide', payload, { key: `reprice:${id}`, keyMode: 'preserve_run_at', runAt });
  }
}

/** Bindings of a site's products that run. */
export const onOffersChanged = on(offersChanged, async (ctx, { accountId, marketplaceId, asins }) => {
  const { rows } = await sql<{ id: string; listingId: string }>`
    SELECT b.id, b.listing_id AS "listingId"
      FROM repricing.binding AS b
      JOIN repricing.rule AS r ON r.company_id = b.company_id AND r.id = b.rule_id AND r.status IN ('SHADOW', 'ACTIVE')
      JOIN listing.product AS p ON p.company_id = b.company_id AND p.listing_id = b.listing_id
     WHERE b.company_id = ${ctx.companyId} AND b.account_id = ${accountId} AND b.marketplace_id = ${marketplaceId}
       AND p.asin = ANY (${[...asins]}::text[])`.execute(ctx.db);
  await decideSoon(ctx, rows);
});

/** How the queue ended a price becomes how the decision ended; the third that does not take effect stops the listing. */
export const onOfferSettled = on(offerSettled, async (ctx, { ids, status }) => {
  const { rows } = await sql<{ binding_id: string; listing_id: string }>`
    UPDATE repricing.run SET settled = ${status}
     WHERE company_id = ${ctx.companyId} AND change_id = ANY (${[...ids]}::uuid[]) RETURNING binding_id, listing_id`.execute(
    ctx.db,
  );
  await decideSoon(
    ctx,
    rows.map((row) => ({ id: row.binding_id, listingId: row.listing_id })),
  );
});

/** One decision for one listing. */
export const decideJob = job<Decide>('repricing.decide', async (runtime, { companyId, bindingId, listingId }) => {
  const now = (await marketplaceNow(runtime)).toISOString();
  await inTenant(runtime, systemPrincipal(companyId), async (ctx) => {
    await decideBinding(ctx, { bindingId, listingId, now });
  });
});

/** Every five minutes: hours begin, costs change, offers grow old without anybody telling it. */
export const sweepJob = job<object>('repricing.sweep', async (runtime) => {
  const companies = await inSystem(runtime, (db) =>
    db
      .selectFrom('repricing.rule')
      .select('company_id')
      .where('status', 'in', ['SHADOW', 'ACTIVE'])
      .distinct()
      .execute(),
  );
  for (const { company_id } of companies) {
    await inTenant(runtime, systemPrincipal(company_id), async (ctx) => {
      const { rows } = await sql<{ id: string; listingId: string }>`
        SELECT b.id, b.listing_id AS "listingId" FROM repricing.binding AS b
          JOIN repricing.rule AS r ON r.company_id = b.company_id AND r.id = b.rule_id AND r.status IN ('SHADOW', 'ACTIVE')
         WHERE b.company_id = ${company_id} AND (b.pause_code IS NULL OR b.pause_code IN ('cost', 'stale'))
         ORDER BY b.id LIMIT ${MOST_AT_ONCE}`.execute(ctx.db);
      await decideSoon(ctx, rows, 0);
    });
  }
});
