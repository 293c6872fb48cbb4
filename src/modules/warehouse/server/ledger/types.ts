import type { CostComponents, Outside, StockStatus } from '../../contract/stock.ts';

/** A place of our own. Left out, the location is the warehouse's STAGING and the lot is the product's default lot. */
export interface Place {
  warehouse: string;
  status: StockStatus;
  location?: string | undefined;
  lot?: string | undefined;
}

/** A place of our own, or the part of the world that the pieces come from or go to. */
export type Side = Place | Outside;

interface Stated {
  /** yyyy-MM-dd of the first receipt, where it is older than the posting; ages are counted from it. */
  firstDay?: string | undefined;
  /** ESTIMATED until the bill is there. */
  state?: 'ESTIMATED' | 'FINAL' | undefined;
  /** What the value is made of; left out, all of it is purchase. */
  components?: CostComponents | undefined;
}

/**
 * What pieces that come in from outside are worth, in CNY. Pieces that move inside the company take their layers with
 * them and have no say. Left out: what the last layer of the product cost a piece, ESTIMATED.
 */
export type Cost =
  /** Value of all pieces of the move, up to 4 decimals. */
  | ({ value: string } & Stated)
  /** Value of one piece; all pieces together are rounded half up to 4 decimals. */
  | ({ unit: string } & Stated)
  /** Takes over the layers, with value and age, of the moves that leave in the same `group`; as many pieces. */
  | { carry: true }
  /** The value that left in the same `group` plus `plus`, shared among the moves that do so by `weight` (pieces). */
  | { sum: true; plus?: string; weight?: string };

/** Pieces of one product from one side to another. */
export interface Move {
  product: string;
  /** Whole pieces, more than 0. */
  qty: number;
  from: Side;
  to: Side;
  cost?: Cost | undefined;
  /** Ties moves of one posting together for `carry` and `sum`; any number above 0. */
  group?: number | undefined;
  /** Needed where either side is RESERVED: whose pieces they are. */
  reservation?: string | undefined;
}

/** The event of a document that is posted. It is posted once: `type`, `id`, `event` and `seq` together are its key. */
export interface Source {
  /** e.g. 'warehouse.inbound' */
  type: string;
  id: string;
  /** e.g. 'receive' */
  event: string;
  /** Which time, for events that happen more than once to a document; 0 where left out. */
  seq?: number | undefined;
  /** What people call the document: stands in every list and every refusal. */
  number: string;
}

export interface Posting {
  source: Source;
  moves: readonly Move[];
  /** yyyy-MM-dd, the company's; today where left out. An earlier day asks for the right to backdate. */
  day?: string | undefined;
  note?: string | undefined;
}

export interface Posted {
  id: string;
  /** The event had been posted before: nothing was changed, and `id` is that posting. */
  repeated: boolean;
}
