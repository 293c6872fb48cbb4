import { Decimal, sum } from '#kit/contract/decimal.ts';
import { crossed, evenParts, monthsFrom, parted } from '../contract/spread.ts';

/** What one bearer has of one type in one month; decimal text in CNY, more than 0. */
export interface Cell {
  /** yyyy-MM */
  month: string;
  feeType: string;
  /** Place of the share that bears it. */
  share: number;
  amount: string;
}

interface Spread {
  spentOn: string;
  months: number;
  /** What all of it came to in CNY, two decimals. */
  amountCny: string;
  lines: readonly { feeType: string; amount: string }[];
  /** Amounts of who bears it; one for what the company bears. */
  shares: readonly string[];
}

/** Amounts of an expense by type, in the order of their first lines. */
export function byType(lines: Spread['lines']): { feeType: string; amount: string }[] {
  const types = new Map<string, string>();
  for (const { feeType, amount } of lines) types.set(feeType, sum([types.get(feeType) ?? '0', amount]));
  return [...types].map(([feeType, amount]) => ({ feeType, amount }));
}

/**
 * Shares an expense over months, bearers and types so that each month has its even part (the first ones take the cents that are
 * left over), each bearer and each type what it has of the whole, and no cent is lost. Cells of nothing are left out.
 */
export function spread({ spentOn, months, amountCny, lines, shares }: Spread): Cell[] {
  const types = byType(lines);
  const ofMonths = evenParts(amountCny, months, 'CNY');
  const ofShares = parted(amountCny, shares, 'CNY');
  const ofTypes = parted(
    amountCny,
    types.map(({ amount }) => amount),
    'CNY',
  );
  const bearers = crossed(ofMonths, ofShares, 'CNY');
  const cells = crossed(bearers.flat(), ofTypes, 'CNY');
  return monthsFrom(spentOn, months).flatMap((month, at) =>
    shares.flatMap((_, share) =>
      types.flatMap(({ feeType }, type) => {
        const amount = cells[at * shares.length + share]?.[type] ?? '0';
        return new Decimal(amount).isZero() ? [] : [{ month, feeType, share, amount }];
      }),
    ),
  );
}
