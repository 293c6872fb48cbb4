import { createBusiness } from '../business/index.ts';
import type { Business, SimAccount } from '../business/types.ts';

export const DAY = 86_400_000;
export const START = Date.UTC(2026, 2, 1);

export function tiny(seed = 'demo-1'): Business {
  return createBusiness({ seed, scenario: 'tiny', startAt: START });
}

export function firstAccount(business: Business): SimAccount {
  const [account] = business.accounts;
  if (!account) throw new Error('a scenario has at least one account');
  return account;
}

/** Everything a business says as of an instant, as one text. */
export function booksOf(business: Business, now: number): string {
  return JSON.stringify(
    business.accounts.map((account) => ({
      orders: business.orders(
        account,
        { marketplaceIds: account.marketplaceIds, by: 'created', from: 0, to: now },
        now,
      ),
      listings: account.marketplaceIds.map((id) => business.listings(account, id, now)),
      stock: account.marketplaceIds.map((id) => business.stock(account, id, now)),
      settlements: business.settlements(account, now),
      transactions: business.transactions(account, { from: 0, to: now }, now),
    })),
  );
}
