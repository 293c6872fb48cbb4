import type { Ctx } from './context.ts';
import { extensionPoint } from './extension.ts';

/** One thing that a month's closing asks for. */
export interface MonthEndCheck {
  /** As it should be, in Chinese: 「全部凭证已过账」. */
  title: string;
  /** done: it is so. warn: it may stay as it is. block: the ledger is not closed with it. */
  tone: 'done' | 'warn' | 'block';
  /** What is missing, in Chinese; '' where nothing is. */
  detail: string;
  /** The screen that shows what is missing, and what it is asked for. */
  to?: { path: string; title: string; query: Record<string, string> };
}

/** A ledger that is closed by month, or whose documents belong to one. */
export interface MonthEndLedger {
  title: string;
  sort: number;
  /** Who sees its screen sees it in the list. */
  permission: string;
  /** Where it is closed, or where its documents are. */
  screen: { path: string; title: string };
  /** How a month "yyyy-MM" stands; NONE where the ledger itself is not closed. */
  read: (ctx: Ctx, month: string) => Promise<{ state: 'OPEN' | 'CLOSED' | 'NONE'; checks: MonthEndCheck[] }>;
}

/** What the list of a month's end is made of; each module adds its ledger. */
export const monthEndLedgers = extensionPoint<MonthEndLedger>('kit.monthEnd');

/** A check that nothing of a kind is left over; `words` say what is where `count` of them are. */
export function noneLeft(
  title: string,
  count: number,
  words: { detail: string; tone?: 'warn' | 'block'; to?: MonthEndCheck['to'] },
): MonthEndCheck {
  if (count === 0) return { title, tone: 'done', detail: '' };
  return { title, tone: words.tone ?? 'warn', detail: words.detail, ...(words.to ? { to: words.to } : {}) };
}
