/** Books that keep balances; of the others only entries are kept, they are the world outside. */
export type OwnBook = 'ACCOUNT' | 'PAYABLE' | 'PREPAID' | 'RECEIVABLE';
export type OutsideBook = 'INCOME' | 'EXPENSE' | 'GOODS' | 'EXCHANGE' | 'OPENING' | 'GAIN';
export type ItemBook = Exclude<OwnBook, 'ACCOUNT'>;

/** What an entry was for, where nobody chose a category. */
export type Purpose =
  | 'OPENING'
  | 'MANUAL'
  | 'TRANSFER'
  | 'FEE'
  | 'EXCHANGE'
  | 'PURCHASE'
  | 'DEPOSIT'
  | 'REFUND'
  | 'RAISE'
  | 'CREDIT'
  | 'SETTLE'
  | 'LOAN'
  | 'ON_BEHALF'
  | 'COST'
  | 'GAIN';

export type ItemKind =
  | 'GOODS'
  | 'FREIGHT'
  | 'LATE'
  | 'FEE'
  | 'DEPOSIT'
  | 'CREDIT'
  | 'LOAN'
  | 'ON_BEHALF'
  | 'COST'
  | 'OPENING'
  | 'OTHER';

/** Whom money is owed to or by: a supplier of the supplier module, or a partner kept here (往来单位). */
export interface Party {
  kind: 'SUPPLIER' | 'PARTNER';
  id: string;
}

/** The order or document that a debt belongs to. */
export interface Subject {
  /** e.g. 'purchase.order' */
  type: string;
  id: string;
  number: string;
}

/** One line of a posting. + is what the company has or is owed, − what it owes; all lines add up to 0 per currency. */
export interface Line {
  book: OwnBook | OutsideBook;
  /** The cash account or the open item; for own books only. */
  item?: string | undefined;
  currency: string;
  /** Exact decimal text in the scale of the currency, not 0. */
  amount: string;
  /** What the amount is worth in CNY, with its sign; for other currencies where the posting closes in CNY, see base.ts. */
  base?: string | undefined;
  purpose: Purpose;
  category?: string | undefined;
  memo?: string | undefined;
}

/** An open item that comes to be with a posting; a line of the posting carries its amount. */
export interface NewItem {
  id: string;
  book: ItemBook;
  kind: ItemKind;
  party: Party;
  subject?: Subject | undefined;
  title: string;
  currency: string;
  /** More than 0, whatever the book. */
  amount: string;
  dueOn?: string | undefined;
  /** CNY for one unit as it was booked or paid; for other currencies. */
  rate?: string | undefined;
  /** What it is booked with in CNY, 0 or more; for other currencies. */
  base?: string | undefined;
}

/** The event of a document that is posted. `type`, `id`, `event` and `seq` together are its key: it is posted once. */
export interface Source {
  type: string;
  id: string;
  event: string;
  /** Which time, for events that happen more than once to a document; 0 where left out. */
  seq?: number | undefined;
  /** What people call the document. */
  number: string;
}

export interface Posting {
  source: Source;
  /** What happened, as the journal shows it. */
  title: string;
  lines: readonly Line[];
  items?: readonly NewItem[] | undefined;
  /** yyyy-MM-dd, the company's; today where left out; its month must be open. */
  day?: string | undefined;
  note?: string | undefined;
}

/** `repeated`: the event was posted before and nothing has changed. */
export interface Posted {
  id: string;
  repeated: boolean;
}
