import type { Ctx } from './context.ts';
import { extensionPoint } from './extension.ts';

/** One amount of a business event, on the part of its source that it belongs to. */
export interface LedgerPart {
  /** Key of the source's `parts`. */
  part: string;
  /** What the part is told apart by, e.g. a cash account or a fee code; left out: the part as a whole. */
  variant?: string | undefined;
  /** ISO code of `amount`. */
  currency: string;
  /** Decimal text: + is a debit, − a credit. */
  amount: string;
  /** What it is worth in CNY, with the same sign; left out: at the rate of the event's month. */
  base?: string | undefined;
}

/** A business event as the general ledger books it: its parts add up to nothing. */
export interface LedgerFact {
  /** What it is, for good: the id of a document or event, unique within the source. */
  ref: string;
  /** Company day, yyyy-MM-dd. */
  day: string;
  /** What people call it. */
  number: string;
  /** The document whose page shows it; `path` where that is none of a document, with its query. */
  document?: { type: string; id: string };
  path?: string;
  parts: readonly LedgerPart[];
}

/** What a part is told apart by, and the subject that it stands on where the company says nothing else. */
export interface LedgerVariant {
  key: string;
  title: string;
  /** Code of the 小企业会计准则; '' for that of the part. */
  subject: string;
}

export interface LedgerPartDef {
  title: string;
  /** Code of the 小企业会计准则 that it stands on where the company says nothing else. */
  subject: string;
  /** Money, debts and claims: entries keep the amount in its own currency, and the end of a month values it anew. */
  monetary?: true;
  /** Rounding never touches it: somebody holds this amount against a document. */
  exact?: true;
}

/** Which events become one voucher. */
export type LedgerGrouping = 'DOCUMENT' | 'DAY' | 'MONTH';

/** A part of the business whose events the general ledger books. */
export interface LedgerSource {
  /** Unique, e.g. 'finance.posting'; vouchers keep it. */
  name: string;
  title: string;
  /** What it books, in a sentence. */
  about: string;
  sort: number;
  /** How its events become vouchers where the company says nothing else. */
  by: LedgerGrouping;
  parts: Readonly<Record<string, LedgerPartDef>>;
  /** Part that takes what parts leave over in CNY, e.g. what rates did meanwhile; left out: they must come to nothing. */
  rest?: string;
  /** What parts are told apart by, by the key of the part. */
  variants?: (ctx: Ctx) => Promise<Readonly<Record<string, readonly LedgerVariant[]>>>;
  /** The events of a month (its first day), of the whole company. */
  facts: (ctx: Ctx, month: string) => Promise<LedgerFact[]>;
}

/** Where modules say which of their events the general ledger books. */
export const ledgerSources = extensionPoint<LedgerSource>('kit.ledgerSources');
