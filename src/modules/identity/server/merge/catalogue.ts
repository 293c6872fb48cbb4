import type pg from 'pg';

export interface UniqueKey {
  /** Its columns but company_id. */
  columns: string[];
  /** Condition of a partial index, in terms of the table's columns. */
  predicate: string | null;
  nullsEqual: boolean;
}

export interface Reference {
  /** Quoted "schema.table". */
  to: string;
  /** Columns that may be emptied to let go of the other row; empty where none may. */
  nullable: string[];
  /** Its columns but company_id. */
  columns: string[];
}

/** A table with rows of companies. */
export interface TenantTable {
  /** As modules write it: "order.amazon_order". */
  name: string;
  /** As SQL writes it: "\"order\".amazon_order". */
  quoted: string;
  /** Unquoted, without generated ones. */
  columns: string[];
  /** The application may delete from it, or insert into it, without the functions that do so for a move. */
  deletable: boolean;
  insertable: boolean;
  /** Keys by which rows of two companies can get into each other's way. */
  keys: UniqueKey[];
  references: Reference[];
}

const TABLES = `
  SELECT c.oid::regclass::text AS quoted, n.nspname || '.' || c.relname AS name,
         has_table_privilege(c.oid, 'DELETE') AS deletable, has_table_privilege(c.oid, 'INSERT') AS insertable,
         (SELECT array_agg(a.attname ORDER BY a.attnum) FROM pg_attribute a
           WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '')::text[] AS columns
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
   WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relpersistence = 'p' AND c.relrowsecurity
     AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'company_id' AND NOT a.attisdropped)
   ORDER BY 2`;

// Ids are made by chance and never shared between companies: a key with one in it cannot meet its like elsewhere.
const KEYS = `
  SELECT i.indrelid::regclass::text AS quoted, pg_get_expr(i.indpred, i.indrelid) AS predicate,
         i.indnullsnotdistinct AS nulls_equal,
         array_agg(quote_ident(a.attname) ORDER BY k.ord) FILTER (WHERE a.attname <> 'company_id') AS columns
    FROM pg_index i
    CROSS JOIN LATERAL unnest(i.indkey::int2[]) WITH ORDINALITY AS k(attnum, ord)
    JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
   WHERE i.indisunique AND i.indexprs IS NULL AND k.ord <= i.indnkeyatts
   GROUP BY i.indexrelid, i.indrelid, i.indpred, i.indnullsnotdistinct
  HAVING bool_or(a.attname = 'company_id')
     AND NOT bool_or(a.atttypid = 'uuid'::regtype AND a.attnotnull AND a.attname <> 'company_id')
   ORDER BY array_agg(a.attname ORDER BY k.ord)`;

const REFERENCES = `
  SELECT f.conrelid::regclass::text AS quoted, f.confrelid::regclass::text AS to,
         coalesce(array_agg(quote_ident(a.attname)) FILTER (WHERE a.attname <> 'company_id'), '{}')::text[] AS columns,
         coalesce(array_agg(quote_ident(a.attname)) FILTER (WHERE NOT a.attnotnull), '{}')::text[] AS nullable
    FROM pg_constraint f
    CROSS JOIN LATERAL unnest(f.conkey) AS k(attnum)
    JOIN pg_attribute a ON a.attrelid = f.conrelid AND a.attnum = k.attnum
   WHERE f.contype = 'f' AND f.conparentid = 0
   GROUP BY f.oid, f.conrelid, f.confrelid`;

interface KeyRow {
  quoted: string;
  predicate: string | null;
  nulls_equal: boolean;
  columns: string[] | null;
}

/** Every table with rows of companies, as the database itself describes them: what is added later moves as well. */
export async function tenantTables(client: pg.PoolClient): Promise<TenantTable[]> {
  const tables = await client.query<Omit<TenantTable, 'keys' | 'references'>>(TABLES);
  const keys = await client.query<KeyRow>(KEYS);
  const references = await client.query<Reference & { quoted: string }>(REFERENCES);
  return tables.rows.map((table) => ({
    ...table,
    keys: keys.rows
      .filter((key) => key.quoted === table.quoted)
      .map(({ columns, predicate, nulls_equal }) => ({ columns: columns ?? [], predicate, nullsEqual: nulls_equal })),
    references: references.rows.filter((reference) => reference.quoted === table.quoted),
  }));
}

/** Tables in an order in which each comes after those that its rows refer to. Throws where they refer in a circle. */
export function parentsFirst(tables: readonly TenantTable[]): TenantTable[] {
  const byName = new Map(tables.map((table) => [table.quoted, table]));
  const state = new Map<string, 'open' | 'done'>();
  const ordered: TenantTable[] = [];
  const visit = (table: TenantTable) => {
    if (state.get(table.quoted) === 'done') return;
    if (state.get(table.quoted) === 'open') throw new Error(`tables refer to each other in a circle: ${table.name}`);
    state.set(table.quoted, 'open');
    for (const { to } of table.references) {
      const parent = byName.get(to);
      // A table may refer to itself: one statement moves all of its rows.
      if (parent && parent !== table) visit(parent);
    }
    state.set(table.quoted, 'done');
    ordered.push(table);
  };
  for (const table of tables) visit(table);
  return ordered;
}
