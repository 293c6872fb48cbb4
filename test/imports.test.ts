import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { forbiddenImports, placeOf, problemOf } from '../scripts/check-imports.ts';
import { forbiddenTables, foreignTables, tablesOf } from '../scripts/check-tables.ts';

const SRC = fileURLToPath(new URL('../src', import.meta.url));
const needs = new Map([
  ['order', ['identity', 'system', 'marketplace']],
  ['identity', []],
]);

describe('who may import whom', () => {
  test('nothing forbidden is imported anywhere', () => {
    expect(forbiddenImports()).toEqual([]);
  });

  test.each([
    ['kit/contract knows nobody', 'kit/contract/page.ts', 'kit/server/context.ts'],
    ['kit/contract knows no module', 'kit/contract/page.ts', 'modules/order/contract.ts'],
    ['kit/server knows no page', 'kit/server/audit.ts', 'kit/web/session.ts'],
    ['kit/server knows no module', 'kit/server/audit.ts', 'modules/order/server/index.ts'],
    ['kit/web knows no server', 'kit/web/session.ts', 'kit/server/context.ts'],
    ['kit/web knows no business', 'kit/web/session.ts', 'modules/order/contract.ts'],
    ['the shell knows no server', 'shell/main.tsx', 'kit/server/context.ts'],
    ['the shell knows no server of a module', 'shell/main.tsx', 'modules/order/server/index.ts'],
    ['nobody knows the shell', 'modules/order/web/screens/List.tsx', 'shell/tabs.ts'],
    ['kit/web does not know the shell', 'kit/web/session.ts', 'shell/tabs.ts'],
    ['a screen knows no server', 'modules/order/web/screens/List.tsx', 'modules/order/server/index.ts'],
    ['a screen knows no server of the kit', 'modules/order/web/screens/List.tsx', 'kit/server/context.ts'],
    ['a contract knows no server', 'modules/order/contract.ts', 'modules/order/server/list.ts'],
    ['a contract knows no screen', 'modules/order/contract/orders.ts', 'modules/order/web/index.ts'],
    ['no inner file of another module', 'modules/order/server/list.ts', 'modules/marketplace/server/settings.ts'],
    ['no test helper of another module', 'modules/order/server/list.ts', 'modules/marketplace/test/fixtures/build.ts'],
    ['no manifest of another module', 'modules/order/server/list.ts', 'modules/marketplace/module.ts'],
    ['no module that is not named', 'modules/order/server/list.ts', 'modules/profit/server/index.ts'],
    ['no higher module', 'modules/identity/server/login.ts', 'modules/order/contract.ts'],
    ['no composition root', 'modules/order/server/list.ts', 'app/api.ts'],
    ['no composition root in the kit', 'kit/server/audit.ts', 'app/modules.ts'],
    ['the product does not know the sandbox', 'modules/marketplace/server/settings.ts', 'sandbox/index.ts'],
    ['neither does the composition root', 'app/sandbox.ts', 'sandbox/index.ts'],
    ['the sandbox does not know the product', 'sandbox/index.ts', 'kit/contract/decimal.ts'],
    ['nor any module', 'sandbox/wire/orders.ts', 'modules/order/contract.ts'],
    ['not even its tests', 'sandbox/test/wire-sdk.test.ts', 'modules/order/contract.ts'],
  ])('refused: %s', (_name, from, to) => {
    expect(problemOf(from, to, needs)).toBeTypeOf('string');
  });

  test.each([
    ['modules/order/server/list.ts', 'kit/server/context.ts'],
    ['modules/order/server/list.ts', 'modules/order/contract.ts'],
    ['modules/order/server/list.ts', 'modules/marketplace/server/index.ts'],
    ['modules/order/contract.ts', 'modules/marketplace/contract/stores.ts'],
    ['modules/order/web/screens/List.tsx', 'modules/order/contract.ts'],
    ['modules/order/web/screens/List.tsx', 'kit/web/session.ts'],
    ['modules/order/web/screens/List.tsx', 'modules/marketplace/web/index.ts'],
    ['kit/web/session.ts', 'modules/identity/contract/users.ts'],
    ['kit/web/tasks/TaskPanel.tsx', 'modules/system/contract.ts'],
    ['shell/main.tsx', 'modules/identity/web/routes.ts'],
    ['app/modules.ts', 'modules/order/module.ts'],
    ['modules/order/test/story.scenario.test.ts', 'sandbox/index.ts'],
    ['modules/order/test/story.scenario.test.ts', 'modules/profit/server/index.ts'],
    ['sandbox/wire/orders.ts', 'sandbox/business/index.ts'],
  ])('allowed: %s -> %s', (from, to) => {
    expect(problemOf(from, to, needs)).toBeUndefined();
  });

  test('every file of the product has its room', () => {
    const strangers = sources().filter((path) => placeOf(path).room === 'outside');
    expect(strangers).toEqual([]);
  });
});

function sources(): string[] {
  return readdirSync(SRC, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|tsx|sql)$/.test(entry.name))
    .map((entry) => relative(SRC, join(entry.parentPath, entry.name)));
}

describe('who may use whose tables', () => {
  const tables = new Set(['marketplace.store', 'marketplace.sync_cursor', 'order.amazon_order', 'profit.fx_rate']);
  const found = (text: string) => foreignTables('order', text, ['marketplace'], tables);

  test('nothing forbidden is read or written anywhere', () => {
    expect(forbiddenTables()).toEqual([]);
    expect(tablesOf().size).toBeGreaterThan(50);
  });

  test.each([
    ['a table of a module that is not named', 'sql`SELECT rate FROM profit.fx_rate`', 'without naming profit'],
    ['the same, spoken to the query builder', "db.selectFrom('profit.fx_rate as r')", 'without naming profit'],
    ['an inner table of a module that is named', 'sql`JOIN marketplace.sync_cursor AS c`', 'is inner to'],
    ['a write into an open table', 'sql`UPDATE marketplace.store SET name = 1`', 'is written by'],
    ['the same, spoken to the query builder', "db.insertInto('marketplace.store')", 'is written by'],
    ['a delete', 'sql`DELETE FROM marketplace.store`', 'is written by'],
  ])('refused: %s', (_name, text, problem) => {
    expect(found(text)).toEqual([expect.stringContaining(problem)]);
  });

  test.each([
    ['its own table', 'sql`UPDATE "order".amazon_order SET status = 1`'],
    ['an open table of a module that is named', "db.innerJoin('marketplace.store as s')"],
    ['words that are no table', 'profit.rate + orders.profit.fx_rate'],
    ['a table in a comment', '/* profit.fx_rate */ // marketplace.sync_cursor'],
  ])('allowed: %s', (_name, text) => {
    expect(found(text)).toEqual([]);
  });
});

describe('which marketplace the product talks to is configuration alone', () => {
  const HOST = /\b(?:[a-z0-9-]+\.)*(?:amazon|amazonaws|media-amazon|ssl-images-amazon|sellercentral)\.[a-z.]{2,6}\b/gi;
  /** How reports name the place of sale ("Amazon.co.uk"); reference data, and no host that anybody calls. */
  const SALES_CHANNEL =
    /^(?:non-)?amazon\.(?:com|ca|com\.mx|com\.br|co\.uk|de|fr|it|es|nl|com\.be|ie|se|pl|com\.tr|ae|sa|eg|in|co\.za|co\.jp|com\.au|sg)$/i;
  const product = sources().filter((path) => !path.startsWith('sandbox/') && !/(^|\/)test\//.test(path));

  test('no host name of Amazon is compiled in', () => {
    const found = product.flatMap((path) => {
      const text = readFileSync(join(SRC, path), 'utf8');
      const hosts = [...text.matchAll(HOST)].filter(([name]) => !SALES_CHANNEL.test(name));
      const called = [...text.matchAll(/https?:\/\/[^\s'"`]*amazon[^\s'"`]*/gi)];
      return [...hosts, ...called].map(([name]) => `src/${path}: ${name}`);
    });
    expect(product.length).toBeGreaterThan(100);
    expect(found).toEqual([]);
  });

  test('no code branches on the sandbox outside the composition root and its settings', () => {
    const found = product.filter((path) => {
      if (path.startsWith('app/') || path === 'kit/server/config.ts') return false;
      const code = readFileSync(join(SRC, path), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*|--.*/g, '');
      // An embedded page has an attribute of that name.
      return /sandbox(?!=["{])/i.test(code);
    });
    expect(found).toEqual([]);
  });
});
