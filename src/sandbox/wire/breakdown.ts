import { sumMoney } from './money.ts';

/** A leaf of a transaction: the names from the root down to itself, and its amount. */
export interface Leaf {
  path: readonly string[];
  amount: string;
}

/** A node as Finances 2024-06-19 nests it; the amount of a parent is the sum of its leaves. */
export interface BreakdownNode {
  breakdownType: string;
  breakdownAmount: { currencyCode: string; currencyAmount: number };
  breakdowns: BreakdownNode[];
}

/**
 * An amount as the API types it: a JSON number. Decimal texts of up to 15 digits survive the way through a binary
 * number unchanged, which covers every amount here; sums are made on the texts before.
 */
export function currencyAmount(amount: string, currencyCode: string): BreakdownNode['breakdownAmount'] {
  return { currencyCode, currencyAmount: Number(amount) };
}

/** The tree over some leaves, in the order in which its branches first appear. */
export function breakdownTree(leaves: readonly Leaf[], currency: string, depth = 0): BreakdownNode[] {
  const branches = Map.groupBy(leaves, (leaf) => leaf.path[depth] ?? '');
  return [...branches.entries()].map(([breakdownType, own]) => ({
    breakdownType,
    breakdownAmount: currencyAmount(sumMoney(own.map((leaf) => leaf.amount)), currency),
    breakdowns: breakdownTree(
      own.filter((leaf) => leaf.path.length > depth + 1),
      currency,
      depth + 1,
    ),
  }));
}
