import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { Recipient } from '../contract/create.ts';

/** As a row keeps who gets an order: nobody reads it in the database or in a copy of it. */
export function sealRecipient(ctx: Pick<Ctx, 'runtime'>, to: Recipient): string {
  return ctx.runtime.secrets.encrypt(JSON.stringify(to));
}

/** The recipient of a row. */
export function openRecipient(ctx: Pick<Ctx, 'runtime'>, sealed: string): Recipient {
  return JSON.parse(ctx.runtime.secrets.decrypt(sealed)) as Recipient;
}

/** What of an address everybody sees: the country, the region and where a postal code begins. */
export function shownOf(to: { country: string; region?: string | undefined; postalCode: string }) {
  return { country: to.country, region: to.region ?? '', postal_prefix: to.postalCode.trim().slice(0, 3) };
}

/** Days after the delivery, or after the end without one; a parcel of which no carrier tells counts as there after so many more. */
const KEPT_DAYS = 30;
const SILENT_DAYS = 30;

/** Deletes addresses that are needed no more. `now` is marketplace time, ISO. Returns how many. */
export async function forgetRecipients(ctx: Ctx, now: string): Promise<number> {
  const { numAffectedRows } = await sql`
    UPDATE fulfillment.mcf_order SET address = NULL
     WHERE company_id = ${ctx.companyId} AND address IS NOT NULL
       AND (delivered_at < ${now}::timestamptz - make_interval(days => ${KEPT_DAYS}::int)
            OR state IN ('CANCELLED', 'UNFULFILLABLE', 'INVALID')
               AND amazon_status_at < ${now}::timestamptz - make_interval(days => ${KEPT_DAYS}::int)
            OR state IN ('CANCELLED', 'REFUSED', 'DRAFT') AND amazon_status_at IS NULL
               AND created_at < kit.now() - make_interval(days => ${KEPT_DAYS + SILENT_DAYS}::int)
            OR state IN ('COMPLETE', 'PARTIAL') AND delivered_at IS NULL
               AND amazon_status_at < ${now}::timestamptz - make_interval(days => ${KEPT_DAYS + SILENT_DAYS}::int))`.execute(
    ctx.db,
  );
  return Number(numAffectedRows ?? 0);
}
