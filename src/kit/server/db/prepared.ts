import type pg from 'pg';

/** A connection keeps what it prepared until it ends, so there is an end to how much that can be. */
const MOST = 600;
const LONGEST = 3000;
/** Lists of values in the text make another statement of each length; `*` changes its meaning with the table. */
const VARYING = /\bin \(\$\d+, |\), \(|\*(?=\s|,|$)/i;

/**
 * Gives statements the names under which connections prepare them: a name for each of the first `most` texts,
 * undefined for one that came later or that is not sent often enough in these words.
 */
export function statementNames(most: number): (text: string) => string | undefined {
  const names = new Map<string, string>();
  return (text) => {
    const known = names.get(text);
    if (known !== undefined) return known;
    if (names.size >= most || text.length > LONGEST || VARYING.test(text)) return undefined;
    const name = `erp${names.size + 1}`;
    names.set(text, name);
    return name;
  };
}

const statementName = statementNames(MOST);

/**
 * Queries of a connection whose statements are parsed and planned once: half of what a short statement costs the database.
 * PostgreSQL plans the first five for their values and keeps a general plan only where that is no dearer. Meant for calls
 * that write single documents by their keys, not for lists, whose best plan depends on the filter.
 */
export function preparing(client: pg.PoolClient | pg.Client) {
  return (text: unknown, values?: unknown) => {
    const name =
      typeof text === 'string' && Array.isArray(values) && values.length > 0 ? statementName(text) : undefined;
    // biome-ignore lint/suspicious/noExplicitAny: the driver tells its many ways to be called apart by their values
    const query = client.query.bind(client) as any;
    return name === undefined ? query(text, values) : query({ name, text, values });
  };
}
