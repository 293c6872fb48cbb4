import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { AccountRef } from '#modules/marketplace/server/index.ts';

/** Characters that Amazon takes in a list of ASINs with blanks between: 18 of them. */
const LONGEST_LIST = 200;

/** Texts of names with blanks between, each as long as Amazon takes it, in the order given. */
export function listsOf(asins: readonly string[], longest = LONGEST_LIST): string[] {
  const lists: string[] = [];
  for (const asin of asins) {
    const last = lists.at(-1);
    if (last !== undefined && last.length + 1 + asin.length <= longest) lists[lists.length - 1] = `${last} ${asin}`;
    else lists.push(asin);
  }
  return lists;
}

/**
 * ASINs of what an account sells in some marketplaces, as lists that a report can name. In the order in which they came here,
 * so that a new product changes no list but the last: a list that was asked for stays the same list.
 */
export async function asinLists(ctx: Ctx, account: AccountRef, marketplaceIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ asin: string }>`
    SELECT asin FROM listing.product
     WHERE company_id = ${ctx.companyId} AND account_id = ${account.id} AND marketplace_id = ANY (${[...marketplaceIds]})
       AND state = 'ACTIVE' AND asin ~ '^[A-Z0-9]{10}$'
     GROUP BY asin ORDER BY min(listing_id::text), asin`.execute(ctx.db);
  return listsOf(rows.map(({ asin }) => asin));
}
