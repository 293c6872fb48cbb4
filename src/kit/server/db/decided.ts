import { type RawBuilder, sql } from 'kysely';

export interface Decided {
  /** `a, b` for the column list of an INSERT. */
  columns: RawBuilder<unknown>;
  /** `k.a, k.b`: what is known of the row. */
  known: RawBuilder<unknown>;
  /** `n.a, n.b`: what was decided. */
  next: RawBuilder<unknown>;
  /** `expression AS a, …` for `CROSS JOIN LATERAL (SELECT …) AS n`. */
  decided: RawBuilder<unknown>;
  /** `a = excluded.a, …` for ON CONFLICT DO UPDATE. */
  assigned: RawBuilder<unknown>;
}

/**
 * The pieces of a merge of staged rows (`s`) with known ones (`k`): for each column the expression that decides its next
 * value. `also` are columns that are taken over as they come. Trusts its input: names and SQL of the source code only.
 */
export function decidedColumns(expressions: Readonly<Record<string, string>>, also: readonly string[] = []): Decided {
  const names = Object.keys(expressions);
  const listed = (write: (name: string) => string) => sql.raw(names.map(write).join(', '));
  return {
    columns: listed((name) => name),
    known: listed((name) => `k.${name}`),
    next: listed((name) => `n.${name}`),
    decided: listed((name) => `${expressions[name]} AS ${name}`),
    assigned: sql.raw([...also, ...names].map((name) => `${name} = excluded.${name}`).join(', ')),
  };
}
