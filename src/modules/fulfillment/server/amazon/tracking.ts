import type { SpApi } from '#modules/marketplace/server/index.ts';
import { BASE } from './words.ts';

/** What a carrier tells of a package; events the newest first. */
export interface ReadTracking {
  status: string;
  events: { at: string; code: string; words: string }[];
  deliveredAt: string | null;
}

/** Reads where a package is. @throws ApiRefused 404 where Amazon does not know it yet */
export async function readTracking(api: SpApi, packageNumber: number): Promise<ReadTracking> {
  interface Answer {
    payload?: {
      currentStatus?: string;
      trackingEvents?: { eventDate: string; eventCode: string; eventDescription?: string }[];
    };
  }
  const { body } = await api.call<Answer>({
    operation: 'getPackageTrackingDetails',
    method: 'GET',
    path: `${BASE}/tracking`,
    query: { packageNumber },
  });
  const { currentStatus = 'UNKNOWN', trackingEvents = [] } = body.payload ?? {};
  const events = trackingEvents
    .map(({ eventDate, eventCode, eventDescription = '' }) => ({
      at: eventDate,
      code: eventCode,
      words: eventDescription,
    }))
    .sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
  const arrived = events.find(({ code }) => code === 'EVENT_301');
  const deliveredAt = currentStatus === 'DELIVERED' ? (arrived ?? events[0])?.at : undefined;
  return { status: currentStatus, events, deliveredAt: deliveredAt ?? null };
}
