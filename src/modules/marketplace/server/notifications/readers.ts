import type { Ctx } from '#kit/server/context.ts';
import { extensionPoint } from '#kit/server/extension.ts';

/** One notification whose payload is a fact in itself. */
export interface ToldFact {
  accountId: string;
  /** When it happened, ISO. */
  eventAt: string;
  payload: unknown;
}

/**
 * Who takes facts from the payload of a kind of notification. They come twice, late and in another order: `read` must be
 * repeatable and leave alone what is older than what is known. Answers in a few Chinese words what followed; undefined for
 * a payload that says nothing usable.
 */
export interface NoticeReader {
  type: string;
  read: (ctx: Ctx, told: ToldFact) => Promise<string | undefined>;
}

export const noticeReaders = extensionPoint<NoticeReader>('marketplace.noticeReaders');
