import { Decimal } from '#kit/contract/decimal.ts';
import type { CallInput, Endpoint, Reply } from '#kit/contract/endpoint.ts';
import type { Person } from './world.ts';

const PAGE_SIZE = 100;

/** An amount with two places; an amount that is not known is NaN, which is like no other. */
export const cents = (amount: string | null): string => new Decimal(amount ?? Number.NaN).toFixed(2);

type RowOf<E extends Endpoint> = Reply<E> extends { records: (infer R)[] } ? R : never;

/** Every row of a list, page by page, as somebody would who turns all of them. */
export async function pages<E extends Endpoint>(person: Person, list: E, filter: object): Promise<RowOf<E>[]> {
  const rows: RowOf<E>[] = [];
  for (let currentpage = 1; ; currentpage += 1) {
    const body = { filter, pagesize: PAGE_SIZE, currentpage };
    const answer = (await person.call(list, { body } as unknown as CallInput<E>)) as {
      records: RowOf<E>[];
      total: number;
    };
    rows.push(...answer.records);
    if (answer.records.length === PAGE_SIZE && rows.length < answer.total) continue;
    if (rows.length !== answer.total) throw new Error(`${list.path}: ${rows.length} rows of ${answer.total}`);
    return rows;
  }
}

/** Sums of rows by a key; sums of nought are left out. */
export function tally<T>(
  rows: readonly T[],
  keyOf: (row: T) => string,
  of: (row: T) => number,
): Record<string, number> {
  const sums = new Map<string, number>();
  for (const row of rows) sums.set(keyOf(row), (sums.get(keyOf(row)) ?? 0) + of(row));
  return Object.fromEntries([...sums].filter(([, value]) => value !== 0));
}
