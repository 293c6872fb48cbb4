/** Groups of financial events: the same periods as settlements, shown while they are open, too. */
import { formatMinor } from './amounts.ts';
import { opaqueId } from './draws.ts';
import { DAY } from './marketplaces.ts';
import type { SettledPeriod, Shop } from './model.ts';
import { eventsBetween, sumOf } from './money.ts';
import { carriedIn, eventGroupId, periodBounds, settle } from './settlements.ts';
import type { SimEventGroup } from './types.ts';

/** From the end of a period until its money is on its way, as the deposit date of settlements says. */
const TRANSFER_AFTER = 2 * DAY;

/** What a period finds when it begins, minor units: the reserve of the one before, or its debt. */
function beginningOf(shop: Shop, number: number): number {
  const before = number > 0 ? shop.settled[number - 1] : undefined;
  if (!before) return 0;
  return before.total < 0 ? before.total : before.reserve;
}

/** How the money of a closed period travels; nothing travels where the seller owes. */
function transferOf(shop: Shop, period: SettledPeriod, now: number): SimEventGroup['transfer'] {
  if (period.total <= 0) return undefined;
  const at = period.endAt + TRANSFER_AFTER;
  if (at > now) return { status: 'Processing' };
  const traceId = opaqueId(shop.seed, 'trace', eventGroupId(shop, period.number)).slice(0, 15).toUpperCase();
  return { status: 'Succeeded', at, traceId, accountTail: '417' };
}

/** All groups of a shop that began by `now`, oldest first; the last is open. The shop must be walked up to `now`. */
export function eventGroupsOf(shop: Shop, now: number): SimEventGroup[] {
  const { currency, marketplaceId } = shop.market;
  const closed = settle(shop, now);
  const base = (number: number) => ({
    account: shop.account,
    marketplaceId,
    groupId: eventGroupId(shop, number),
    currency,
    startAt: periodBounds(shop, number).startAt,
    beginning: formatMinor(beginningOf(shop, number), currency),
  });
  const groups: SimEventGroup[] = closed.map((period) => {
    const transfer = transferOf(shop, period, now);
    return {
      ...base(period.number),
      endAt: period.endAt,
      total: formatMinor(period.total, currency),
      ...(transfer ? { transfer } : {}),
    };
  });
  const number = closed.length;
  const { startAt } = periodBounds(shop, number);
  if (startAt > now) return groups;
  // What is deferred is not part of the balance: it enters with its release.
  const events = [...carriedIn(shop, number), ...eventsBetween(shop, startAt, now + 1)];
  const balance = events.reduce((sum, event) => sum + sumOf(event), 0);
  return [...groups, { ...base(number), total: formatMinor(balance, currency) }];
}
