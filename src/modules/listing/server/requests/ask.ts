import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { invalid } from '#kit/server/errors.ts';
import { nextNumber } from '#kit/server/sequence.ts';
import type { OfferKind } from '../../contract/offers.ts';
import { type PriceRequestStep, priceRequest } from '../../contract/requests.ts';
import type { Terms } from '../../contract/terms.ts';
import { type Priced, underFloor } from '../offers/floors.ts';
import { act } from './act.ts';
import { priceSettingOf } from './setting.ts';

/** A price that somebody wishes for; `field` names it in refusals. */
export interface AskedPrice extends Priced {
  accountId: string;
  marketplaceId: string;
  sellerSku: string;
  kind: Exclude<OfferKind, 'quantity'>;
  currency: string;
  oldValue: string | null;
  oldTerms: Terms | null;
  newTerms: Terms | null;
  field: string;
  title: string;
}

async function ask(ctx: Ctx, one: AskedPrice & { floor: string }, reason: string): Promise<void> {
  // Of a listing and kind one request waits at a time: the newest.
  const { rows: older } = await sql<{ id: string }>`
    SELECT id FROM listing.price_request
     WHERE company_id = ${ctx.companyId} AND listing_id = ${one.listingId} AND kind = ${one.kind} AND state = 'waiting'
     ORDER BY id`.execute(ctx.db);
  for (const { id } of older) await act(ctx, 'withdraw' satisfies PriceRequestStep, { id });
  const number = await nextNumber(ctx, priceRequest.number, ctx.clock.today());
  const json = (terms: Terms | null) => (terms === null ? null : JSON.stringify(terms));
  const { rows } = await sql<{ id: string }>`
    INSERT INTO listing.price_request
      (company_id, number, listing_id, account_id, marketplace_id, seller_sku, kind, currency, old_value, new_value, old_terms,
       new_terms, floor, reason, created_by, created_by_name)
    VALUES (${ctx.companyId}, ${number}, ${one.listingId}, ${one.accountId}, ${one.marketplaceId}, ${one.sellerSku},
            ${one.kind}, ${one.currency}, ${one.oldValue}, ${one.price}, ${json(one.oldTerms)}::jsonb,
            ${json(one.newTerms)}::jsonb, ${one.floor}, ${reason}, ${ctx.userId}, ${ctx.userName})
    RETURNING id`.execute(ctx.db);
  await act(ctx, 'submit', { id: rows[0]?.id ?? '' });
}

/**
 * Asks for those of some prices that are below their floor, or refuses them, as the company wishes; their listings are locked.
 * Returns the ids of the listings whose price waits. @throws AppError with one entry per price: below the floor, or without the
 * reason that a request needs
 */
export async function askBelowFloor(ctx: Ctx, prices: readonly AskedPrice[], reason: string): Promise<Set<string>> {
  const under = await underFloor(ctx, prices);
  if (under.length === 0) return new Set();
  const { belowFloor } = await priceSettingOf(ctx);
  if (belowFloor === 'refuse' || reason.trim() === '') {
    const hint = belowFloor === 'refuse' ? '不能提交' : '需主管审批，请填写说明';
    throw invalid(
      under.map(({ field, title, sellerSku, floor }) => ({
        field,
        title,
        msg: `${sellerSku} ${title}：价格低于保本价 ${floor}，${hint}`,
      })),
    );
  }
  for (const one of under) await ask(ctx, one, reason);
  return new Set(under.map(({ listingId }) => listingId));
}
