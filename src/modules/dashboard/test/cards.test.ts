import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listStock } from '#modules/inventory/contract.ts';
import type { AccountRef } from '#modules/marketplace/server/index.ts';
import type { Person, World } from '#test/support/world.ts';
import * as home from '../contract.ts';
import { JP, makeAccount, sell, US, worldAt } from './support.ts';

let world: World;
let close: () => Promise<void>;
let owner: Person;
let account: AccountRef;

beforeAll(async () => {
  ({ world, close } = await worldAt('2026-07-18T17:20:00Z'));
  owner = await world.owner();
  account = await makeAccount(world, owner);
});
afterAll(() => close());

describe('stock', () => {
  beforeAll(async () => {
    const stock: [string, number, number][] = [
      ['gone', 0, 5],
      ['short', 10, 0],
      ['month', 90, 0],
      ['years', 9_000, 0],
      ['still', 40, 2],
    ];
    await world.as(owner, async (ctx) => {
      await ctx.db
        .insertInto('inventory.fba_stock')
        .values(
          stock.map(([seller_sku, fulfillable, inbound_shipped]) => ({
            company_id: ctx.companyId,
            account_id: account.id,
            marketplace_id: US,
            seller_sku,
            condition: 'NewItem',
            fulfillable,
            inbound_shipped,
            source: 'api',
            as_of: '2026-07-18T17:00:00Z',
          })),
        )
        .execute();
      // The feed stands in July, so the last 30 days are those before it.
      await ctx.db
        .insertInto('marketplace.sync_cursor')
        .values({
          company_id: ctx.companyId,
          account_id: account.id,
          stream: 'orders.live',
          watermark: '2026-07-18T17:18:00Z',
        })
        .execute();
    });
    await sell(
      world,
      owner,
      account,
      ['gone', 'short', 'month', 'years'].map((sku) => ({ at: '2026-07-10T18:00:00Z', units: 30, sku })),
    );
  });

  it('counts SKUs by days of cover, and agrees with the stock list', async () => {
    const card = await owner.call(home.stock, { body: {} });
    expect(card).toMatchObject({ fulfillable: 9_140, inbound: 7, out: 1, low: 1, still: 1 });
    expect(Object.fromEntries(card?.bars.map((bar) => [bar.key, bar.skus]) ?? [])).toEqual({
      out: 1,
      low: 1,
      d30: 0,
      d60: 0,
      d90: 1,
      d180: 0,
      more: 1,
    });
    for (const [tab, skus] of [
      ['out', card?.out],
      ['low', card?.low],
    ] as const)
      expect((await owner.call(listStock, { body: { filter: { tab } } })).total).toBe(skus);
  });

  it('narrows to the sites of the filter', async () => {
    const card = await owner.call(home.stock, { body: { filter: { marketplaceIds: [JP] } } });
    expect(card).toMatchObject({ fulfillable: 0, out: 0 });
  });
});

describe('settlements', () => {
  const add = (settlementId: string, total: string, endAt: string, depositAt: string) =>
    world.as(owner, async (ctx) => {
      const id = randomUUID();
      await sql`INSERT INTO settlement.source_doc (company_id, id, account_id, kind, external_id, version, currency, total, content_hash, posted_at)
        VALUES (${ctx.companyId}, ${id}, ${account.id}, 'SETTLEMENT', ${settlementId}, 1, 'USD', ${total}, 'x', ${endAt})`.execute(
        ctx.db,
      );
      await sql`INSERT INTO settlement.settlement (company_id, id, account_id, settlement_id, version, form, marketplace_id,
          currency, end_at, deposit_at, total_amount, line_sum, line_count, order_count, unmapped_count, file_name, sha256)
        VALUES (${ctx.companyId}, ${id}, ${account.id}, ${settlementId}, 1, 'v2', ${US}, 'USD', ${endAt}, ${depositAt},
          ${total}, ${total}, 1, 1, 0, 'x.txt', ${id})`.execute(ctx.db);
    });

  it('name the last payout and the next one by the clock of the marketplace', async () => {
    await add('101', '500.00', '2026-07-01T00:00:00Z', '2026-07-03T00:00:00Z');
    await add('102', '-20.00', '2026-07-10T00:00:00Z', '2026-07-12T00:00:00Z');
    await add('103', '740.25', '2026-07-17T00:00:00Z', '2026-07-20T00:00:00Z');
    const card = await owner.call(home.settlement, { body: {} });
    expect(card).toMatchObject({
      closed: 3,
      pending: 1,
      last: { settlementId: '101', amount: '500.0000', currency: 'USD', store: { country: 'US' } },
      next: { settlementId: '103', amount: '740.2500' },
    });
    expect(card?.recent.map((one) => one.settlementId)).toEqual(['103', '102', '101']);
    expect((await owner.call(home.settlement, { body: { filter: { marketplaceIds: [JP] } } }))?.closed).toBe(0);
  });
});

describe('synchronisation', () => {
  it('shows every stream with its delay, and the first one as it goes on', async () => {
    await world.as(owner, (ctx) =>
      sql`INSERT INTO marketplace.sync_cursor (company_id, account_id, stream, state, attempts, last_success_at) VALUES
        (${ctx.companyId}, ${account.id}, 'listings', 'ready', 0, kit.now() - interval '3 minutes'),
        (${ctx.companyId}, ${account.id}, 'finances', 'ready', 0, kit.now() - interval '3 days'),
        (${ctx.companyId}, ${account.id}, 'settlements', 'blocked_auth', 1, kit.now())`.execute(ctx.db),
    );
    const { accounts } = await owner.call(home.sync, { body: {} });
    expect(accounts).toHaveLength(1);
    const states = Object.fromEntries(accounts[0]?.streams.map((one) => [one.state, one.delayMin]) ?? []);
    expect(states).toEqual({ ready: null, late: 4_320, blocked_auth: 0 });
    expect(accounts[0]?.streams.filter((one) => one.state === 'ready')).toHaveLength(2);
    expect(accounts[0]).toMatchObject({ store: '启航', region: '北美', firstSync: { done: 3, total: 4 } });
  });

  it('ticks the steps of a new company', async () => {
    expect(await owner.call(home.setup, { body: {} })).toMatchObject({
      accounts: [{ id: account.id, name: '启航-北美' }],
      markets: [{ country: 'JP' }, { country: 'US' }],
      sites: [`${JP}-${account.id}`, `${US}-${account.id}`],
      authorised: true,
      synced: false,
      costed: false,
      hasData: true,
    });
  });
});
