import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Decimal, sum } from '#kit/contract/decimal.ts';
import { emit } from '#kit/server/events.ts';
import { adSpendTouched, spendBySku } from '#modules/advertising/server/index.ts';
import type { AccountRef } from '#modules/marketplace/server/index.ts';
import { type FileLine, makeAccount, settle, US } from '#test/support/settlement-file.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { shareAds } from '../server/ad-shares.ts';
import { fold, rebuild, rollup } from './support.ts';

const money = (cents: number) => new Decimal(cents).div(100).toFixed(2);
const amounts = (most: number) => fc.dictionary(fc.constantFrom('A', 'B', 'C', 'D'), fc.integer({ min: 1, max: most }));
const weights = (cents: Record<string, number>) =>
  new Map(Object.entries(cents).map(([sku, value]) => [sku, money(value)]));

/** What each SKU bears of all charges together. */
function borne(shared: readonly (ReadonlyMap<string, string> | undefined)[]): Record<string, string> {
  const total: Record<string, string> = {};
  for (const parts of shared) {
    for (const [sku, part] of parts ?? []) total[sku] = new Decimal(total[sku] ?? 0).plus(part).toFixed(2);
  }
  return total;
}

describe('advertising charges', () => {
  const base = { spend: weights({ A: 6000, B: 1234 }), netSales: weights({ B: 100, C: 300 }), scale: 2 };

  it('are borne by the SKUs that were advertised, to the cent, and by net sales beyond what is known', () => {
    expect(borne(shareAds(['-50.00', '-22.34'], 'USD', base))).toEqual({ A: '-60.00', B: '-12.34' });
    expect(borne(shareAds(['-76.34'], 'USD', base))).toEqual({ A: '-60.00', B: '-13.34', C: '-3.00' });
  });

  it('that are less than the spend are shared as it was spent; the rest comes with the next charge', () => {
    expect(borne(shareAds(['-36.17'], 'USD', base))).toEqual({ A: '-30.00', B: '-6.17' });
  });

  it('that are given back, or of which nothing is known, go by net sales; without any base they stay apart', () => {
    expect(borne(shareAds(['4.00'], 'USD', base))).toEqual({ B: '1.00', C: '3.00' });
    expect(borne(shareAds(['-4.00'], 'USD', { ...base, spend: new Map() }))).toEqual({ B: '-1.00', C: '-3.00' });
    expect(shareAds(['-4.00'], 'USD', { spend: new Map(), netSales: new Map(), scale: 2 })).toEqual([undefined]);
  });

  it('keep every cent, whatever was spent and sold', () => {
    const charges = fc.array(fc.integer({ min: -9000, max: 900 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(charges, amounts(9000), amounts(9000), (cents, spent, sold) => {
        const texts = cents.map(money);
        const shared = shareAds(texts, 'USD', { spend: weights(spent), netSales: weights(sold), scale: 2 });
        for (const [index, parts] of shared.entries()) {
          if (parts) expect(sum(parts.values())).toBe(sum([texts[index] ?? '']));
          else expect(Object.keys({ ...spent, ...sold })).toEqual([]);
        }
      }),
    );
  });

  it('that are the spend, in whatever instalments, leave each SKU with exactly its own', () => {
    const cuts = fc.array(fc.integer({ min: 1, max: 9000 }), { maxLength: 5 });
    fc.assert(
      fc.property(amounts(9000), cuts, amounts(9000), (spent, instalments, sold) => {
        const spend = weights(spent);
        let left = Object.values(spent).reduce((total, one) => total + one, 0);
        const charges: string[] = [];
        for (const cut of [...instalments, left]) {
          const part = Math.min(cut, left);
          if (part > 0) charges.push(money(-part));
          left -= part;
        }
        if (left > 0) charges.push(money(-left));
        const shared = shareAds(charges, 'USD', { spend, netSales: weights(sold), scale: 2 });
        const own = [...spend].map(([sku, cost]) => [sku, new Decimal(cost).neg().toFixed(2)]);
        expect(borne(shared)).toEqual(Object.fromEntries(own));
      }),
    );
  });
});

let world: World;
let person: Person;
let account: AccountRef;

beforeAll(async () => {
  world = await createWorld();
  person = await world.owner();
  account = await makeAccount(world, person);
});
afterAll(() => world.close());

const WINDOW_COLUMNS = [1, 7, 14, 30].flatMap((days) =>
  ['orders', 'units', 'sales', 'same_orders', 'same_units', 'same_sales'].map((name) => `${name}_${days}d`),
);

/** What ads cost on some days, as the reader of advertising would have written it, and as it tells the others. */
async function spent(rows: readonly { day: string; sku: string; cost: string; currency?: string }[]): Promise<void> {
  const zeros = sql.raw(WINDOW_COLUMNS.map(() => '0').join(', '));
  const names = sql.raw(WINDOW_COLUMNS.join(', '));
  await world.as(person, async (ctx) => {
    for (const { day, sku, cost, currency = 'USD' } of rows) {
      const campaign = `c-${currency}`;
      await sql`
        INSERT INTO advertising.campaign (company_id, account_id, marketplace_id, profile_id, ad_product, campaign_id, name,
          state, targeting, currency, strategy, top_percent, portfolio_id, serving_status, as_of)
        VALUES (${ctx.companyId}, ${account.id}, ${US}, 1, 'SP', ${campaign}, '活动', 'ENABLED', 'MANUAL', ${currency}, '',
                0, '', '', kit.now()) ON CONFLICT DO NOTHING`.execute(ctx.db);
      await sql`
        INSERT INTO advertising.product_day (company_id, account_id, marketplace_id, profile_id, ad_product, day,
          campaign_id, ad_group_id, ad_id, seller_sku, asin, impressions, clicks, cost, ${names})
        VALUES (${ctx.companyId}, ${account.id}, ${US}, 1, 'SP', ${day}, ${campaign}, 'g', ${`ad-${sku}`}, ${sku}, '',
                10, 1, ${cost}, ${zeros})`.execute(ctx.db);
    }
    const days = rows.map(({ day }) => day);
    await emit(ctx, adSpendTouched, { accountId: account.id, marketplaceId: US, days });
  });
  await fold(world, person);
}

async function shares(): Promise<Record<string, string>> {
  return world.as(person, async (ctx) => {
    const { rows } = await sql<{ key: string; ads: string }>`
      SELECT date || ' ' || sku AS key, ads::numeric(18, 2)::text AS ads FROM profit.profit_daily
       WHERE company_id = ${ctx.companyId} AND scope = 'SHARE' AND ads <> 0 ORDER BY 1`.execute(ctx.db);
    return Object.fromEntries(rows.map(({ key, ads }) => [key, ads]));
  });
}

describe('the profit of a month', () => {
  const at = (day: number) => new Date(Date.UTC(2026, 0, day, 20)).toISOString();
  const sold = (sku: string, amount: string): FileLine => ({
    transactionType: 'Order',
    amountType: 'ItemPrice',
    amountDescription: 'Principal',
    amount,
    sku,
    quantity: 1,
    orderId: `order-${sku}`,
    marketplaceName: 'Amazon.com',
    postedAt: at(5),
  });
  const charge = (amount: string, day: number): FileLine => ({
    transactionType: 'ServiceFee',
    amountType: 'Cost of Advertising',
    amountDescription: 'TransactionTotalAmount',
    amount,
    marketplaceName: 'Amazon.com',
    postedAt: at(day),
  });

  it('charges ads to what they advertised as soon as that is known, and stays the sum of the settlement', async () => {
    await settle(world, person, account, [
      sold('A', '75.00'),
      sold('B', '25.00'),
      charge('-30.00', 8),
      charge('-10.00', 15),
    ]);
    await fold(world, person);
    expect(await shares()).toEqual({
      '2026-01-08 A': '-22.50',
      '2026-01-08 B': '-7.50',
      '2026-01-15 A': '-7.50',
      '2026-01-15 B': '-2.50',
    });
    // Of 40.00 that were charged, 36.00 are known: those of B and of Z, which sold nothing.
    await spent([
      { day: '2026-01-03', sku: 'B', cost: '20.00' },
      { day: '2026-01-09', sku: 'B', cost: '10.000000' },
      { day: '2026-01-31', sku: 'Z', cost: '6.00' },
      { day: '2026-02-01', sku: 'Z', cost: '99.00' },
      { day: '2026-01-04', sku: 'A', cost: '99.00', currency: 'CAD' },
    ]);
    const known = await shares();
    const bySku = (sku: string) =>
      sum(Object.entries(known).flatMap(([key, part]) => (key.endsWith(` ${sku}`) ? [part] : [])));
    expect(sum(Object.values(known))).toBe('-40');
    expect([bySku('A'), bySku('B'), bySku('Z')]).toEqual(['-3', '-31', '-6']);
    const counted = await rollup(world, person);
    await rebuild(world, person);
    expect(await rollup(world, person)).toEqual(counted);
  });

  it('shares what brands cost over the products sold after their clicks, else equally over those that they show', async () => {
    const cost = (campaign: string, amount: string) =>
      world.as(person, async (ctx) => {
        await sql`
        INSERT INTO advertising.campaign (company_id, account_id, marketplace_id, profile_id, ad_product, campaign_id, name,
          state, targeting, currency, strategy, top_percent, portfolio_id, serving_status, as_of)
        VALUES (${ctx.companyId}, ${account.id}, ${US}, 1, 'SB', ${campaign}, '品牌', 'ENABLED', 'MANUAL', 'USD', '',
                0, '', '', kit.now())`.execute(ctx.db);
        await sql`
        INSERT INTO advertising.product_ad (company_id, account_id, marketplace_id, profile_id, ad_product, ad_id,
          campaign_id, ad_group_id, seller_sku, asin, state, asins, as_of)
        VALUES (${ctx.companyId}, ${account.id}, ${US}, 1, 'SB', ${campaign}, ${campaign}, 'g', '', 'B00000000A', 'ENABLED',
                '{B00000000A,B00000000B,B00000000C}', kit.now())`.execute(ctx.db);
        await sql`
        INSERT INTO advertising.campaign_day (company_id, account_id, marketplace_id, profile_id, ad_product, day,
          campaign_id, impressions, clicks, cost)
        VALUES (${ctx.companyId}, ${account.id}, ${US}, 1, 'SB', '2026-03-02', ${campaign}, 10, 1, ${amount})`.execute(
          ctx.db,
        );
      });
    await world.as(person, async (ctx) => {
      for (const sku of ['A', 'B', 'C']) {
        await sql`
          INSERT INTO listing.listing (company_id, account_id, marketplace_id, seller_sku, asin, currency, source, as_of, first_seen_at)
          VALUES (${ctx.companyId}, ${account.id}, ${US}, ${`sku-${sku}`}, ${`B00000000${sku}`}, 'USD', 'api', kit.now(), kit.now())`.execute(
          ctx.db,
        );
      }
    });
    await cost('equal', '10.00');
    await cost('sold', '9.00');
    const spendOf = () =>
      world.as(person, async (ctx) => {
        const of = { accountId: account.id, marketplaceId: US };
        return Object.fromEntries((await spendBySku(ctx, of, '2026-03-01', '2026-04-01')).get('USD') ?? []);
      });
    // Ten over three alike: the cent that is left goes to the first.
    expect(await spendOf()).toEqual({ 'sku-A': '6.34', 'sku-B': '6.33', 'sku-C': '6.33' });
    await world.as(person, async (ctx) => {
      for (const [asin, attribution, sales] of [
        ['A', 'Promoted', 20],
        ['B', 'Promoted', 10],
        ['C', 'Brand Halo', 90],
      ]) {
        await sql`
          INSERT INTO advertising.purchased_day (company_id, account_id, marketplace_id, profile_id, ad_product, day,
            campaign_id, ad_group_id, asin, attribution, orders, units, sales)
          VALUES (${ctx.companyId}, ${account.id}, ${US}, 1, 'SB', '2026-03-05', 'sold', 'g', ${`B00000000${asin}`},
                  ${attribution}, 1, 1, ${sales})`.execute(ctx.db);
      }
    });
    expect(await spendOf()).toEqual({ 'sku-A': '9.34', 'sku-B': '6.33', 'sku-C': '3.33' });
  });
});
