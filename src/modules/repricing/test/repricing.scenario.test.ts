import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Decimal } from '#kit/contract/decimal.ts';
import { feePreviews } from '#modules/inventory/contract/fees.ts';
import { lockPrices, unlockPrices } from '#modules/listing/contract/locks.ts';
import { listOfferChanges } from '#modules/listing/contract/offers.ts';
import { listingOffers } from '#modules/listing/contract/rivals.ts';
import { type ListingRow, listListings } from '#modules/listing/contract.ts';
import { receiveNow, subscribeTo } from '#modules/marketplace/contract/notifications.ts';
import { saveCost } from '#modules/product/contract.ts';
import { connectStore, createMarketplaceWorld, type MarketplaceWorld, untilSynced } from '#test/support/marketplace.ts';
import { PATIENCE_MS } from '#test/support/patience.ts';
import { publishRates } from '#test/support/rates.ts';
import { featuredOf, SELLER, setRivals, US } from '#test/support/rivals.ts';
import type { Person } from '#test/support/world.ts';
import { bindListings, listBindings, resumeBindings } from '../contract/bindings.ts';
import {
  activateRule,
  archiveRule,
  listRules,
  pauseRule,
  ruleDetail,
  saveRule,
  shadowRule,
} from '../contract/rules.ts';
import { listRuns, type RunRow, revertRuns, runDetail, simulateRule } from '../contract/runs.ts';
import { DEFAULTS } from '../contract/settings.ts';
import { decideBinding } from '../server/decide.ts';

let world: MarketplaceWorld;
let owner: Person;
let accountId: string;
/** Sent by Amazon, with a cost. */
let listing: ListingRow;
/** Without one. */
let uncosted: ListingRow;
let ruleId: string;
let site: string;
/** What the listing cost at the beginning. */
let first: Decimal;

const RULE = { ...DEFAULTS, name: '跟随购物车', offset: '-0.05', dailyDrop: '0.9' };

const runs = async (filter: object = {}): Promise<RunRow[]> =>
  (await owner.call(listRuns, { body: { pagesize: 100, filter: { listingId: listing.id, ...filter } } })).records;
const priceNow = async (): Promise<string | null> => {
  const { records } = await owner.call(listListings, { body: { pagesize: 10, filter: { skus: [listing.sellerSku] } } });
  return records.find((row) => row.id === listing.id)?.price ?? null;
};
const bindingOf = async (id: string) => {
  const { records } = await owner.call(listBindings, { body: { filter: { ruleId } } });
  return records.find((row) => row.listingId === id);
};
const step = async (call: typeof shadowRule | typeof activateRule | typeof pauseRule | typeof archiveRule) => {
  const { version } = await owner.call(ruleDetail, { params: { id: ruleId } });
  return owner.call(call, { body: { id: ruleId, version } });
};
/** What happened seems to have happened so many minutes earlier. */
const minutesPass = (minutes: number) =>
  world.as(owner, async (ctx) => {
    await sql`UPDATE repricing.run SET at = at - make_interval(mins => ${minutes}) WHERE company_id = ${ctx.companyId}`.execute(
      ctx.db,
    );
    await sql`UPDATE repricing.rule SET shadow_since = shadow_since - make_interval(mins => ${minutes})
               WHERE company_id = ${ctx.companyId}`.execute(ctx.db);
  });

async function rivalAt(price: Decimal, afterMs = 1_000): Promise<void> {
  world.sandbox.world.commandClock({ advanceMs: afterMs });
  await setRivals(world, listing.asin ?? '', [
    { sellerId: 'ARIVAL', price: price.toFixed(2), positive: 97, ratings: 900 },
  ]);
  await owner.call(receiveNow, { body: {} });
}

beforeAll(async () => {
  world = await createMarketplaceWorld();
  owner = await world.owner();
  await publishRates(world);
  await world.work();
  ({ accountId } = await connectStore(owner));
  site = `${US}-${accountId}`;
  await untilSynced(owner, accountId);
  const { records } = await owner.call(listListings, { body: { pagesize: 100, filter: { state: ['ACTIVE'] } } });
  const fit = records.filter((row) => row.marketplaceId === US && row.fulfilledBy === 'AMAZON' && row.price !== null);
  const [one, two] = fit;
  if (!one || !two) throw new Error('too little is on sale');
  [listing, uncosted] = [one, two];
  first = new Decimal(listing.price ?? 0);
  await owner.call(saveCost, { body: { sku: listing.sellerSku, unitCost: '12.00' } });
  await owner.call(subscribeTo, { body: { authid: accountId, type: 'ANY_OFFER_CHANGED' } });
});
afterAll(() => world.close());

test('what it costs is known, and nobody else sells it, until a test says so', async () => {
  // The floor of what Amazon sends needs Amazon's own preview of its fees.
  const filter = { sites: [site], skus: [listing.sellerSku] };
  const previews = async () => (await owner.call(feePreviews.list, { body: { filter } })).total;
  await expect.poll(previews, { timeout: PATIENCE_MS }).toBeGreaterThan(0);
  world.sandbox.world.commandClock({ advanceMs: 1_000 });
  // The slow reading of offers passes over what the listing report had not told yet, so it is told of both.
  for (const { id, asin } of [listing, uncosted]) {
    await setRivals(world, asin ?? '', []);
    await owner.call(receiveNow, { body: {} });
    const known = async () => (await owner.call(listingOffers, { params: { id }, query: { days: '7' } })).offerCount;
    await expect.poll(known, { timeout: PATIENCE_MS }).toBe(1);
  }
});

test('a rule is made, and its listings bound with a lowest and a highest price each', async () => {
  ({ id: ruleId } = await owner.call(saveRule, { body: RULE }));
  await expect(owner.call(saveRule, { body: RULE })).rejects.toThrow('已有规则');
  await expect(step(shadowRule)).rejects.toThrow('请先绑定商品');
  const line = { sku: listing.sellerSku, minPrice: '2.00', maxPrice: first.plus(5).toFixed(2) };
  const bind = (lines: object[]) => owner.call(bindListings, { body: { ruleId, site, lines: lines as never } });
  await expect(bind([line, { ...line, sku: 'NOBODY' }])).rejects.toThrow('NOBODY：该站点没有这个商品');
  await expect(bind([{ ...line, maxPrice: '1.00' }])).rejects.toThrow('最高价不能低于最低价');
  await expect(bind([{ ...line, minPrice: '2.001' }])).rejects.toThrow('最多 2 位小数');
  await expect(bind([{ sku: line.sku, minPrice: '2.00' }])).rejects.toThrow();
  expect(await bind([line])).toEqual({ bound: 1, changed: 0 });
  expect(await bind([line])).toEqual({ bound: 0, changed: 1 });
  const other = await owner.call(saveRule, { body: { ...RULE, name: '另一个' } });
  await expect(owner.call(bindListings, { body: { ruleId: other.id, site, lines: [line] } })).rejects.toThrow(
    '已绑定规则「跟随购物车」',
  );
});

test('on trial it decides and writes down, and sends nothing; it may send after a day only', async () => {
  await step(shadowRule);
  await expect(step(activateRule)).rejects.toThrow('须先试运行满 24 小时');
  // Longer than the cooldown, which the trial on the past counts by the times of the offers.
  await rivalAt(first.minus(1), 16 * 60_000);
  const target = first.minus('1.05').toFixed();
  const would = async () => (await runs({ outcome: ['would'] })).map((row) => row.newPrice);
  await expect.poll(would, { timeout: PATIENCE_MS }).toContain(target);
  const [run] = await runs({ outcome: ['would'] });
  expect(run?.words).toContain('跟随购物车 ARIVAL');
  expect((await owner.call(listOfferChanges, { body: { filter: {} } })).total).toBe(0);
  const detail = await owner.call(runDetail, { params: { id: run?.id ?? '' } });
  expect(detail.offers.map((one) => one.sellerId)).toEqual(['ARIVAL', SELLER]);
  expect(detail.facts.find((one) => one.label === '采购成本')?.value).toContain('¥12.00');
  const simulated = await owner.call(simulateRule, { body: { ruleId, days: '7' } });
  expect(simulated.rows[0]).toMatchObject({ sellerSku: listing.sellerSku });
  expect(simulated.steps.map((one) => one.newPrice)).toContain(first.minus('1.05').toFixed(2));
  expect((await owner.call(listOfferChanges, { body: { filter: {} } })).total).toBe(0);
});

test('active it sends through the price queue; what is confirmed by reading back wins the Buy Box', async () => {
  await minutesPass(25 * 60);
  expect(featuredOf(world, listing.asin ?? '')).toBe('ARIVAL');
  await step(activateRule);
  const settled = async () => (await runs({ outcome: ['sent'] })).map(({ newPrice, settled: how }) => [newPrice, how]);
  await expect.poll(settled, { timeout: PATIENCE_MS }).toEqual([[first.minus('1.05').toFixed(), 'confirmed']]);
  expect(await priceNow()).toBe(first.minus('1.05').toFixed(4));
  expect(featuredOf(world, listing.asin ?? '')).toBe(SELLER);
  const { records } = await owner.call(listOfferChanges, { body: { filter: {} } });
  expect(records[0]).toMatchObject({ status: 'confirmed', listingId: listing.id });
  expect(records[0]?.reason).toContain('智能调价「跟随购物车」');
  await owner.call(receiveNow, { body: {} });
  const featured = async () =>
    (await owner.call(listRules, { body: { filter: {} } })).records.find((r) => r.id === ruleId);
  await expect.poll(async () => Number((await featured())?.featured), { timeout: PATIENCE_MS }).toBe(1);
});

test('it waits for the cooldown, and for whoever froze the price', async () => {
  await rivalAt(first.minus(2));
  const words = async () => (await runs())[0]?.words;
  await expect.poll(words, { timeout: PATIENCE_MS }).toContain('冷却中');
  await owner.call(lockPrices, { body: { ids: [listing.id], reason: '大促' } });
  await minutesPass(20);
  await rivalAt(first.minus('2.10'));
  await expect.poll(words, { timeout: PATIENCE_MS }).toBe('调价已冻结至 解除为止');
  await owner.call(unlockPrices, { body: { ids: [listing.id] } });
});

test('it never goes below what the costs ask for', async () => {
  await rivalAt(new Decimal('1.00'));
  const floored = async () => (await runs({ outcome: ['sent'] }))[0]?.words;
  await expect.poll(floored, { timeout: PATIENCE_MS }).toContain('触底');
  const [run] = await runs({ outcome: ['sent'] });
  expect(new Decimal(run?.newPrice ?? 0).toFixed()).toBe(new Decimal(run?.floor ?? 1).toFixed());
  expect(new Decimal(run?.floor ?? 0).gt(2)).toBe(true);
  await expect
    .poll(async () => (await runs({ outcome: ['sent'] }))[0]?.settled, { timeout: PATIENCE_MS })
    .toBe('confirmed');
  const row = (await owner.call(listRules, { body: { filter: {} } })).records.find((one) => one.id === ruleId);
  expect(row?.floored).toBe(1);
});

test('a decision is undone: the price before it comes back, and the listing stands still', async () => {
  const [run] = await runs({ outcome: ['sent'] });
  expect(await owner.call(revertRuns, { body: { ids: [run?.id ?? ''] } })).toEqual({ changes: 1 });
  await expect.poll(priceNow, { timeout: PATIENCE_MS }).toBe(new Decimal(run?.oldPrice ?? 0).toFixed(4));
  expect(await bindingOf(listing.id)).toMatchObject({ state: 'paused', reason: expect.stringContaining('恢复了原价') });
  const thief = await world.owner('别家');
  await expect(thief.call(revertRuns, { body: { ids: [run?.id ?? ''] } })).rejects.toThrow('没有可以恢复');
});

test('listings without costs, with no room, or whose changes do not take effect stop by themselves', async () => {
  const line = { sku: uncosted.sellerSku, minPrice: '2.00', maxPrice: '90.00' };
  await owner.call(bindListings, { body: { ruleId, site, lines: [line] } });
  const reason = async (id: string) => (await bindingOf(id))?.reason;
  await expect.poll(() => reason(uncosted.id), { timeout: PATIENCE_MS }).toBe('成本缺失：请维护采购成本');
  await owner.call(saveCost, { body: { sku: uncosted.sellerSku, unitCost: '9' } });
  const decideNow = async (id: string, at = world.sandbox.world.now()) => {
    const binding = await bindingOf(id);
    const now = new Date(at).toISOString();
    return world.as(owner, (ctx) => decideBinding(ctx, { bindingId: binding?.id ?? '', listingId: id, now }));
  };
  await decideNow(uncosted.id);
  expect(await reason(uncosted.id)).toBe('');
  await decideNow(uncosted.id, world.sandbox.world.now() + 40 * 60_000);
  expect(await reason(uncosted.id)).toBe('报价超过 30 分钟没有更新');
  await decideNow(uncosted.id);
  expect(await reason(uncosted.id)).toBe('');
  await owner.call(bindListings, { body: { ruleId, site, lines: [{ ...line, minPrice: '90.00' }] } });
  await expect.poll(() => reason(uncosted.id), { timeout: PATIENCE_MS }).toBe('最低价等于最高价');

  const binding = await bindingOf(listing.id);
  await owner.call(resumeBindings, { body: { ids: [binding?.id ?? ''] } });
  await world.as(owner, (ctx) =>
    sql`INSERT INTO repricing.run (company_id, rule_id, rule_name, binding_id, listing_id, account_id, marketplace_id,
               seller_sku, currency, outcome, words, inputs, settled, at)
        SELECT company_id, rule_id, rule_name, binding_id, listing_id, account_id, marketplace_id, seller_sku, currency,
               'sent', words, inputs, 'unconfirmed', kit.now() + n * interval '1 second'
          FROM (SELECT * FROM repricing.run WHERE company_id = ${ctx.companyId} AND listing_id = ${listing.id} LIMIT 1) AS r,
               generate_series(1, 3) AS n`.execute(ctx.db),
  );
  await decideNow(listing.id);
  expect(await reason(listing.id)).toBe('连续 3 次调价未生效');
});

test('a rule that is stopped or archived decides no more', async () => {
  await step(pauseRule);
  const before = (await runs()).length;
  const binding = await bindingOf(listing.id);
  await owner.call(resumeBindings, { body: { ids: [binding?.id ?? ''] } });
  const now = new Date(world.sandbox.world.now()).toISOString();
  const decided = await world.as(owner, (ctx) =>
    decideBinding(ctx, { bindingId: binding?.id ?? '', listingId: listing.id, now }),
  );
  expect(decided).toBeUndefined();
  expect((await runs()).length).toBe(before);
  await step(archiveRule);
  expect((await owner.call(listBindings, { body: { filter: { ruleId } } })).total).toBe(0);
  expect((await runs()).length).toBe(before);
});
