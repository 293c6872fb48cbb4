import type { Ctx } from './context.ts';
import { extensionPoint } from './extension.ts';

/** Money that is expected to come in or to go out. Each piece of money is told by one source only. */
export interface CashExpectation {
  /** Unique among those of its source. */
  key: string;
  direction: 'IN' | 'OUT';
  /** Day of the company on which it should move, "yyyy-MM-dd"; one in the past is overdue. Null: nobody agreed on one. */
  day: string | null;
  /** More than 0, decimal text in `currency`. */
  amount: string;
  currency: string;
  /** certain: amount and day are agreed. estimated: one of them is reckoned. */
  certainty: 'certain' | 'estimated';
  /** What it is, in Chinese. */
  title: string;
  /** Number of the document behind it; '' for none. */
  number: string;
  /** Who pays or is paid; '' where nobody is named. */
  party: string;
  /** How its day was found, in Chinese. */
  basis: string;
  /** Whose money it is, where it is that of one store; `key` is "marketplaceId-accountId", null while the site is not known. */
  store?: { key: string | null; name: string; country: string };
  /** The screen of the document, and what it is asked for. */
  to: { path: string; title: string; query: Record<string, string> };
}

/** What a source is asked for. */
export interface CashHorizon {
  /** The company's day today, "yyyy-MM-dd". */
  today: string;
  /** The last day that is looked at; what is expected later may be left out. */
  until: string;
  /** Days that a bank takes for a payout once the marketplace has sent it. */
  bankDays: number;
}

/** Expected money of one kind, which the module that knows it tells. */
export interface CashSource {
  /** e.g. "payable"; unique among all sources. */
  kind: string;
  title: string;
  sort: number;
  /** Who may see it by itself sees it in the forecast, and whoever may not is told that it is missing. */
  permission: string;
  /** Called within a transaction that others read in before and after. */
  expect: (ctx: Ctx, horizon: CashHorizon) => Promise<CashExpectation[]>;
}

/** What the forecast of cash is made of; each module adds what it expects. */
export const cashSources = extensionPoint<CashSource>('kit.cash');
