import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { Buyer } from '../../contract/invoices.ts';

/** As a row keeps a buyer: nobody reads it in the database or in a copy of it. */
export function sealBuyer(ctx: Pick<Ctx, 'runtime'>, buyer: Buyer): string {
  return ctx.runtime.secrets.encrypt(JSON.stringify(buyer));
}

/** The buyer of a row; null once he is gone. */
export function openBuyer(ctx: Pick<Ctx, 'runtime'>, sealed: string | null): Buyer | null {
  return sealed === null ? null : (JSON.parse(ctx.runtime.secrets.decrypt(sealed)) as Buyer);
}

/** Days after which a buyer goes whose document is accepted, and after which Amazon asks no more for one. */
const KEPT_DAYS = 30;
const ASKED_DAYS = 90;

/**
 * Deletes buyers that are needed no more: thirty days after Amazon accepted the document, and of what never was after the
 * ninety days for which Amazon asks. The stored document stays as it was issued. Returns how many.
 * @param now marketplace time, ISO
 */
export async function forgetBuyers(ctx: Ctx, now: string): Promise<number> {
  const { numAffectedRows } = await sql`
    UPDATE vat.invoice SET buyer = NULL, buyer_gone_at = kit.now()
     WHERE company_id = ${ctx.companyId} AND buyer IS NOT NULL
       AND (accepted_at < kit.now() - make_interval(days => ${KEPT_DAYS})
            OR accepted_at IS NULL AND shipped_at < ${now}::timestamptz - make_interval(days => ${ASKED_DAYS + KEPT_DAYS}))`.execute(
    ctx.db,
  );
  return Number(numAffectedRows ?? 0);
}
