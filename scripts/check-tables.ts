// Checks who reads whose tables in SQL: a module's own and, of the modules it needs, those that are open to joins.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { needsOf, SRC, sources } from './tree.ts';

/**
 * Tables that modules above may join, because going through a function would read the rows twice. Everything else is
 * reached through the face of its module (`server/index.ts`). Nobody writes into the tables of another module.
 */
const OPEN: readonly string[] = [
  'identity.company',
  'marketplace.store',
  'marketplace.seller_account',
  'marketplace.seller_marketplace',
  'listing.product',
  'inventory.fba_stock',
  'order.amazon_order',
  'order.amazon_order_line',
  'product.local_product',
  'product.brand',
  'product.category',
  'product.listing_cost',
  'product.sku_cost',
  'supplier.supplier',
  'costshare.cost_line',
  'costshare.document',
  'settlement.settlement',
  'settlement.source_doc',
  'settlement.money_line',
  'sales.slot',
  'sales.store_day',
  'sales.sku_day',
];

const CREATED = /CREATE\s+(?:OR\s+REPLACE\s+)?(?:UNLOGGED\s+|MATERIALIZED\s+)?(?:TABLE|VIEW)\s+"?(\w+)"?\.(\w+)/gi;
const WRITES =
  /(?:\bINSERT\s+INTO|\bUPDATE|\bDELETE\s+FROM|\bMERGE\s+INTO|\b(?:insertInto|updateTable|deleteFrom)\(\s*['`])\s*$/i;

/** Tables and views of each module's schema, as "schema.table", from its migrations. */
export function tablesOf(): Set<string> {
  const tables = new Set<string>();
  for (const module of readdirSync(join(SRC, 'modules'))) {
    const files = readdirSync(join(SRC, 'modules', module), { recursive: true, encoding: 'utf8' });
    for (const file of files.filter((name) => name.endsWith('.sql'))) {
      const text = readFileSync(join(SRC, 'modules', module, file), 'utf8');
      for (const [, schema, table] of text.matchAll(CREATED)) tables.add(`${schema}.${table}`);
    }
  }
  return tables;
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*|(?<=^|\s)--\s.*/g, '');
}

/**
 * What a module's server code may not do with tables of others, one line each.
 * @param module the module that the text belongs to
 * @param needs the modules that it names
 * @param tables every known "schema.table"
 */
export function foreignTables(
  module: string,
  text: string,
  needs: readonly string[],
  tables: ReadonlySet<string>,
): string[] {
  const code = withoutComments(text);
  const problems = new Set<string>();
  for (const match of code.matchAll(/(?<![\w.$/])"?(\w+)"?\.(\w+)/g)) {
    const [, schema = '', table = ''] = match;
    const name = `${schema}.${table}`;
    if (schema === module || !tables.has(name)) continue;
    if (WRITES.test(code.slice(0, match.index))) problems.add(`${name} is written by module ${schema} only`);
    else if (!needs.includes(schema))
      problems.add(`module ${module} reads ${name} without naming ${schema} in its needs`);
    else if (!OPEN.includes(name)) problems.add(`${name} is inner to module ${schema}: use its server/index.ts`);
  }
  return [...problems];
}

/** Every forbidden use of a table in the tree, one line each. */
export function forbiddenTables(): string[] {
  const needs = needsOf();
  const tables = tablesOf();
  return sources(join(SRC, 'modules')).flatMap((file) => {
    const path = relative(SRC, file);
    const [, module = '', part] = path.split('/');
    if (part !== 'server') return [];
    const text = readFileSync(file, 'utf8');
    return foreignTables(module, text, needs.get(module) ?? [], tables).map((problem) => `src/${path}: ${problem}`);
  });
}
