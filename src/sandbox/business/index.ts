/** The deterministic business behind the sandbox marketplace. */

import { adBook, adChanges, adRows, auditAds } from './ads-views.ts';
import { parseAmount } from './amounts.ts';
import { auditShop } from './audit.ts';
import { priceOn } from './demand.ts';
import { eventGroupsOf } from './event-groups.ts';
import { fbaBooks } from './fba-books.ts';
import { fbaFees } from './fba-fees.ts';
import { fulfilmentFee } from './fees.ts';
import { announce, receivedBy } from './inbound.ts';
import { localDate } from './marketplaces.ts';
import { measure, measuredAt, mismeasuredIn } from './measured.ts';
import type { Shop } from './model.ts';
import { freeAt, letGo, putBack, setAside } from './outbound.ts';
import { confirm } from './packages.ts';
import { boughtBetween, updatedBetween } from './queries.ts';
import { removableAt, remove } from './removals.ts';
import type { ScenarioName } from './scenario.ts';
import { settle, settlementView } from './settlements.ts';
import { cast, marketplacesOf } from './shops.ts';
import { advance, catchUp } from './simulate.ts';
import { stockAt } from './stock.ts';
import { transactionsOf } from './transactions.ts';
import { truthOf } from './truth.ts';
import type { Business, SimAccount, SimSettlement } from './types.ts';
import { listingView, orderView, stockView, updatedAt } from './views.ts';

export type * from './ads-types.ts';
export type * from './fba-types.ts';
export type * from './types.ts';

/**
 * A business as a pure function of its options. `startAt` is the first simulated day, an epoch of UTC midnight
 * (RangeError otherwise); every marketplace begins at its own first whole business day from there on. Days are
 * simulated when an answer needs them, per account and marketplace, and then kept in memory.
 */
export function createBusiness(opts: { seed: string; scenario: ScenarioName; startAt: number }): Business {
  if (opts.startAt % 86_400_000 !== 0) throw new RangeError('startAt must be a UTC midnight');
  const { accounts, shops } = cast(opts.seed, opts.scenario, opts.startAt);

  /** The account's shops, walked up to `now`; narrowed to some marketplaces when any are named. */
  function open(account: SimAccount, now: number, marketplaceIds?: readonly string[]): Shop[] {
    const mine = shops.filter(
      ({ account: one, market }) =>
        one.sellingPartnerId === account.sellingPartnerId &&
        one.region === account.region &&
        (!marketplaceIds || marketplaceIds.includes(market.marketplaceId)),
    );
    for (const shop of mine) advance(shop, now);
    return mine;
  }

  const marketplaces = [...marketplacesOf(accounts)];
  const business: Business = {
    marketplaces,
    accounts,

    listings(account, marketplaceId, now) {
      return open(account, now, [marketplaceId]).flatMap((shop) =>
        shop.lanes.map((lane) => listingView(shop, lane, now)),
      );
    },

    orders(account, { marketplaceIds, by, from, to }, now) {
      const found = open(account, now, marketplaceIds).flatMap((shop) =>
        by === 'created' ? boughtBetween(shop, from, Math.min(to, now + 1)) : updatedBetween(shop, from, to, now),
      );
      const at = by === 'created' ? bought : updatedAt;
      return found
        .map((order) => ({ order, at: at(order, now) }))
        .sort((a, b) => a.at - b.at || (a.order.id < b.order.id ? -1 : 1))
        .map(({ order }) => orderView(order, now));
    },

    order(account, orderId, now) {
      for (const shop of open(account, now)) {
        const found = shop.orderById.get(orderId);
        if (found) return found.purchasedAt <= now ? orderView(found, now) : undefined;
      }
      return undefined;
    },

    stock(account, marketplaceId, now) {
      return open(account, now, [marketplaceId]).flatMap((shop) =>
        shop.lanes.filter(({ product }) => product.fulfilment === 'AFN').map((lane) => stockView(shop, lane, now)),
      );
    },

    fba(account, marketplaceId, now) {
      const [shop] = open(account, now, [marketplaceId]);
      if (!shop) throw new RangeError(`nobody sells in ${marketplaceId}`);
      return fbaBooks(shop, now);
    },

    fbaFees(account, marketplaceId, now) {
      const [shop] = open(account, now, [marketplaceId]);
      if (!shop) throw new RangeError(`nobody sells in ${marketplaceId}`);
      return fbaFees(shop, now);
    },

    mismeasured(account, marketplaceId, now) {
      return open(account, now, [marketplaceId]).flatMap((shop) => mismeasuredIn(shop, now));
    },

    measure(account, sku, at, wrong) {
      return measure(open(account, at), sku, at, wrong);
    },

    ads(account, marketplaceId, now) {
      const [shop] = open(account, now, [marketplaceId]);
      if (!shop) throw new RangeError(`nobody sells in ${marketplaceId}`);
      return adBook(shop, now);
    },

    adChanges(account, marketplaceId, { from, to }, now) {
      return open(account, now, [marketplaceId]).flatMap((shop) => adChanges(shop, from, to, now));
    },

    adRows(account, marketplaceId, { from, to }, now) {
      return open(account, now, [marketplaceId]).flatMap((shop) => adRows(shop, from, to, now));
    },

    settlements(account, now) {
      return open(account, now)
        .flatMap((shop) => settledBy(shop, now))
        .sort((a, b) => b.endAt - a.endAt || (a.settlementId < b.settlementId ? -1 : 1));
    },

    eventGroups(account, now) {
      return open(account, now)
        .flatMap((shop) => eventGroupsOf(shop, now))
        .sort((a, b) => b.startAt - a.startAt || (a.groupId < b.groupId ? -1 : 1));
    },

    transactions(account, { from, to, marketplaceId }, now) {
      const wanted = marketplaceId === undefined ? undefined : [marketplaceId];
      return open(account, now, wanted)
        .flatMap((shop) => transactionsOf(shop, from, to, now))
        .sort((a, b) => a.postedAt - b.postedAt || (a.transactionId < b.transactionId ? -1 : 1));
    },

    truth(account, marketplaceId, { from, to }, now) {
      const market = marketplaces.find((one) => one.marketplaceId === marketplaceId);
      if (!market) throw new RangeError(`nobody sells in ${marketplaceId}`);
      const sources = {
        market,
        account: { sellingPartnerId: account.sellingPartnerId, region: account.region },
        orders: business.orders(account, { marketplaceIds: [marketplaceId], by: 'created', from, to }, now),
        stock: business.stock(account, marketplaceId, now),
        books: business.fba(account, marketplaceId, now),
        ads: business.adRows(
          account,
          marketplaceId,
          { from: localDate(market.timeZone, from), to: localDate(market.timeZone, to) },
          now,
        ),
        settlements: business.settlements(account, now).filter((one) => one.marketplaceId === marketplaceId),
        transactions: business.transactions(account, { from: 0, to: now + 1, marketplaceId }, now),
      };
      return truthOf(sources, now);
    },

    setOffer(account, marketplaceId, sku, { at, price, quantity }) {
      const [shop] = open(account, at, [marketplaceId]);
      const lane = shop?.lanes.find(({ product }) => product.sku === sku);
      if (!shop || !lane) return false;
      const booked = stockAt(lane, at).books.fulfillable;
      lane.offers.push({
        at,
        ...(price === undefined ? {} : { price: parseAmount(price, shop.market.currency) }),
        ...(quantity === undefined ? {} : { quantity: { stated: quantity, booked } }),
      });
      return true;
    },

    confirmPackage(account, orderId, said, at) {
      const order = open(account, at)
        .map((shop) => shop.orderById.get(orderId))
        .find((one) => one !== undefined);
      return order !== undefined && order.purchasedAt <= at && confirm(order, said, at);
    },

    announceInbound(account, marketplaceId, said, at) {
      const [shop] = open(account, at, [marketplaceId]);
      if (!shop) return false;
      announce(shop, said, at);
      catchUp(shop);
      return true;
    },

    inboundReceived(account, marketplaceId, reference, now) {
      const [shop] = open(account, now, [marketplaceId]);
      const delivery = shop?.announced.get(reference);
      return delivery ? receivedBy(delivery, now) : [];
    },

    freeForOutbound(account, marketplaceId, sku, now) {
      const [shop] = open(account, now, [marketplaceId]);
      return shop ? freeAt(shop, sku, now) : 0;
    },

    setAside(account, marketplaceId, said, at) {
      for (const shop of open(account, at, [marketplaceId])) setAside(shop, said, at);
    },

    letGo(account, marketplaceId, reference, shipAt, at) {
      for (const shop of open(account, at, [marketplaceId])) letGo(shop, reference, shipAt, at);
    },

    putBack(account, marketplaceId, reference, at) {
      for (const shop of open(account, at, [marketplaceId])) putBack(shop, reference, at);
    },

    removable(account, marketplaceId, sku, now) {
      const [shop] = open(account, now, [marketplaceId]);
      return shop && removableAt(shop, sku, now);
    },

    remove(account, marketplaceId, said, at) {
      for (const shop of open(account, at, [marketplaceId])) remove(shop, said, at);
    },

    fulfilmentFee(account, marketplaceId, sku, now) {
      const [shop] = open(account, now, [marketplaceId]);
      const lane = shop?.lanes.find(({ product }) => product.sku === sku);
      if (!shop || !lane) return 0;
      const price = priceOn(shop, lane, localDate(shop.market.timeZone, now));
      return fulfilmentFee(shop.market, measuredAt(lane, now), price, now);
    },

    audit(now) {
      return accounts
        .flatMap((account) => open(account, now))
        .flatMap((shop) => [...auditShop(shop, settledBy(shop, now), now), ...auditAds(shop)]);
    },
  };
  return business;
}

/** Closed settlements of a shop, newest first. */
function settledBy(shop: Shop, now: number): SimSettlement[] {
  return settle(shop, now)
    .map((period) => settlementView(shop, period))
    .reverse();
}

function bought(order: { purchasedAt: number }): number {
  return order.purchasedAt;
}
