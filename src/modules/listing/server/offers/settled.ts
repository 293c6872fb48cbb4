import { event } from '#kit/server/events.ts';

/** Changes of offers came to an end, or are known to hold: confirmed, unconfirmed, refused or cancelled. */
export const offerSettled = event<{ ids: readonly string[]; status: string }>('listing.offerSettled');
