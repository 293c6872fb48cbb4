import { dayAfter } from '#kit/contract/day.ts';

const US = 'ATVPDKIKX0DER';
/** Days after a shipment was made in which it must arrive (US policy; handbook, rule 13). */
const DOMESTIC = 45;
const ABROAD = 75;

const ON_THE_WAY: readonly string[] = ['WORKING', 'READY_TO_SHIP', 'SHIPPED', 'IN_TRANSIT'];

interface Waiting {
  marketplaceId: string;
  /** The marketplace's own word. */
  status: string;
  /** Company day on which the shipment was first seen: it was made on it or before. */
  seenOn: string;
  /** ISO country of the warehouse that it leaves from, where that is known. */
  from: string | undefined;
}

/**
 * The day by which a shipment must be at the door, after which Amazon takes it for abandoned; null where it is there, where
 * the policy does not hold, or where nobody knows from which country it comes.
 */
export function arriveBy({ marketplaceId, status, seenOn, from }: Waiting): string | null {
  if (marketplaceId !== US || !ON_THE_WAY.includes(status) || !from) return null;
  return dayAfter(seenOn, from === 'US' ? DOMESTIC : ABROAD);
}
