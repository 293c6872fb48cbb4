import type { FactColumn } from './def.ts';

type Make<T> = <Row>(name: string, of: (row: Row) => T, key?: boolean) => FactColumn<Row>;

const column =
  <T extends string | number | null>(type: FactColumn<never>['type']): Make<T> =>
  (name, of, key = false) => ({ name, type, of, key });

/** Columns of a fact table by their type; `key` makes one a part of the natural key. */
export const text = column<string>('text');
export const int = column<number | null>('int');
export const instant = column<string | null>('timestamptz');
export const day = column<string | null>('date');
export const money = column<string | null>('numeric');

/** What a row consists of, as JSON; always in the same order, as rows are compared by it. */
export const parts = <Row>(name: string, of: (row: Row) => readonly unknown[]): FactColumn<Row> => ({
  name,
  type: 'jsonb',
  of: (row) => JSON.stringify(of(row)),
});
