import { sql } from 'kysely';
import type { Reply } from '#kit/contract/endpoint.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { OpenCtx } from '#kit/server/http/serve.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { shipFromAddresses } from '#modules/marketplace/server/index.ts';
import type { LabelFormat, LabelRate, labelRates, Parcel } from '../../../contract/self/label.ts';
import { loaded, type SelfDoc } from '../load.ts';
import { type CarrierParcel, type CarrierRate, carrierBy } from './carrier.ts';
import { parcelFor } from './parcel.ts';

/** Who sells labels until there is a choice. */
export const SELLER = 'amazon';

/** A rate with what the buyer was promised held against it. */
export interface JudgedRate extends CarrierRate {
  inTime: boolean | null;
  best: boolean;
}

/** By when the buyer was promised the order of a document; null where nothing is known of it. */
async function promiseOf(ctx: Ctx, doc: SelfDoc): Promise<string | null> {
  const [order] = doc.orders;
  const { rows } = await sql<{ at: string | null }>`
    SELECT latest_deliver_at AS at FROM "order".amazon_order
     WHERE company_id = ${ctx.companyId} AND selling_partner_id = ${order?.sellingPartnerId ?? ''}
       AND amazon_order_id = ${order?.orderId ?? ''}`.execute(ctx.db);
  return rows[0]?.at ?? null;
}

/**
 * Rates in the order in which one would choose: what can be bought, the cheapest first; the cheapest that arrives by
 * `promisedAt` is the best. Where nothing was promised the cheapest is.
 */
export function judged(rates: readonly CarrierRate[], promisedAt: string | null): JudgedRate[] {
  const held = rates.map((rate) => {
    const known = promisedAt !== null && rate.arrivesAt !== null;
    return { ...rate, inTime: known ? Date.parse(rate.arrivesAt ?? '') <= Date.parse(promisedAt) : null };
  });
  held.sort(
    (a, b) =>
      Number(a.unfit !== undefined) - Number(b.unfit !== undefined) ||
      a.amount.comparedTo(b.amount) ||
      a.serviceId.localeCompare(b.serviceId),
  );
  const best = held.find(({ unfit, inTime }) => unfit === undefined && (promisedAt === null || inTime === true));
  return held.map((rate) => ({ ...rate, best: rate === best }));
}

/** What carriers ask for the parcel of a document, outside of any transaction. @throws as parcelFor; AppError of the platform */
export async function ratesFor(
  open: OpenCtx,
  id: string,
  given: Partial<Parcel>,
  format: LabelFormat,
): Promise<{ parcel: CarrierParcel; rates: JudgedRate[]; promisedAt: string | null }> {
  const { parcel, promisedAt } = await inTenant(
    open.runtime,
    open.principal,
    async (ctx) => {
      const doc = await loaded(ctx, id);
      return { parcel: await parcelFor(ctx, doc, given), promisedAt: await promiseOf(ctx, doc) };
    },
    { readOnly: true },
  );
  const work = { runtime: open.runtime, companyId: open.principal.companyId };
  const rates = await carrierBy(open.runtime, SELLER).rates(work, parcel, format);
  return { parcel, promisedAt, rates: judged(rates, promisedAt) };
}

const shown = ({ offerId: _, amount, unfit = '', ...rate }: JudgedRate): LabelRate => ({
  ...rate,
  amount: amount.toFixed(),
  unfit,
});

/** The dialog of 申请运单: rates, the promise, and the store's addresses. @throws as ratesFor */
export async function ratesOf(
  open: OpenCtx,
  { id, ...given }: Parcel & { id: string },
): Promise<Reply<typeof labelRates>> {
  const { rates, promisedAt } = await ratesFor(open, id, given, 'PDF');
  const addresses = await inTenant(open.runtime, open.principal, (ctx) => addressesOf(ctx, id), { readOnly: true });
  return { rates: rates.map(shown), promisedAt, addresses };
}

/** Addresses in use that the store of a document sends from. */
export async function addressesOf(ctx: Ctx, id: string): Promise<{ id: string; name: string }[]> {
  const { rows } = await sql<{ store: string }>`
    SELECT a.store_id AS store FROM shipping.self_doc AS d
      JOIN marketplace.seller_account AS a ON a.company_id = d.company_id AND a.id = d.account_id
     WHERE d.company_id = ${ctx.companyId} AND d.id = ${id}`.execute(ctx.db);
  const known = await shipFromAddresses(ctx);
  return known
    .filter(({ storeId }) => storeId === rows[0]?.store)
    .map(({ id: address, name }) => ({ id: address, name }));
}
