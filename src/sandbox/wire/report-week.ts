import { DAY, localDate } from '../business/marketplaces.ts';
import type { ReportScope } from './report-types.ts';
import type { World } from './world.ts';

/** First and last business day of a report's period, in the zone of its marketplace. */
export function daysOfPeriod(world: World, { marketplaceIds, from, to }: ReportScope): [first: string, last: string] {
  const { timeZone } = world.marketplace(marketplaceIds[0] ?? '');
  return [localDate(timeZone, from), localDate(timeZone, to - 1)];
}

/** Why brand analytics of weeks cannot be made for a period: weeks run from Sunday to Saturday. Undefined where they can. */
export function notWholeWeek(world: World, scope: ReportScope): string | undefined {
  const [first, last] = daysOfPeriod(world, scope).map((day) => new Date(day));
  const isWeek = first?.getUTCDay() === 0 && last?.getUTCDay() === 6 && last.getTime() - first.getTime() === 6 * DAY;
  return isWeek ? undefined : 'The period must be a week from Sunday to Saturday.';
}
