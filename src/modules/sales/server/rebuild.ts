import type { Ctx } from '#kit/server/context.ts';
import { lockStore } from './locks.ts';
import { type Changed, compare, heal } from './merge.ts';
import type { Scope } from './scope.ts';
import { type Rollup, SKU_DAY, SLOT, STORE_DAY } from './tables.ts';

/** What differed from the orders, by table and store day. */
export type Drift = Changed & { table: Rollup['name'] };

const ORDER: readonly Rollup[] = [SKU_DAY, SLOT, STORE_DAY];

function month(accountId: string, marketplaceId: string, yearMonth: string): Scope {
  if (!/^\d{4}-\d{2}$/.test(yearMonth)) throw new Error('a month is written yyyy-MM');
  return {
    on: (alias) =>
      `${alias}.account_id = $2 AND ${alias}.marketplace_id = $3
       AND ${alias}.local_date >= $4::date AND ${alias}.local_date < $4::date + interval '1 month'`,
    values: [accountId, marketplaceId, `${yearMonth}-01`],
  };
}

/** Buckets of some marketplace days ("yyyy-MM-dd") of a store. */
export function daysOf(accountId: string, marketplaceId: string, days: readonly string[]): Scope {
  return {
    on: (alias) =>
      `${alias}.account_id = $2 AND ${alias}.marketplace_id = $3 AND ${alias}.local_date = ANY ($4::date[])`,
    values: [accountId, marketplaceId, days],
  };
}

/** Makes a scope of one store again while nobody else folds that store; the caller's transaction holds the lock. */
export async function remake(ctx: Ctx, accountId: string, marketplaceId: string, scope: Scope): Promise<Drift[]> {
  await lockStore(ctx, accountId, marketplaceId);
  const all: Drift[] = [];
  for (const table of ORDER) {
    for (const changed of await heal(ctx, table, scope)) all.push({ ...changed, table: table.name });
  }
  return all;
}

/**
 * Makes a month ("yyyy-MM") of one store again by the same SQL that folds marks, in the caller's transaction, and
 * returns every row that had to be put right. Orders may arrive meanwhile; their marks are folded afterwards.
 */
export function rebuild(ctx: Ctx, accountId: string, marketplaceId: string, yearMonth: string): Promise<Drift[]> {
  return remake(ctx, accountId, marketplaceId, month(accountId, marketplaceId, yearMonth));
}

/** The same comparison without writing anything. */
export async function compareMonth(
  ctx: Ctx,
  accountId: string,
  marketplaceId: string,
  yearMonth: string,
): Promise<Drift[]> {
  const all: Drift[] = [];
  const scope = month(accountId, marketplaceId, yearMonth);
  for (const table of ORDER) {
    for (const changed of await compare(ctx, table, scope)) all.push({ ...changed, table: table.name });
  }
  return all;
}
