import type { SimAccount } from '../business/types.ts';
import type { ReportCommand } from './command-log.ts';
import { reportTypes } from './report-types.ts';
import { accountKey, type World } from './world.ts';

const USUAL_MIN = 30;
const MINUTE_MS = 60_000;

type Asked = Pick<ReportCommand, 'reportType' | 'marketplaceIds' | 'dataStart' | 'dataEnd' | 'reportOptions'>;

/** Both times of analytics are days, and both belong to the period; a report of the present is always about the same. */
function sharesTime(one: Asked, other: Asked): boolean {
  const { maxDays, byDate } = reportTypes[one.reportType] ?? {};
  if (maxDays === undefined) return true;
  if (byDate) return one.dataStart <= other.dataEnd && other.dataStart <= one.dataEnd;
  return one.dataStart < other.dataEnd && other.dataStart < one.dataEnd;
}

const sameSites = (one: Asked, other: Asked) =>
  one.marketplaceIds.length === other.marketplaceIds.length &&
  one.marketplaceIds.every((id) => other.marketplaceIds.includes(id));

/** A report names products by this option alone: of others it is another report. */
const sameProducts = (one: Asked, other: Asked) => one.reportOptions?.asin === other.reportOptions?.asin;

/**
 * Whether a seller's report is asked for again before its type's interval is over: Amazon takes the request and cancels it,
 * and says no reason. Reported by sellers of reports that were asked for "too often"; the reference names the intervals (half
 * an hour; four hours for those that are made a few times a day). What Amazon takes for the same report it does not say: here
 * it is one of the same sites about some of the same time. Intervals shrink as the rates grow.
 */
export function isTooSoon(world: World, account: SimAccount, asked: Asked): boolean {
  const minutes = reportTypes[asked.reportType]?.intervalMin ?? USUAL_MIN;
  const since = world.throttleClock.now() - (minutes * MINUTE_MS) / world.throttle.rateFactor;
  return world.reports.some(
    (known) =>
      known.askedAt > since &&
      known.reportType === asked.reportType &&
      known.fate !== 'CANCELLED' &&
      !known.cancelled &&
      accountKey(known) === accountKey(account) &&
      sameSites(known, asked) &&
      sameProducts(known, asked) &&
      sharesTime(known, asked),
  );
}
