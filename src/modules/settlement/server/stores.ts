import { sql } from 'kysely';

/** "marketplaceId-accountId" of the store filter, taken apart; keys that are none are dropped. */
export function storePairs(keys: readonly string[]): { marketplaceId: string; accountId: string }[] {
  return keys.flatMap((key) => {
    const match = /^([A-Z0-9]+)-([0-9a-f-]{36})$/.exec(key);
    return match?.[1] && match[2] ? [{ marketplaceId: match[1], accountId: match[2] }] : [];
  });
}

/** SQL condition that a row belongs to one of the stores; `prefix` is the table's alias. Nothing chosen is no row. */
export function inStores(prefix: string, keys: readonly string[]) {
  const account = sql.ref<string>(`${prefix}.account_id`);
  const marketplace = sql.ref<string>(`${prefix}.marketplace_id`);
  const pairs = storePairs(keys);
  const accounts = pairs.map((pair) => pair.accountId);
  const marketplaces = pairs.map((pair) => pair.marketplaceId);
  return sql<boolean>`(${account}, ${marketplace}) IN
    (SELECT * FROM unnest(${accounts}::uuid[], ${marketplaces}::text[]))`;
}
