import { allocate, currencyScale } from '#kit/contract/decimal.ts';
import type { Reimbursed } from '#modules/inventory/server/index.ts';
import { OPEN_STATES } from '../../contract/claim/claim.ts';
import type { Claim } from './load.ts';

/** Why the marketplace pays for pieces that were lost on their way in, as its reports have spelt it. */
const INBOUND = /^(lost|missing|damaged)[_ -]?(from[_ -]?)?inbound$/i;

export type Owed = Pick<Claim, 'id' | 'state' | 'msku' | 'shipmentNo' | 'caseNo' | 'qty' | 'closedOn'>;

/** A part of a payment that is for a claim. */
export interface Match {
  claim: string;
  payment: Reimbursed;
  qty: number;
  amount: string;
}

const isReversal = (payment: Reimbursed): boolean => payment.originalId !== '' && payment.qty <= 0;

/** How surely a payment is for a claim: by the number of the case or shipment that it names, or only by its reason and time. */
function bond(payment: Reimbursed, claim: Owed): 'named' | 'fits' | undefined {
  if (claim.msku !== payment.msku) return undefined;
  if (claim.caseNo !== '' && claim.caseNo === payment.caseId) return 'named';
  if (claim.shipmentNo !== '' && claim.shipmentNo === payment.orderId) return 'named';
  const open = OPEN_STATES.includes(claim.state) || claim.state === 'paid';
  const after = claim.closedOn === null || payment.approvedOn >= claim.closedOn;
  return open && after && INBOUND.test(payment.reason) ? 'fits' : undefined;
}

/** Shares of a payment's money by its pieces, to the cent; what is for no claim keeps its own. */
function split(payment: Reimbursed, parts: readonly { claim: string; qty: number }[]): Match[] {
  const rest = Math.abs(payment.qty) - parts.reduce((total, part) => total + Math.abs(part.qty), 0);
  const weights = new Map(parts.map((part) => [part.claim, String(Math.abs(part.qty))]));
  if (rest > 0) weights.set('', String(rest));
  const amounts = allocate(payment.amount, weights, currencyScale(payment.currency));
  return parts.map(({ claim, qty }) => ({ claim, payment, qty, amount: amounts?.get(claim) ?? payment.amount }));
}

/**
 * Which claims payments are for. A payment that names a case or a shipment goes there; one that was made for pieces lost on
 * their way in goes to the claims of its SKU that are not paid for yet, those that were closed first first, never for more
 * pieces than each lacks. What was matched before stays where it was. A reversal lowers what the payment that it names was
 * matched with. Payments that fit nothing are left alone.
 * @param payments of one SKU or several, the oldest first; each of them is matched once
 * @param before which claims a payment was matched with, by its number and SKU
 */
export function matchPayments(
  claims: readonly Owed[],
  payments: readonly Reimbursed[],
  before: ReadonlyMap<string, readonly string[]> = new Map(),
): Match[] {
  const order = claims.toSorted(
    (a, b) => (a.closedOn ?? '').localeCompare(b.closedOn ?? '') || a.id.localeCompare(b.id),
  );
  const lacking = new Map(order.map((claim) => [claim.id, claim.qty]));
  const matches: Match[] = [];
  for (const payment of payments.filter((one) => !isReversal(one))) {
    const pinned = before.get(`${payment.reimbursementId} ${payment.msku}`) ?? [];
    const fitting = order.flatMap((claim) => {
      const how = pinned.includes(claim.id) ? 'named' : bond(payment, claim);
      return how ? [{ claim, how }] : [];
    });
    const named = fitting.filter(({ how }) => how === 'named');
    let rest = payment.qty;
    const parts = (named.length > 0 ? named : fitting).flatMap(({ claim }) => {
      const qty = Math.min(rest, Math.max(0, lacking.get(claim.id) ?? 0));
      rest -= qty;
      return qty > 0 ? [{ claim: claim.id, qty }] : [];
    });
    // Money that says what it is for is for nothing else, even where it is more than was missing.
    const [first] = named;
    if (first && rest > 0) {
      const part = parts.find(({ claim }) => claim === first.claim.id);
      if (part) part.qty += rest;
      else parts.push({ claim: first.claim.id, qty: rest });
    }
    for (const { claim, qty } of parts) lacking.set(claim, (lacking.get(claim) ?? 0) - qty);
    matches.push(...split(payment, parts));
  }
  for (const payment of payments.filter(isReversal)) {
    const taken = matches.filter(
      (match) => match.payment.reimbursementId === payment.originalId && match.payment.msku === payment.msku,
    );
    let rest = -payment.qty;
    const parts = taken.flatMap((match) => {
      const qty = Math.min(rest, match.qty);
      rest -= qty;
      return qty > 0 || taken.length === 1 ? [{ claim: match.claim, qty: -qty }] : [];
    });
    matches.push(...split(payment, parts));
  }
  return matches;
}
