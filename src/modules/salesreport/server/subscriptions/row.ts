import type { ViewContent } from '#kit/contract/list-view.ts';
import type { Timing } from '../../contract/subscriptions.ts';

/** A subscription as it is kept; instants are ISO texts. */
export interface SubscriptionRow {
  id: string;
  member_id: string;
  name: string;
  content: ViewContent;
  every: Timing['every'];
  weekday: number;
  month_day: number;
  hour: number;
  recipients: string[];
  is_paused: boolean;
  note: string | null;
  next_due_at: string;
}

export const RESOURCE = 'salesreport.subscription';

export function timingOf({ every, weekday, month_day, hour }: SubscriptionRow): Timing {
  return { every, weekday, monthDay: month_day, hour };
}
