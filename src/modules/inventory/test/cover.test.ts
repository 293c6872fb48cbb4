import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { extend } from '#kit/server/extension.ts';
import { defineModule } from '#kit/server/module.ts';
import { inTenant, systemPrincipal } from '#kit/server/runtime.ts';
import type { AccountRef } from '#modules/marketplace/server/index.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { salesVelocity, type Units30 } from '../server/index.ts';
import { landStock } from '../server/land.ts';
import { stockCounts, stockPage } from '../server/list.ts';
import { stockSummary } from '../server/summary.ts';
import { makeAccount, stock, US } from './support.ts';

let world: World;
let owner: Person;
let account: AccountRef;

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
  account = await makeAccount(world, owner);
  await world.as(owner, (ctx) =>
    landStock(ctx, { accountId: account.id, marketplaceId: US, asOf: '2026-03-01T00:00:00Z', source: 'api' }, [
      stock('fast', { fulfillable: 20, reservedTransfer: 6, reservedProcessing: 2, reservedCustomer: 50 }),
      stock('slow', { fulfillable: 20 }),
      stock('still', { fulfillable: 20 }),
      stock('out', { fulfillable: 0 }),
    ]),
  );
});
afterAll(() => world.close());

/** A module above that knows what was sold in 30 days. */
const sales = defineModule({
  name: 'testSales',
  title: '销量',
  needs: [],
  extensions: [
    extend(salesVelocity, {
      units30: () => sql<Units30>`
        SELECT ${account.id}::uuid AS account_id, ${US}::text AS marketplace_id, v.sku AS seller_sku, v.n AS units30
          FROM (VALUES ('fast', 60), ('slow', 7), ('out', 30)) AS v (sku, n)`,
    }),
  ],
});

const request = { currentpage: 1, pagesize: 20, sort: 'coverDays', order: 'asc', filter: {} } as const;

it('cannot tell how long stock lasts while nobody knows the sales', async () => {
  const bare = {
    ...world.runtime,
    modules: world.runtime.modules.filter((m) => !(m.extensions ?? []).some((e) => e.point === salesVelocity.name)),
  };
  await inTenant(bare, systemPrincipal(owner.companyId), async (ctx) => {
    const { records } = await stockPage(ctx, request);
    expect(records.map((row) => [row.units30, row.coverDays])).toEqual(Array(4).fill([null, null]));
    expect(await stockCounts(ctx, {})).toEqual({ all: 4, out: 1, unsellable: 0 });
    expect((await stockSummary(ctx, {})).low).toBeNull();
  });
});

it('takes the sales of whoever knows them: cover, order, tab and summary', async () => {
  const runtime = { ...world.runtime, modules: [sales] };
  await inTenant(runtime, systemPrincipal(owner.companyId), async (ctx) => {
    const { records } = await stockPage(ctx, request);
    // (20 + 6 + 2) / (60 / 30) = 14; 20 / (7 / 30) = 85.7; what does not sell has no end.
    expect(
      records.map((row) => [row.sellerSku, row.units30, row.coverDays && Number(row.coverDays), row.state]),
    ).toEqual([
      ['out', 30, 0, 'OUT'],
      ['fast', 60, 14, 'ENOUGH'],
      ['slow', 7, 85.7, 'ENOUGH'],
      ['still', 0, null, 'ENOUGH'],
    ]);
    expect(await stockCounts(ctx, {})).toEqual({ all: 4, out: 1, low: 0, unsellable: 0 });
    await landStock(ctx, { accountId: account.id, marketplaceId: US, asOf: '2026-03-02T00:00:00Z', source: 'api' }, [
      stock('fast', { fulfillable: 19, reservedTransfer: 6, reservedProcessing: 2 }),
    ]);
    const low = await stockPage(ctx, { ...request, filter: { tab: 'low' } });
    expect(low.records.map((row) => [row.sellerSku, row.coverDays, row.state])).toEqual([['fast', '13.5', 'LOW']]);
    expect((await stockSummary(ctx, {})).low).toBe(1);
  });
});
