import { allocate, Decimal, sum } from '#kit/contract/decimal.ts';

/** Key that sorts as the places do: of equal remainders the lower line gets the cent. */
const keyOf = (index: number) => String(index).padStart(6, '0');

/**
 * Shares an amount over weights in the order of their lines, so that the shares add up to it to the last unit: cut to `scale`
 * places, what is left goes to the largest remainders, of equal ones to the lower line (handbook of shipping 5.6, E4). An
 * amount of 0 is 0 for all. @throws RangeError where all weights are 0: there is nothing to share by
 */
export function shareOver(total: string, weights: readonly string[], scale: number): string[] {
  if (new Decimal(total).isZero()) return weights.map(() => '0');
  const parts = allocate(total, new Map(weights.map((weight, index) => [keyOf(index), weight])), scale);
  if (!parts) throw new RangeError('nothing to share by');
  return [...parts.values()];
}

/** A move of an order's dispatch: pieces of one product of a line, in one lot. */
export interface ShippedMove {
  /** Place in the posting, from 0. */
  move: number;
  line: string;
  /** What it counts for within its line. */
  weight: string;
}

/** A share as it stands: of a line, by the move that took its pieces; no move where none of our stock moved. CNY. */
export interface Share {
  line: string;
  move: number | null;
  amount: string;
}

/** The share of each line over the moves that took its pieces, to four places as layers are kept. */
export function spread(shares: readonly { line: string; amount: string }[], moves: readonly ShippedMove[]): Share[] {
  return shares.flatMap(({ line, amount }): Share[] => {
    const mine = moves.filter((one) => one.line === line);
    if (mine.length === 0) return [{ line, move: null, amount }];
    const parts = shareOver(
      amount,
      mine.map((one) => one.weight),
      4,
    );
    return mine.map(({ move }, index) => ({ line, move, amount: parts[index] ?? '0' }));
  });
}

/** What has to be added to shares as they stand to make them those that are wanted; what stays as it is is left out. */
export function changes(wanted: readonly Share[], before: readonly Share[]): Share[] {
  const nameOf = ({ line, move }: Share) => `${line} ${move ?? ''}`;
  const sums = new Map<string, Share>();
  const put = (share: Share, amount: string) => {
    const known = sums.get(nameOf(share))?.amount ?? '0';
    sums.set(nameOf(share), { ...share, amount: sum([known, amount]) });
  };
  for (const share of wanted) put(share, share.amount);
  for (const share of before) put(share, new Decimal(share.amount).negated().toFixed());
  return [...sums.values()].filter(({ amount }) => !new Decimal(amount).isZero());
}
