import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { inSystem, inTenant, systemPrincipal } from '#kit/server/runtime.ts';
import { BrandForm } from '#modules/product/contract/catalogue.ts';
import { saveBrandRow } from '#modules/product/server/catalogue/brands.ts';
import { tabsOf } from '#modules/product/server/catalogue/tabs.ts';
import { learnProducts } from '#modules/product/server/index.ts';
import { insertWarehouse } from '#modules/warehouse/server/base/warehouses.ts';
import { runHealth } from '#modules/warehouse/server/health/run.ts';
import { createWorld, type World } from '#test/support/world.ts';
import { DEMO, ensureDemo } from '../demo.ts';
import { OPERATOR } from '../demo-people.ts';
import { stockDemo } from '../demo-stock.ts';

let world: World;
afterEach(() => world.close());

const logsIn = async (account: string) => {
  const payload = { account, password: DEMO.password };
  const response = await world.app.inject({ method: 'POST', url: '/api/auth/login', payload });
  return response.json<{ code: number }>().code === 201;
};

test('an empty database gets the demo once, and its accounts log in', async () => {
  world = await createWorld();
  expect(await ensureDemo(world.runtime)).toEqual([DEMO.account, OPERATOR.account]);
  expect(await ensureDemo(world.runtime)).toEqual([DEMO.account, OPERATOR.account]);
  expect([await logsIn(DEMO.account), await logsIn(OPERATOR.account)]).toEqual([true, true]);
});

test('a database that people took for their own gets none, and none is announced', async () => {
  world = await createWorld();
  await world.owner('自己的公司');
  expect(await ensureDemo(world.runtime)).toEqual([]);
  expect(await logsIn(DEMO.account)).toBe(false);
});

const COUNTED = [
  'orders',
  'plans',
  'requests',
  'bloc',
  'waiting',
  'described',
  'costs',
  'documents',
  'allDocuments',
  'external',
  'lateCosts',
  'inquiries',
  'imports',
  'settlements',
  'bankLines',
  'unmatched',
  'gains',
  'scores',
] as const;

/** Goods of four kinds in every colour: as many as the demo's documents need. */
const SKUS = ['NQ-DRO-8P', 'NQ-YGM-183', 'LP-PBW-900', 'LP-PBR-S1'].flatMap((start) =>
  ['BK', 'BL', 'GN', 'GY', 'PK', 'RD', 'WH'].map((colour) => ({ sku: `${start}-${colour}` })),
);

test('the demo gets stock and purchases when its products are known and no sooner, and only once', async () => {
  world = await createWorld();
  await ensureDemo(world.runtime);
  const companyId = await inSystem(world.runtime, async (db) => {
    const { rows } = await sql<{ id: string }>`
      SELECT company_id AS id FROM identity.member WHERE account = ${DEMO.account}`.execute(db);
    return rows[0]?.id ?? '';
  });
  const stocked = () =>
    inTenant(world.runtime, systemPrincipal(companyId), async (ctx) => {
      const { rows } = await sql<{ pieces: number }>`
        SELECT coalesce(sum(qty), 0)::int AS pieces FROM warehouse.stock_balance
         WHERE company_id = ${companyId} AND status = 'AVAILABLE'`.execute(ctx.db);
      return rows[0]?.pieces ?? 0;
    });
  const numbers = () =>
    inTenant(world.runtime, systemPrincipal(companyId), async (ctx) => {
      const { rows } = await sql<Record<(typeof COUNTED)[number], number>>`
        SELECT (SELECT count(DISTINCT state)::int FROM purchase.purchase_order WHERE company_id = ${companyId}) AS orders,
               (SELECT count(DISTINCT state)::int FROM purchase.requisition WHERE company_id = ${companyId}) AS plans,
               (SELECT count(DISTINCT state)::int FROM finance.payment_request WHERE company_id = ${companyId}) AS requests,
               (SELECT count(DISTINCT state)::int FROM finance.bloc_request WHERE company_id = ${companyId}) AS bloc,
               (SELECT count(*)::int FROM approval.instance WHERE company_id = ${companyId} AND state = 'running') AS waiting,
               (SELECT count(*)::int FROM product.local_product
                 WHERE company_id = ${companyId} AND brand_id IS NOT NULL AND category_id IS NOT NULL) AS described,
               (SELECT count(*)::int FROM product.sku_cost WHERE company_id = ${companyId}) AS costs,
               (SELECT count(DISTINCT (kind, state))::int FROM warehouse.document WHERE company_id = ${companyId}) AS documents,
               (SELECT count(*)::int FROM warehouse.document WHERE company_id = ${companyId}) AS "allDocuments",
               (SELECT count(*)::int FROM warehouse.external_stock WHERE company_id = ${companyId}) AS external,
               (SELECT count(*)::int FROM warehouse.revaluation WHERE company_id = ${companyId}) AS "lateCosts",
               (SELECT count(DISTINCT state)::int FROM product.inquiry WHERE company_id = ${companyId}) AS inquiries,
               (SELECT count(DISTINCT state)::int FROM product.table_import WHERE company_id = ${companyId}) AS imports,
               (SELECT count(DISTINCT state)::int FROM finance.supplier_settlement WHERE company_id = ${companyId}) AS settlements,
               (SELECT count(*)::int FROM finance.bank_line WHERE company_id = ${companyId}) AS "bankLines",
               (SELECT count(*)::int FROM finance.bank_line WHERE company_id = ${companyId} AND match_id IS NULL) AS unmatched,
               (SELECT count(*)::int FROM finance.entry WHERE company_id = ${companyId} AND book = 'GAIN') AS gains,
               (SELECT count(*)::int FROM supplier.quarter_score WHERE company_id = ${companyId}) AS scores`.execute(
        ctx.db,
      );
      return rows[0];
    });
  const ended = new AbortController();
  const waiting = stockDemo(world.runtime, ended.signal, 20);
  await sleep(200);
  expect(await stocked()).toBe(0);
  await inTenant(world.runtime, systemPrincipal(companyId), (ctx) => learnProducts(ctx, SKUS));
  // Somebody is faster than the demo, with a warehouse and a brand of his own.
  await inTenant(world.runtime, systemPrincipal(companyId), async (ctx) => {
    const house = { kind: 'LOCAL', quality: 'GOOD', group: '自己的', country: 'CN', addressId: null } as const;
    await insertWarehouse(ctx, { ...house, code: 'OWN', name: '自己的仓库' });
    await saveBrandRow(ctx, BrandForm.parse({ name: '自己的品牌', trademarkNo: '', remark: '' }));
  });
  await waiting;
  const pieces = await stocked();
  expect(pieces).toBeGreaterThan(0);
  const made = await numbers();
  expect(made?.orders).toBeGreaterThan(2);
  // One plan waits for the boss, one became an order.
  expect(made?.plans).toBe(2);
  expect(made?.requests).toBe(4);
  // Between companies: a draft, one that waits in its flow, one to be carried out, one that was.
  expect(made?.bloc).toBe(4);
  expect(made?.waiting).toBe(2);
  expect(made?.described).toBe(SKUS.length);
  // Every kind of document in nearly every state, the comparison with a third party, and what else fills a list.
  expect(made?.documents).toBeGreaterThanOrEqual(28);
  expect(made).toMatchObject({ external: 9, lateCosts: 3, inquiries: 3, imports: 2 });
  // The supplier agrees, differs, or is asked; of the bank's lines three are not in the books; a debt in dollars was paid in CNY.
  expect(made).toMatchObject({ settlements: 2, unmatched: 3 });
  expect(made?.gains).toBeGreaterThanOrEqual(1);
  expect(made?.scores).toBeGreaterThanOrEqual(2);
  expect(made?.bankLines).toBeGreaterThan(6);
  const health = await inTenant(world.runtime, systemPrincipal(companyId), runHealth);
  expect(health.broken).toBe(0);
  expect(made?.costs).toBeGreaterThanOrEqual(3);
  // The page of a product tells what the modules above it know: layers, purchases, inspections.
  const tabs = await inTenant(world.runtime, systemPrincipal(companyId), async (ctx) => {
    const { rows } = await sql<{ id: string }>`
      SELECT l.product_id AS id FROM purchase.inspection AS i
        JOIN purchase.receipt_line AS l ON l.company_id = i.company_id AND l.id = i.receipt_line_id
       WHERE i.company_id = ${companyId} LIMIT 1`.execute(ctx.db);
    return tabsOf(ctx, rows[0]?.id ?? '');
  });
  const first = tabs.map(({ key, rows: [row] }) => [key, row?.number, typeof row?.path]);
  expect(first).toEqual([
    ['layers', expect.stringMatching(/^[A-Z]{2}\d/), expect.anything()],
    ['purchases', expect.stringMatching(/^PO/), 'string'],
    ['inspections', expect.stringMatching(/^PO/), 'string'],
  ]);
  await stockDemo(world.runtime, ended.signal, 20);
  expect(await stocked()).toBe(pieces);
  expect(await numbers()).toEqual(made);
});
