import { z } from 'zod';
import { PAYLOADS, type Subject } from './kinds.ts';

/** Names are spelled in two ways, by the age of a kind of notification. */
const Envelope = z.object({
  NotificationType: z.string(),
  EventTime: z.iso.datetime({ offset: true }),
  Payload: z.record(z.string(), z.unknown()),
  NotificationMetadata: z.object({
    NotificationId: z.string().min(1).max(200),
    SubscriptionId: z.string().min(1).max(200).optional(),
  }),
});

const LATER = { notificationType: 'NotificationType', eventTime: 'EventTime', payload: 'Payload' } as const;

/** One notification as it is handled. */
export interface Notification {
  id: string;
  type: string;
  eventAt: string;
  /** Absent where the notification names no seller: then its subscription says whom it is about. */
  sellerId: string | undefined;
  subscriptionId: string | undefined;
  /** What it is about: an order, report or feed number, a SKU or ASIN, a state; empty where it says none. */
  subject: string;
  payload: Record<string, unknown>;
}

function firstSpelling(raw: Record<string, unknown>): Record<string, unknown> {
  if ('NotificationType' in raw) return raw;
  const renamed = Object.entries(LATER).map(([from, to]) => [to, raw[from]]);
  const { notificationId, subscriptionId } = (raw.notificationMetadata ?? {}) as Record<string, unknown>;
  return {
    ...Object.fromEntries(renamed),
    NotificationMetadata: { NotificationId: notificationId, SubscriptionId: subscriptionId },
  };
}

/** What an event bus passes on comes in an envelope of its own. */
function withoutBus(raw: Record<string, unknown>): Record<string, unknown> {
  const { detail } = raw;
  return 'detail-type' in raw && typeof detail === 'object' && detail !== null
    ? (detail as Record<string, unknown>)
    : raw;
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

/** By the schema of the kind where it has one here, else by the names that payloads use. */
function subjectOf(type: string, payload: Record<string, unknown>): Subject | undefined {
  const schema = PAYLOADS[type];
  if (schema) return schema.safeParse(payload).data;
  const sellerId = textAt(payload, SELLER);
  return sellerId === undefined ? undefined : { sellerId, subject: textAt(payload, SUBJECT) ?? '' };
}

/** A message of the queue as a notification; undefined for what is none, or says not whom it is about. */
export function readNotification(body: string): Notification | undefined {
  let raw: unknown;
  try {
    raw = JSON.parse(body);
  } catch {
    return undefined;
  }
  if (typeof raw !== 'object' || raw === null) return undefined;
  const parsed = Envelope.safeParse(firstSpelling(withoutBus(raw as Record<string, unknown>)));
  if (!parsed.success) return undefined;
  const { NotificationType: type, EventTime: eventAt, Payload: payload, NotificationMetadata } = parsed.data;
  const about = subjectOf(type, payload);
  const { NotificationId: id, SubscriptionId: subscriptionId } = NotificationMetadata;
  if (!about || (about.sellerId === undefined && subscriptionId === undefined)) return undefined;
  return { id, type, eventAt, sellerId: about.sellerId, subscriptionId, subject: about.subject, payload };
}
