import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { LockedOffer } from '#modules/listing/server/index.ts';
import type { RunOutcome } from '../contract/runs.ts';
import type { UnitCost } from './cost.ts';
import type { Decision, Inputs } from './engine.ts';
import type { Bound } from './gather.ts';

/** A decision as it is written down. */
export interface Noted {
  bound: Bound;
  offer: LockedOffer;
  outcome: RunOutcome;
  words: string;
  price: string | null;
  decision?: Decision;
  grounds?: { floor: string | null; cost: UnitCost | null };
  inputs?: Inputs;
  offersAt?: string;
  changeId?: string | undefined;
}

/** Whether the last word on a binding was the same: then nothing new is written down. */
async function isRepeated(ctx: Ctx, { bound, outcome, words, price }: Noted): Promise<boolean> {
  if (outcome === 'sent') return false;
  const { rows } = await sql<{ same: boolean }>`
    SELECT (outcome, words, old_price) IS NOT DISTINCT FROM (${outcome}::text, ${words}::text, ${price}::numeric) AS same
      FROM repricing.run WHERE company_id = ${ctx.companyId} AND binding_id = ${bound.id}
     ORDER BY at DESC, id DESC LIMIT 1`.execute(ctx.db);
  return rows[0]?.same ?? false;
}

/** Writes a decision down with what it was made from. One that only says the same as the last is left out. */
export async function note(ctx: Ctx, noted: Noted): Promise<void> {
  if (await isRepeated(ctx, noted)) return;
  const { bound, offer, outcome, words, price, decision, grounds, inputs, offersAt, changeId } = noted;
  const facts = {
    offersAt: offersAt ?? null,
    offers: inputs?.offers ?? [],
    settings: bound.settings,
    min: bound.minPrice,
    max: bound.maxPrice,
    cost: grounds?.cost ?? null,
    dayOpen: inputs?.dayOpen ?? null,
    sinceMin: inputs?.sinceMin ?? null,
    weekday: inputs?.weekday ?? null,
    hour: inputs?.hour ?? null,
  };
  await sql`
    INSERT INTO repricing.run
      (company_id, rule_id, rule_name, binding_id, listing_id, account_id, marketplace_id, seller_sku, currency, outcome,
       old_price, target, new_price, floor, at_floor, words, inputs, change_id)
    VALUES (${ctx.companyId}, ${bound.ruleId}, ${bound.ruleName}, ${bound.id}, ${offer.listingId}, ${offer.accountId},
            ${offer.marketplaceId}, ${offer.sellerSku}, ${offer.currency}, ${outcome}, ${price},
            ${decision?.target ?? null}, ${decision?.price ?? null}, ${grounds?.floor ?? null},
            ${decision?.atFloor ?? false}, ${words}, ${JSON.stringify(facts)}::jsonb, ${changeId ?? null})`.execute(
    ctx.db,
  );
}
