import type { WaitingRow } from '../../contract/self/rows.ts';

type Goal = Pick<WaitingRow, 'accountId' | 'marketplaceId' | 'country' | 'region' | 'postal'>;

/** As much of a recipient as an order keeps: orders of one key may go to one person, and need not. */
export const recipientOf = ({ accountId, marketplaceId, country, region, postal }: Goal): string =>
  [accountId, marketplaceId, country, region, postal].join(' ');

/** Orders as they go into documents: those of a merged recipient together, each other one by itself. */
export function groupsOf<R extends Goal>(rows: readonly R[], merged: ReadonlySet<string>): R[][] {
  const groups = [...Map.groupBy(rows, recipientOf)];
  return groups.flatMap(([key, mine]) => (merged.has(key) ? [mine] : mine.map((row) => [row])));
}
