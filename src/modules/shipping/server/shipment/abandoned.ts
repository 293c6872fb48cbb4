import { dayAfter } from '#kit/contract/day.ts';
import type { ClaimWindow } from '../../contract/claim/claim.ts';

/** The marketplace's own words for a shipment that is not at its door yet. */
export const ON_THE_WAY: readonly string[] = ['WORKING', 'READY_TO_SHIP', 'SHIPPED', 'IN_TRANSIT'];

export interface Waiting {
  /** The marketplace's own word. */
  status: string;
  /** Company day on which the shipment was first seen: it was made on it or before. */
  seenOn: string;
  /** Country of the warehouse that it leaves from, where that is known, and of the site, as sites are called. */
  from: string | undefined;
  to: string;
  /** Company day on which the first shipment of its plan was seen at a door; null where none was. */
  firstOn: string | null;
}

type Limits = Pick<ClaimWindow, 'domesticDays' | 'abroadDays' | 'afterFirstDays'>;

/**
 * The day by which a shipment must be at the door, after which Amazon takes it for abandoned (handbook 08, rule 13): so many
 * days after it was made, fewer from the same country, and so many after the first arrival of its plan, whichever comes
 * first. Null where it is there, where no limit is set, or where nobody knows from which country it comes and none of its
 * plan has arrived.
 */
export function arriveBy({ status, seenOn, from, to, firstOn }: Waiting, limits: Limits | undefined): string | null {
  if (!ON_THE_WAY.includes(status) || !limits) return null;
  const made = from === to ? limits.domesticDays : limits.abroadDays;
  const days = [
    ...(from && made ? [dayAfter(seenOn, made)] : []),
    ...(firstOn !== null && limits.afterFirstDays ? [dayAfter(firstOn, limits.afterFirstDays)] : []),
  ];
  return days.sort()[0] ?? null;
}
