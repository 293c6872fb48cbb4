import { event } from '#kit/server/events.ts';

/** Returns of an account, to Amazon or to the seller, of some days (YYYY-MM-DD, of their marketplaces) were told anew. */
export const returnsTouched = event<{ accountId: string; from: string; to: string }>('inventory.returnsTouched');
