import { z } from 'zod';

/** Names are spelled in two ways, by the age of a kind of notification. */
const Envelope = z.object({
  NotificationType: z.string(),
  EventTime: z.iso.datetime({ offset: true }),
  Payload: z.record(z.string(), z.unknown()),
  NotificationMetadata: z.object({ NotificationId: z.string().min(1).max(200) }),
});

const LATER = { notificationType: 'NotificationType', eventTime: 'EventTime', payload: 'Payload' } as const;

/** One notification as it is handled. */
export interface Notification {
  id: string;
  type: string;
  eventAt: string;
  sellerId: string;
  /** What it is about: an order or report number, or an ASIN; empty where it says none. */
  subject: string;
}

function firstSpelling(raw: Record<string, unknown>): Record<string, unknown> {
  if ('NotificationType' in raw) return raw;
  const renamed = Object.entries(LATER).map(([from, to]) => [to, raw[from]]);
  const { notificationId } = (raw.notificationMetadata ?? {}) as Record<string, unknown>;
  return { ...Object.fromEntries(renamed), NotificationMetadata: { NotificationId: notificationId } };
}

/** The first text under one of some names, however deep. */
function textAt(value: unknown, names: readonly string[]): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, each] of Object.entries(value)) {
    if (names.includes(name) && typeof each === 'string') return each;
    const deeper = textAt(each, names);
    if (deeper !== undefined) return deeper;
  }
  return undefined;
}

const SELLER = ['SellerId', 'sellerId'];
const SUBJECT = ['AmazonOrderId', 'reportId', 'feedId', 'ASIN', 'Sku', 'FNSKU'];

/** A message of the queue as a notification; undefined for what is none, or says not whom it is about. */
export function readNotification(body: string): Notification | undefined {
  let raw: unknown;
  try {
    raw = JSON.parse(body);
  } catch {
    return undefined;
  }
  if (typeof raw !== 'object' || raw === null) return undefined;
  const parsed = Envelope.safeParse(firstSpelling(raw as Record<string, unknown>));
  if (!parsed.success) return undefined;
  const { NotificationType: type, EventTime: eventAt, Payload: payload, NotificationMetadata } = parsed.data;
  const sellerId = textAt(payload, SELLER);
  if (sellerId === undefined) return undefined;
  const subject = textAt(payload, SUBJECT) ?? '';
  return { id: NotificationMetadata.NotificationId, type, eventAt, sellerId, subject };
}
