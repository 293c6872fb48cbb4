/** The ledger of Amazon's warehouses: the lane's movements, told per warehouse and disposition. */
import { code, draw } from './draws.ts';
import type { FbaDay, FbaDisposition, FbaMovement } from './fba-types.ts';
import { dayNumber, dayOfNumber, localDate } from './marketplaces.ts';
import type { Lane, LedgerEntry, Shop } from './model.ts';

/** Warehouses of a country: goods arrive in the first, are spread to the second, and come back to the third. */
const CENTRES: Record<string, readonly [string, string, string]> = {
  US: ['ONT8', 'PHX7', 'IND9'],
  CA: ['YYZ4', 'YVR3', 'YOW1'],
  GB: ['BHX4', 'LBA4', 'EUK5'],
  DE: ['DTM2', 'LEJ1', 'HAM2'],
  FR: ['ORY4', 'LIL1', 'LYS1'],
  JP: ['NRT5', 'KIX3', 'HND3'],
};

/** The three warehouses of a shop's country. Throws RangeError for a country without any. */
export function centresOf(shop: Shop): readonly [string, string, string] {
  const found = CENTRES[shop.market.countryCode];
  if (!found) throw new RangeError(`no warehouses in ${shop.market.countryCode}`);
  return found;
}

/** In what state a piece comes back that cannot be sold again: most are damaged, some are defective. */
export function returnDisposition(shop: Shop, orderId: string): FbaDisposition {
  return draw(shop.seed, 'disposition', orderId) < 0.7 ? 'CUSTOMER_DAMAGED' : 'DEFECTIVE';
}

interface Pile {
  disposition: FbaDisposition;
  centre: string;
  quantity: number;
}

type Move = Omit<FbaMovement, 'product' | 'at'>;

/** The walk of one lane. Only what lies in a warehouse is counted here: reserving or booking in moves nothing. */
class Walk {
  readonly moves: FbaMovement[] = [];
  private readonly sellable = new Map<string, number>();
  private readonly unsellable: Pile[] = [];
  private readonly shop: Shop;
  private readonly lane: Lane;

  constructor(shop: Shop, lane: Lane) {
    this.shop = shop;
    this.lane = lane;
  }

  take(entry: LedgerEntry, index: number): void {
    const { kind, quantity, at } = entry;
    const [home, away, desk] = centresOf(this.shop);
    const own = code(10, '0123456789', this.shop.seed, this.lane.key, kind, at, index);
    const told = entry.reference ?? own;
    const add = (move: Partial<Move> & Pick<Move, 'event'>, centre = home) =>
      this.add(at, { reference: own, quantity, centre, disposition: 'SELLABLE', reason: '', ...move });
    if (kind === 'opening' || kind === 'receipt' || kind === 'receiptDamaged') {
      const disposition = kind === 'receiptDamaged' ? 'CARRIER_DAMAGED' : 'SELLABLE';
      add({ event: 'Receipts', reference: entry.reference ?? `FBA15${own}`, disposition }, entry.centre);
    } else if (kind === 'toTransfer')
      this.fromStock(at, quantity, { event: 'WhseTransfers', reference: own, reason: '' });
    else if (kind === 'fromTransfer') add({ event: 'WhseTransfers' }, away);
    else if (kind === 'ship') {
      this.fromStock(at, quantity, { event: 'Shipments', reference: entry.reference ?? own, reason: '' });
    } else if (kind === 'returnSellable') add({ event: 'CustomerReturns', reference: entry.reference ?? own }, desk);
    else if (kind === 'returnUnsellable') {
      const disposition = returnDisposition(this.shop, entry.reference ?? own);
      add({ event: 'CustomerReturns', reference: entry.reference ?? own, disposition }, desk);
    } else if (kind === 'lost') this.fromStock(at, quantity, { event: 'Adjustments', reference: own, reason: 'M' });
    else if (kind === 'found') add({ event: 'Adjustments', reason: 'F' });
    else if (kind === 'damaged') {
      this.fromStock(at, quantity, { event: 'Adjustments', reference: own, reason: 'E' });
      add({ event: 'Adjustments', reason: 'E', disposition: 'WAREHOUSE_DAMAGED' });
    } else if (kind === 'disposed') this.clear(at, quantity, { event: 'Adjustments', reference: told, reason: 'D' });
    else if (kind === 'removed') this.clear(at, quantity, { event: 'VendorReturns', reference: told, reason: '' });
    else if (kind === 'disposedSellable')
      this.fromStock(at, quantity, { event: 'Adjustments', reference: told, reason: 'D' });
    else if (kind === 'removedSellable')
      this.fromStock(at, quantity, { event: 'VendorReturns', reference: told, reason: '' });
  }

  private add(at: number, move: Move): void {
    const { disposition, centre, quantity } = move;
    if (disposition === 'SELLABLE') this.sellable.set(centre, (this.sellable.get(centre) ?? 0) + quantity);
    else if (quantity > 0) this.unsellable.push({ disposition, centre, quantity });
    this.moves.push({ product: this.lane.product, at, ...move });
  }

  /** Takes sellable pieces where most of them lie; from several warehouses if one is not enough. */
  private fromStock(at: number, quantity: number, move: Pick<Move, 'event' | 'reference' | 'reason'>): void {
    let left = quantity;
    const fullest = [...this.sellable].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
    for (const [centre, pieces] of fullest) {
      const taken = Math.min(left, pieces);
      if (taken > 0) this.add(at, { ...move, quantity: -taken, centre, disposition: 'SELLABLE' });
      left -= taken;
    }
    // More than there is: told as it is, so that the audit sees it.
    if (left > 0) this.add(at, { ...move, quantity: -left, centre: centresOf(this.shop)[0], disposition: 'SELLABLE' });
  }

  /** Takes the oldest unsellable pieces, one movement per warehouse and disposition. */
  private clear(at: number, quantity: number, move: Pick<Move, 'event' | 'reference' | 'reason'>): void {
    const taken = new Map<string, Pile>();
    let left = quantity;
    while (left > 0) {
      const [oldest] = this.unsellable;
      if (!oldest) break;
      const pieces = Math.min(left, oldest.quantity);
      const key = `${oldest.disposition} ${oldest.centre}`;
      taken.set(key, { ...oldest, quantity: (taken.get(key)?.quantity ?? 0) + pieces });
      oldest.quantity -= pieces;
      left -= pieces;
      if (oldest.quantity === 0) this.unsellable.shift();
    }
    for (const pile of taken.values()) this.add(at, { ...move, ...pile, quantity: -pile.quantity });
  }
}

/** Warehouse movements of one lane up to `until`, oldest first. */
export function movementsOf(shop: Shop, lane: Lane, until: number): FbaMovement[] {
  const walk = new Walk(shop, lane);
  const past = lane.ledger.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at);
  for (const [index, entry] of past.entries()) walk.take(entry, index);
  return walk.moves;
}

type Column = keyof Pick<
  FbaDay,
  | 'receipts'
  | 'shipments'
  | 'customerReturns'
  | 'vendorReturns'
  | 'transfers'
  | 'found'
  | 'lost'
  | 'damaged'
  | 'disposed'
>;

/** The column of the daily summary that a movement is counted in. */
export function columnOf({ event, reason }: Pick<FbaMovement, 'event' | 'reason'>): Column {
  if (event === 'Receipts') return 'receipts';
  if (event === 'Shipments') return 'shipments';
  if (event === 'CustomerReturns') return 'customerReturns';
  if (event === 'VendorReturns') return 'vendorReturns';
  if (event === 'WhseTransfers') return 'transfers';
  if (reason === 'F') return 'found';
  if (reason === 'M') return 'lost';
  return reason === 'E' ? 'damaged' : 'disposed';
}

function emptyDay(lane: Lane, day: string, disposition: FbaDisposition, start: number, inTransit: number): FbaDay {
  return {
    product: lane.product,
    day,
    disposition,
    start,
    inTransit,
    receipts: 0,
    shipments: 0,
    customerReturns: 0,
    vendorReturns: 0,
    transfers: 0,
    found: 0,
    lost: 0,
    damaged: 0,
    disposed: 0,
    end: start,
  };
}

/** Every business day from the first movement to `until`, per disposition that had or moved something that day. */
export function daysOf(shop: Shop, lane: Lane, until: number): FbaDay[] {
  const zone = shop.market.timeZone;
  const moves = movementsOf(shop, lane, until);
  const [first] = moves;
  if (!first) return [];
  const byDay = Map.groupBy(moves, (move) => localDate(zone, move.at));
  const last = dayNumber(localDate(zone, until));
  const open = new Map<FbaDisposition, { end: number; inTransit: number }>();
  const days: FbaDay[] = [];
  for (let number = dayNumber(localDate(zone, first.at)); number <= last; number += 1) {
    const day = dayOfNumber(number);
    const moved = Map.groupBy(byDay.get(day) ?? [], (move) => move.disposition);
    for (const disposition of new Set([...open.keys(), ...moved.keys()])) {
      const before = open.get(disposition) ?? { end: 0, inTransit: 0 };
      const row = emptyDay(lane, day, disposition, before.end, before.inTransit);
      for (const move of moved.get(disposition) ?? []) {
        row[columnOf(move)] += move.quantity;
        row.end += move.quantity;
      }
      row.inTransit -= row.transfers;
      open.set(disposition, { end: row.end, inTransit: row.inTransit });
      if (row.start !== 0 || row.inTransit !== 0 || moved.has(disposition)) days.push(row);
    }
  }
  return days;
}
