/** Postings without an order: storage, subscription, advertising, coupon fees, disposal, reimbursement of lost pieces. */
import { share } from './amounts.ts';
import { priceOn } from './demand.ts';
import { Dice } from './draws.ts';
import { scheduleOf, storageFee } from './fees.ts';
import { DAY, dayNumber, HOUR, localDate } from './marketplaces.ts';
import { measuredAt } from './measured.ts';
import type { Charge, Lane, Shop } from './model.ts';
import { record } from './stock.ts';

const OTHER = 'other-transaction';
const DISPOSAL_DAY = '15';
const WORTH_DISPOSING = 3;
/** A removal order is shipped so long after it was placed. */
export const REMOVAL_HANDLING = 3 * DAY;
/** How the settlement names what is paid for goods that did not arrive. */
export const MISSING_FROM_INBOUND = 'MISSING_FROM_INBOUND';

/** Everything that is due at the start of a business day, in a fixed order. */
export function chargeDaily(shop: Shop, day: string, start: number): void {
  if (day.endsWith('-01')) {
    chargeStorage(shop, day, start);
    chargeSubscription(shop, start + 3 * HOUR);
  }
  if (day.endsWith(`-${DISPOSAL_DAY}`)) dispose(shop, start + 5 * HOUR);
  if (shop.dayCount > 0 && shop.dayCount % 7 === 0) chargeWeek(shop, start + 4 * HOUR);
}

function post(shop: Shop, charge: Pick<Charge, 'postedAt' | 'amountDescription' | 'amount'> & Partial<Charge>): void {
  shop.charges.push({
    transactionType: OTHER,
    amountType: OTHER,
    lane: undefined,
    quantity: undefined,
    reference: undefined,
    description: charge.amountDescription,
    ...charge,
  });
}

/** Storage of the month that ends at `end`, by what Amazon takes its products for by then. */
function chargeStorage(shop: Shop, day: string, end: number): void {
  const postedAt = end + 2 * HOUR;
  const { countryCode } = shop.market;
  let volumeDays = 0;
  for (const lane of shop.lanes) {
    const { lengthCm, widthCm, heightCm, fulfilment } = measuredAt(lane, end);
    if (fulfilment === 'AFN') volumeDays += lane.unitDays * lengthCm * widthCm * heightCm;
    lane.unitDays = 0;
  }
  if (volumeDays === 0) return;
  const lastDay = new Date((dayNumber(day) - 1) * 86_400_000);
  const fee = storageFee(countryCode, volumeDays, lastDay.getUTCMonth() + 1, lastDay.getUTCDate());
  post(shop, { postedAt, amountDescription: 'Storage Fee', amount: -fee, description: 'FBA Inventory Storage Fee' });
}

/** One professional plan per seller account, charged in its first marketplace. */
function chargeSubscription(shop: Shop, postedAt: number): void {
  if (shop.account.marketplaceIds[0] !== shop.market.marketplaceId) return;
  const { subscription } = scheduleOf(shop.market.countryCode);
  post(shop, { postedAt, amountDescription: 'Subscription Fee', amount: -subscription, description: 'Subscription' });
}

/** Advertising of the past seven days, which is what its valid clicks cost, and the redemption fee of their coupons. */
function chargeWeek(shop: Shop, postedAt: number): void {
  const { coupons } = shop.week;
  shop.week = { coupons: 0 };
  const spend = shop.ads.spend.slice(-7).reduce((sum, amount) => sum + amount, 0);
  if (spend > 0) {
    post(shop, {
      postedAt,
      transactionType: 'ServiceFee',
      amountType: 'Cost of Advertising',
      amountDescription: 'TransactionTotalAmount',
      amount: -spend,
      description: 'Cost of Advertising',
    });
  }
  if (coupons > 0) {
    const amount = -coupons * scheduleOf(shop.market.countryCode).couponRedemption;
    const name = { transactionType: 'CouponRedemptionFee', amountType: 'CouponRedemptionFee' };
    post(shop, { postedAt, ...name, amountDescription: 'CouponRedemptionFee', amount, quantity: coupons });
  }
}

/** Unsellable pieces are destroyed, or sent back to the seller, in the middle of the month when there are enough. */
function dispose(shop: Shop, at: number): void {
  for (const lane of shop.lanes) {
    const quantity = lane.unsellable;
    if (quantity < WORTH_DISPOSING) continue;
    lane.unsellable = 0;
    const sentBack = new Dice(shop.seed, shop.account.sellingPartnerId, `removal:${lane.key}`, at).chance(0.5);
    if (sentBack) record(lane, at + REMOVAL_HANDLING, 'removed', quantity);
    else record(lane, at, 'disposed', quantity);
    chargeRemoval(shop, lane, at, { quantity, sentBack });
  }
}

/** What Amazon takes for pieces that it sends away or destroys. */
export function chargeRemoval(
  shop: Shop,
  lane: Lane,
  at: number,
  { quantity, sentBack }: { quantity: number; sentBack: boolean },
): void {
  const amount = -quantity * scheduleOf(shop.market.countryCode).disposal;
  const amountDescription = sentBack ? 'RemovalComplete' : 'DisposalComplete';
  post(shop, { postedAt: at, amountDescription, amount, lane, quantity });
}

/** A lost piece that nobody found again: it leaves the research bucket and 70 % of its price comes back. */
export function chargeLost(shop: Shop, lane: Lane, at: number): void {
  record(lane, at, 'writtenOff', 1);
  reimburse(shop, lane, at, { pieces: 1, amountDescription: 'WAREHOUSE_LOST', draw: `reimburse:${lane.key}` });
}

/** What never arrived of an announced shipment is paid for as a lost piece is. */
export function chargeMissing(shop: Shop, lane: Lane, at: number, pieces: number, reference: string): void {
  const draw = `reimburse:${lane.key}:${reference}`;
  reimburse(shop, lane, at, { pieces, amountDescription: MISSING_FROM_INBOUND, draw });
}

/** What Amazon takes for bringing an announced shipment, or for the choice of its warehouses. */
export function chargeInbound(
  shop: Shop,
  at: number,
  { description, amount, reference }: { description: string; amount: number; reference: string },
): void {
  post(shop, { postedAt: at, amountDescription: description, amount: -amount, reference });
}

function reimburse(
  shop: Shop,
  lane: Lane,
  at: number,
  { pieces, amountDescription, draw }: { pieces: number; amountDescription: string; draw: string },
): void {
  const price = priceOn(shop, lane, localDate(shop.market.timeZone, at));
  const dice = new Dice(shop.seed, shop.account.sellingPartnerId, draw, at);
  post(shop, {
    postedAt: at,
    amountType: 'FBA Inventory Reimbursement',
    amountDescription,
    amount: share(price, 70, 100) * pieces,
    lane,
    quantity: pieces,
    reference: String(dice.int(1_000_000_000, 4_000_000_000)),
  });
}
