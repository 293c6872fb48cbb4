import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Decimal } from '#kit/contract/decimal.ts';
import { campaigns } from '#modules/advertising/contract/lists.ts';
import { getPerformance } from '#modules/marketplace/contract/performance.ts';
import type { AccountRef } from '#modules/marketplace/server/index.ts';
import { returns } from '#modules/returns/contract/returns.ts';
import type { Person, World } from '#test/support/world.ts';
import * as cards from '../contract/cards.ts';
import * as home from '../contract.ts';
import { JP, makeAccount, sell, US, worldAt } from './support.ts';

// 10:20 on 18 July in Los Angeles, already 02:20 of the 19th in Tokyo.
const NOW = '2026-07-18T17:20:00Z';
const WEEK = { from: '2026-07-11', to: '2026-07-17' };
const D7 = { filter: { period: 'd7' as const } };

let world: World;
let close: () => Promise<void>;
let owner: Person;
let account: AccountRef;

const text = (value: string | null | undefined) => (value == null ? null : new Decimal(value).toFixed());

beforeAll(async () => {
  ({ world, close } = await worldAt(NOW));
  owner = await world.owner();
  account = await makeAccount(world, owner);
  // Both weeks: 10 and 5 of A, 4 and 8 of B, in Japan 6 and none of C.
  await sell(world, owner, account, [
    { at: '2026-07-12T18:00:00Z', units: 10, sku: 'A', price: '100' },
    { at: '2026-07-05T18:00:00Z', units: 5, sku: 'A', price: '50' },
    { at: '2026-07-13T18:00:00Z', units: 4, sku: 'B', price: '300', discount: '20' },
    { at: '2026-07-06T18:00:00Z', units: 8, sku: 'B', price: '600' },
    { at: '2026-07-14T18:00:00Z', units: 6, sku: 'C', price: '6000', marketplaceId: JP },
  ]);
});
afterAll(() => close());

describe('ads', () => {
  const day = (campaign: string, on: string, figures: Record<string, number | string>) =>
    world.as(owner, async (ctx) => {
      await ctx.db
        .insertInto('advertising.campaign_day')
        .values({
          company_id: ctx.companyId,
          account_id: account.id,
          marketplace_id: US,
          profile_id: '1',
          ad_product: campaign.startsWith('sb') ? 'SB' : 'SP',
          campaign_id: campaign,
          day: on,
          impressions: 1_000,
          clicks: 0,
          cost: '0',
          ...figures,
        })
        .execute();
    });

  beforeAll(async () => {
    for (const [product, campaign] of [
      ['SP', 'sp'],
      ['SB', 'sb'],
    ] as const)
      await world.as(owner, (ctx) =>
        sql`INSERT INTO advertising.campaign (company_id, account_id, marketplace_id, profile_id, ad_product, campaign_id, name,
              state, targeting, currency, strategy, top_percent, portfolio_id, serving_status, as_of)
            VALUES (${ctx.companyId}, ${account.id}, ${US}, 1, ${product}, ${campaign}, ${campaign}, 'ENABLED', 'MANUAL', 'USD', '',
                    0, '', '', kit.now())`.execute(ctx.db),
      );
    await day('sp', '2026-07-12', {
      clicks: 30,
      cost: '12.50',
      units_7d: 4,
      sales_7d: '40',
      units_14d: 9,
      sales_14d: '90',
    });
    await day('sb', '2026-07-13', {
      clicks: 10,
      cost: '7.50',
      units_14d: 2,
      sales_14d: '60',
      units_7d: 1,
      sales_7d: '30',
    });
    await day('sp', '2026-07-05', { clicks: 20, cost: '10', units_7d: 5, sales_7d: '50' });
    // Outside of both weeks.
    await day('sp', '2026-07-02', { clicks: 500, cost: '999', units_7d: 99, sales_7d: '999' });
  });

  it('are what the list of campaigns says, with the ratios of the sums', async () => {
    const card = await owner.call(cards.adChart, { body: { filter: { period: 'd7', marketplaceIds: [US] } } });
    // 380 of A and B without the discount of 20.
    expect(card).toMatchObject({
      currency: 'USD',
      clicks: { value: 40, change: '1' },
      units: { value: 6, change: '0.2' },
      acos: { value: '0.2', change: '0' },
    });
    expect([text(card?.spend.value), text(card?.sales.value)]).toEqual(['20', '100']);
    expect(card?.spend.days.map(text)).toEqual(['0', '12.5', '7.5', '0', '0', '0', '0']);
    expect(card?.acos.days.map(text)).toEqual([null, '0.3125', '0.125', null, null, null, null]);
    expect(text(card?.tacos?.value)).toBe(new Decimal(20).div(380).toDecimalPlaces(6).toFixed());
    const list = await owner.call(campaigns.list, { body: { filter: { dates: WEEK } } });
    expect([list.totals?.clicks, list.totals?.adUnits, text(String(list.totals?.cost))]).toEqual([40, 6, '20']);
  });

  it('are kept from those who may not see ads, and the share of all sales from those who may not see amounts', async () => {
    const plain = await world.member(owner, ['dash:home:view']);
    expect(await plain.call(cards.adChart, { body: D7 })).toBeNull();
    const ads = await world.member(owner, ['dash:home:view', 'adv:manager:view']);
    expect(await ads.call(cards.adChart, { body: D7 })).toMatchObject({ clicks: { value: 40 }, tacos: null });
  });
});

describe('people', () => {
  let li: Person;

  beforeAll(async () => {
    li = await world.member(owner, ['dash:home:view']);
    await world.as(owner, (ctx) =>
      sql`INSERT INTO analysis.listing_care (company_id, account_id, marketplace_id, seller_sku, owner_id)
          VALUES (${ctx.companyId}, ${account.id}, ${US}, 'A', ${li.userId}), (${ctx.companyId}, ${account.id}, ${JP}, 'C', ${li.userId})`.execute(
        ctx.db,
      ),
    );
    await world.as(owner, (ctx) =>
      ctx.db
        .insertInto('finance.month_rate')
        .values(
          [
            ['JPY', '0.05'],
            ['USD', '7'],
          ].map(([currency, rate]) => ({
            company_id: ctx.companyId,
            currency: currency ?? '',
            month: '2026-07-01',
            rate: rate ?? '',
            updated_by_name: '测试',
          })),
        )
        .execute(),
    );
  });

  it('are ranked by net sales in one currency, what nobody answers for among them', async () => {
    const card = await owner.call(cards.personRank, { body: D7 });
    expect(card).toMatchObject({ currency: 'CNY', missingRates: [] });
    expect(card.rows.map(({ id, skus, units, previous }) => [id, skus, units, previous])).toEqual([
      [null, 1, 4, 8],
      [li.userId, 2, 16, 5],
    ]);
    const [nobody, first] = card.rows;
    // 280 × 7; 100 × 7 + 6000 × 0.05 against 50 × 7.
    expect([text(nobody?.sales), text(nobody?.change)]).toEqual(['1960', '-0.5']);
    expect([text(first?.sales), text(first?.salesChange)]).toEqual(['1000', '1.8571428571']);
    const all = (await owner.call(home.kpi, { body: D7 })).units.value;
    expect(card.rows.reduce((total, { units }) => total + units, 0)).toBe(all);
  });

  it('follow the sites of the filter, and show no amounts without the permission', async () => {
    const filter = { period: 'd7' as const, marketplaceIds: [JP] };
    const { rows } = await li.call(cards.personRank, { body: { filter } });
    expect(rows).toMatchObject([{ id: li.userId, units: 6, sales: null, salesChange: null }]);
  });
});

describe('returns', () => {
  const back = (on: string, orderId: string, quantity: number) =>
    world.as(owner, (ctx) =>
      sql`INSERT INTO inventory.customer_return (company_id, account_id, day, row_id, stock, marketplace_id, document_id, returned_at,
            order_id, seller_sku, fnsku, asin, title, quantity, centre, disposition, reason, status, plate, comments)
          VALUES (${ctx.companyId}, ${account.id}, ${on}, uuidv7(), 'US', ${US}, uuidv7(), ${`${on}T18:00:00Z`}, ${orderId}, 'A', '', '', '',
                  ${quantity}, '', 'SELLABLE', 'DEFECTIVE', '', '', '')`.execute(ctx.db),
    );

  it('lie beside the sales by the day on which they came back, narrowed by the site of their order', async () => {
    const { rows } = await world.as(owner, (ctx) =>
      sql<{ id: string }>`SELECT amazon_order_id AS id FROM "order".amazon_order
        WHERE company_id = ${ctx.companyId} AND marketplace_id = ${JP} LIMIT 1`.execute(ctx.db),
    );
    await back('2026-07-12', '111-9999999-9999999', 2);
    await back('2026-07-13', rows[0]?.id ?? '', 3);
    await back('2026-07-01', '111-9999999-9999999', 70);
    const chart = await owner.call(home.salesChart, { body: D7 });
    // The running day stands at the end.
    expect(chart.returns).toEqual([0, 2, 3, 0, 0, 0, 0, 0]);
    const japan = await owner.call(home.salesChart, { body: { filter: { period: 'd7', marketplaceIds: [JP] } } });
    // It is a day later there already.
    expect(japan.labels[1]).toBe('2026-07-13');
    expect(japan.returns).toEqual([0, 3, 0, 0, 0, 0, 0, 0]);
    const list = await owner.call(returns.list, { body: { filter: { dates: WEEK } } });
    expect(list.total).toBe(2);
    const plain = await world.member(owner, ['dash:home:view']);
    expect((await plain.call(home.salesChart, { body: D7 })).returns).toBeNull();
  });
});

describe('store performance', () => {
  beforeAll(async () => {
    const metric = (key: string, value: string, more: object = {}) => ({
      key,
      value,
      target: null,
      condition: null,
      orders: null,
      part: null,
      from: null,
      to: null,
      amazon: 'GOOD',
      ...more,
    });
    const metrics = [
      metric('orderDefectRate.afn', '0.012', { target: '0.01', condition: 'LESS_THAN', amazon: 'BAD' }),
      metric('validTrackingRate', '0.991', { target: '0.97', condition: 'GREATER_THAN' }),
      metric('listingPolicyViolations', '3', { amazon: 'BAD' }),
      metric('otherPolicyViolations', '1'),
      metric('accountHealthRating', '900'),
    ];
    await world.as(owner, (ctx) =>
      sql`INSERT INTO marketplace.health_snapshot (company_id, account_id, marketplace_id, day, standing, payload, metrics, as_of)
          VALUES (${ctx.companyId}, ${account.id}, ${US}, '2026-07-17', 'NORMAL', '{}', ${JSON.stringify(metrics)}::jsonb, kit.now())`.execute(
        ctx.db,
      ),
    );
  });

  it('says what the last report says, with its targets, the worst site first', async () => {
    const card = await owner.call(cards.performance, { body: {} });
    expect(card?.sites.map(({ store, state }) => [store.country, state])).toEqual([
      ['US', 'bad'],
      ['JP', 'none'],
    ]);
    const [site, none] = card?.sites ?? [];
    expect(site).toMatchObject({ day: '2026-07-17', violations: 4 });
    expect(none).toMatchObject({ day: null, violations: null, metrics: [] });
    const page = await owner.call(getPerformance, {
      query: { groupid: site?.storeId ?? '', marketplaceid: US },
    });
    for (const metric of site?.metrics ?? []) {
      const shown = page.metrics.find(({ key }) => key === metric.key);
      expect(metric).toMatchObject({ value: shown?.value, target: shown?.target, state: shown?.state });
    }
    expect(site?.metrics.map(({ key, target }) => [key, target])).toEqual([
      ['orderDefectRate.afn', '0.01'],
      ['validTrackingRate', '0.97'],
    ]);
    const plain = await world.member(owner, ['dash:home:view']);
    expect(await plain.call(cards.performance, { body: {} })).toBeNull();
  });
});

describe('help and service', () => {
  it('names the version, the administrator, and the accounts of whoever may see figures', async () => {
    const card = await owner.call(cards.service, { body: {} });
    expect(card.version).toMatch(/^\d+\.\d+\.\d+/);
    expect(card.contacts).toEqual(['管理员']);
    expect(card.stores).toMatchObject([{ name: '启航-北美', streams: 0 }]);
    const plain = await world.member(owner, []);
    expect((await plain.call(cards.service, { body: {} })).stores).toEqual([]);
  });
});
