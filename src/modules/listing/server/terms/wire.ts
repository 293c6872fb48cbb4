import { dayIn } from '#kit/contract/day.ts';
import { Decimal } from '#kit/contract/decimal.ts';
import { marketplaceOf } from '#modules/marketplace/contract/marketplaces.ts';
import { plainTerms, type Terms, type TermsKind } from '../../contract/terms.ts';

interface Slot {
  value_with_tax?: number | string;
  start_at?: string;
  end_at?: string;
  levels?: readonly { lower_bound?: number; value?: number | string }[];
}
type Part = readonly { schedule?: readonly Slot[] }[] | null;

/** One offer of the attribute `purchasable_offer`, as far as it is read. */
export interface ApiPurchasable {
  marketplace_id?: string;
  audience?: string;
  our_price?: Part;
  discounted_price?: Part;
  quantity_discount_plan?: Part;
}

/** Everything that an offer has beside its price. */
export interface OfferTerms {
  sale: Terms | null;
  b2b: Terms | null;
  tiers: Terms | null;
}

const slotOf = (part: Part | undefined): Slot | undefined => part?.[0]?.schedule?.[0];

/** A day as it is written, or the day of an instant in the zone of the site. */
function dayOf(text: string | undefined, zone: string): string | undefined {
  if (text === undefined || /^\d{4}-\d{2}-\d{2}$/.test(text)) return text;
  return dayIn(zone, new Date(text));
}

function saleOf(offer: ApiPurchasable | undefined, zone: string): Terms | null {
  const slot = slotOf(offer?.discounted_price);
  if (slot?.value_with_tax === undefined) return null;
  const [from, to] = [dayOf(slot.start_at, zone), dayOf(slot.end_at, zone)];
  return { price: String(slot.value_with_tax), ...(from ? { from } : {}), ...(to ? { to } : {}) };
}

/** What Amazon shows of an offer in a marketplace beside its price. */
export function termsOf(offers: readonly ApiPurchasable[], marketplaceId: string): OfferTerms {
  const zone = marketplaceOf(marketplaceId)?.timeZone ?? 'UTC';
  const here = offers.filter((one) => (one.marketplace_id ?? marketplaceId) === marketplaceId);
  const business = here.find((one) => one.audience === 'B2B');
  const price = slotOf(business?.our_price)?.value_with_tax;
  const levels = slotOf(business?.quantity_discount_plan)?.levels ?? [];
  const tiers = levels.map((level) => ({ from: level.lower_bound ?? 0, price: String(level.value ?? 0) }));
  const all = here.find((one) => (one.audience ?? 'ALL') === 'ALL');
  return {
    sale: plainTerms(saleOf(all, zone)),
    b2b: plainTerms(price === undefined ? null : { price: String(price) }),
    tiers: plainTerms(tiers.length === 0 ? null : { tiers }),
  };
}

const amount = (price: string | undefined) => new Decimal(price ?? 0).toNumber();
const scheduled = (slot: object) => [{ schedule: [slot] }];

function partOf(kind: TermsKind, terms: Terms | null): object {
  if (kind === 'tiers') {
    const levels = terms?.tiers?.map(({ from, price }) => ({ lower_bound: from, value: amount(price) }));
    return { quantity_discount_plan: levels ? scheduled({ discount_type: 'fixed', levels }) : null };
  }
  if (kind === 'b2b') return { our_price: scheduled({ value_with_tax: amount(terms?.price) }) };
  const { price, from, to } = terms ?? {};
  const slot = { value_with_tax: amount(price), start_at: from, end_at: to };
  return { discounted_price: terms ? scheduled(slot) : null };
}

/**
 * The patch of `purchasable_offer` that changes one part of the offer and nothing else: "merge" leaves the price, the limits and
 * what other buyers are offered as they are, and null takes a part away ("replace" would drop all that it does not name). The
 * offer to businesses goes as a whole by "delete" with its selectors, and its tiers with it.
 */
export function termsPatch(
  { kind, marketplaceId, currency }: { kind: TermsKind; marketplaceId: string; currency: string },
  terms: Terms | null,
): object {
  const selectors = { marketplace_id: marketplaceId, currency, audience: kind === 'sale' ? 'ALL' : 'B2B' };
  const path = '/attributes/purchasable_offer';
  if (kind === 'b2b' && terms === null) return { op: 'delete', path, value: [selectors] };
  return { op: 'merge', path, value: [{ ...selectors, ...partOf(kind, terms) }] };
}
