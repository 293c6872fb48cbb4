/** Returns, reimbursements and removals as Amazon's warehouses report them, read off the shop's books. */
import { formatMinor, parseMinor } from './amounts.ts';
import { MISSING_FROM_INBOUND, REMOVAL_HANDLING } from './charges.ts';
import { code, draw } from './draws.ts';
import { centresOf, daysOf, movementsOf, returnDisposition } from './fba-ledger.ts';
import type { FbaBooks, FbaMovement, FbaReimbursement, FbaRemoval, FbaReturn } from './fba-types.ts';
import { scheduleOf } from './fees.ts';
import { localDate } from './marketplaces.ts';
import type { Lane, Removal, Shop } from './model.ts';

const ALPHABET = '0123456789BCDFGHJKLMNPQRSTVWXZ';
const REASONS = ['NOT_AS_DESCRIBED', 'UNWANTED_ITEM', 'ORDERED_WRONG_ITEM', 'QUALITY_UNACCEPTABLE', 'NO_REASON_GIVEN'];
const BROKEN = ['DEFECTIVE', 'DAMAGED_BY_CARRIER', 'MISSING_PARTS'];

function reasonOf(shop: Shop, orderId: string, sellable: boolean): string {
  const list = sellable ? REASONS : BROKEN;
  return list[Math.floor(draw(shop.seed, 'return-reason', orderId) * list.length)] ?? 'UNWANTED_ITEM';
}

/** Pieces that came back by `until`: what buyers kept never did, and merchants take back their own. */
function returnsOf(shop: Shop, until: number): FbaReturn[] {
  return shop.orders.flatMap((order) => {
    const { refund } = order;
    if (!refund || refund.at > until || refund.fate === 'KEPT' || order.fulfilment !== 'AFN') return [];
    const sellable = refund.fate === 'SELLABLE';
    return Array.from({ length: refund.quantity }, (_, piece) => ({
      product: refund.line.lane.product,
      at: refund.at,
      orderId: order.id,
      centre: centresOf(shop)[2],
      disposition: sellable ? ('SELLABLE' as const) : returnDisposition(shop, order.id),
      reason: reasonOf(shop, order.id, sellable),
      plate: `LPN${code(10, ALPHABET, 'plate', order.id, piece)}`,
    }));
  });
}

function reimbursementsOf(shop: Shop, until: number): FbaReimbursement[] {
  const { currency } = shop.market;
  return shop.charges.flatMap((charge) => {
    const { lane, reference, quantity = 1 } = charge;
    if (charge.amountType !== 'FBA Inventory Reimbursement' || charge.postedAt > until || !lane || !reference)
      return [];
    return {
      product: lane.product,
      at: charge.postedAt,
      reimbursementId: reference,
      caseId: '',
      reason: charge.amountDescription === MISSING_FROM_INBOUND ? 'Lost_Inbound' : 'Lost_Warehouse',
      quantity,
      amountPerUnit: formatMinor(charge.amount / quantity, currency),
      amount: formatMinor(charge.amount, currency),
    };
  });
}

/** Lines of removal orders: one per SKU and disposition. Orders of a day are one order of each type. */
function removalsOf(shop: Shop, lane: Lane, until: number): FbaRemoval[] {
  const { disposal } = scheduleOf(shop.market.countryCode);
  const { currency, timeZone } = shop.market;
  const priced = (move: FbaMovement) => ({
    product: lane.product,
    doneAt: move.at <= until ? move.at : undefined,
    disposition: move.disposition,
    quantity: -move.quantity,
    fee: formatMinor(-move.quantity * disposal, currency),
  });
  const line = (move: FbaMovement, type: FbaRemoval['type']): FbaRemoval => {
    const requestedAt = type === 'Return' ? move.at - REMOVAL_HANDLING : move.at;
    const key = [
      shop.seed,
      shop.account.sellingPartnerId,
      shop.market.countryCode,
      type,
      localDate(timeZone, requestedAt),
    ];
    return {
      ...priced(move),
      orderId: code(10, ALPHABET, 'removal', ...key),
      type,
      requestedAt,
      carrier: type === 'Return' ? 'UPS_GR' : '',
      tracking: type === 'Return' ? `1Z${code(16, ALPHABET, 'removal-parcel', ...key)}` : '',
    };
  };
  /** Of an order of the seller's own: each of its parts is a parcel. */
  const ordered = (move: FbaMovement, { type, at, doneAt }: Removal): FbaRemoval => {
    const key = [shop.seed, shop.account.sellingPartnerId, move.reference, doneAt.indexOf(move.at)];
    const isParcel = type === 'Return';
    return {
      ...priced(move),
      orderId: move.reference,
      type,
      requestedAt: at,
      carrier: isParcel ? 'UPS_GR' : '',
      tracking: isParcel ? `1Z${code(16, ALPHABET, 'removal-parcel', ...key)}` : '',
    };
  };
  // What is being sent back leaves the warehouse later: its movement is looked up ahead of its time.
  return movementsOf(shop, lane, until + REMOVAL_HANDLING)
    .flatMap((move) => {
      const own = shop.removals.get(move.reference);
      if (own) return ordered(move, own);
      if (move.event === 'VendorReturns') return line(move, 'Return');
      return move.reason === 'D' ? line(move, 'Disposal') : [];
    })
    .filter((removal) => removal.requestedAt <= until);
}

/** Lines of one order, SKU, disposition and time are one line, wherever the pieces lay. */
function joined(lines: FbaRemoval[], currency: string): FbaRemoval[] {
  const byKey = Map.groupBy(lines, (one) =>
    [one.orderId, one.product.sku, one.disposition, one.doneAt, one.tracking].join('\t'),
  );
  return [...byKey.values()].flatMap(([first, ...rest]) => {
    if (!first) return [];
    return {
      ...first,
      quantity: rest.reduce((sum, one) => sum + one.quantity, first.quantity),
      fee: formatMinor(
        rest.reduce((sum, one) => sum + parseMinor(one.fee), parseMinor(first.fee)),
        currency,
      ),
    };
  });
}

/** The warehouse books of a shop as of `until`, each worked out when it is first opened. The shop must be walked up to there. */
export function fbaBooks(shop: Shop, until: number): FbaBooks {
  const lanes = shop.lanes.filter(({ product }) => product.fulfilment === 'AFN');
  const early = <T extends { at: number }>(a: T, b: T): number => a.at - b.at;
  return opened({
    movements: () => lanes.flatMap((lane) => movementsOf(shop, lane, until)).sort(early),
    days: () => lanes.flatMap((lane) => daysOf(shop, lane, until)),
    returns: () => returnsOf(shop, until).sort(early),
    reimbursements: () => reimbursementsOf(shop, until).sort(early),
    removals: () =>
      joined(
        lanes.flatMap((lane) => removalsOf(shop, lane, until)),
        shop.market.currency,
      ),
  });
}

/** Books whose pages are written when somebody turns to them, and then stay as they are. */
function opened(written: { [Book in keyof FbaBooks]: () => FbaBooks[Book] }): FbaBooks {
  const books = {} as FbaBooks;
  for (const [book, write] of Object.entries(written)) {
    const keep = (value: unknown) => Object.defineProperty(books, book, { value, enumerable: true });
    Object.defineProperty(books, book, {
      enumerable: true,
      configurable: true,
      get: () => {
        const value = write();
        keep(value);
        return value;
      },
    });
  }
  return books;
}
