import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Decimal } from '#kit/contract/decimal.ts';
import { mixedOf } from '#kit/contract/totals.ts';
import { PRESET_RATES } from '#modules/finance/contract/rates.ts';
import { connectStore, createMarketplaceWorld, type MarketplaceWorld } from '#test/support/marketplace.ts';
import { publishRates } from '#test/support/rates.ts';
import { adFigures, adTruth, atGrain, connectAds } from '#test/support/truth-ads.ts';
import type { Person } from '#test/support/world.ts';
import { adGroups, campaignChoices, campaigns, negatives, productAds, targets, terms } from '../contract/lists.ts';
import { changes, placements } from '../contract/more-lists.ts';

const SELLER = 'A1SANDBOX0001';
const US = 'ATVPDKIKX0DER';
const DAY = 86_400_000;

let world: MarketplaceWorld;
let admin: pg.Pool;
let owner: Person;
let accountId: string;

beforeAll(async () => {
  world = await createMarketplaceWorld();
  admin = new pg.Pool({ connectionString: world.databaseUrl, max: 2 });
  admin.on('error', () => {});
  owner = await world.owner();
  const store = await connectStore(owner, SELLER);
  ({ accountId } = store);
  await connectAds(owner, store.storeId, SELLER);
  await publishRates(world);
});
afterAll(async () => {
  await admin.end();
  await world.close();
});

interface Cursor {
  id: string;
  company_id: string;
  stream: string;
  state: string;
  last_error: string | null;
  succeeded: boolean;
}

async function cursors(): Promise<Cursor[]> {
  const { rows } = await admin.query<Cursor>(
    `SELECT id, company_id, stream, state, last_error, last_success_at IS NOT NULL AS succeeded
       FROM marketplace.sync_cursor WHERE stream LIKE 'advertising.%' ORDER BY stream = 'advertising.changes', stream, marketplace_id`,
  );
  return rows;
}

/** Runs every stream of advertising once, or those that are named. */
async function readAll(named = /./): Promise<Cursor[]> {
  const syncJob = world.runtime.modules
    .flatMap((one) => one.jobs ?? [])
    .find(({ name }) => name === 'marketplace.sync');
  if (!syncJob) throw new Error('nothing synchronises');
  for (const { id, company_id: companyId } of (await cursors()).filter(({ stream }) => named.test(stream))) {
    await syncJob.run(world.runtime, { companyId, cursorId: id } as never);
  }
  return cursors();
}

async function written(): Promise<number> {
  const { rows } = await admin.query<{ n: number }>(
    `SELECT coalesce(sum(inserted + updated), 0)::int AS n FROM marketplace.sync_run WHERE stream LIKE 'advertising.%'`,
  );
  return rows[0]?.n ?? 0;
}

test('the first reading brings structure and figures of both profiles, to the cent, at every grain', async () => {
  const read = await readAll();
  expect(read).toHaveLength(28);
  expect(read.flatMap((one) => one.last_error ?? [])).toEqual([]);
  expect(read.every((one) => one.succeeded)).toBe(true);
  const truth = adTruth(world.sandbox, SELLER, 'na');
  expect(Object.keys(truth).length).toBeGreaterThan(6);
  expect(await adFigures(world, owner, accountId)).toEqual(truth);
  expect(await adFigures(world, owner, accountId, 'product_day')).toEqual(truth);
  expect(await adFigures(world, owner, accountId, 'target_day')).toEqual(truth);
  expect(await adFigures(world, owner, accountId, 'placement_day')).toEqual(atGrain(truth, 'placement_day'));
  expect(new Set(Object.keys(truth).map((key) => key.split(' ')[1]))).toEqual(new Set(['SP', 'SB', 'SD']));
});

test('reading the same again writes nothing', async () => {
  const before = await written();
  await readAll();
  expect(await written()).toBe(before);
});

test('days that were restated meanwhile are replaced, and no others', async () => {
  const before = adTruth(world.sandbox, SELLER, 'na');
  world.sandbox.world.commandClock({ advanceMs: 2 * DAY });
  await readAll();
  const truth = adTruth(world.sandbox, SELLER, 'na');
  expect(truth).not.toEqual(before);
  expect(await adFigures(world, owner, accountId)).toEqual(truth);
  const { rows } = await admin.query<{ versions: number; latest: number }>(
    `SELECT count(*) FILTER (WHERE version > 1)::int AS versions,
            count(*) FILTER (WHERE day < (SELECT max(day) FROM advertising.slice) - 40 AND version > 1)::int AS latest
       FROM advertising.slice WHERE grain = 'campaign'`,
  );
  expect(rows[0]?.versions).toBeGreaterThan(2);
  expect(rows[0]?.latest).toBe(0);
});

test('the list of campaigns has sums, ratios of sums, order and one site’s totals', async () => {
  const sites = [`${US}-${accountId}`];
  const { records, total, totals, asOf } = await owner.call(campaigns.list, {
    body: { filter: { sites }, sort: 'acos', order: 'desc' },
  });
  expect(total).toBe(records.length);
  expect(asOf).not.toBeNull();
  const truth = Object.entries(adTruth(world.sandbox, SELLER, 'na')).filter(([key]) => key.startsWith(US));
  const cost = truth.reduce((sum, [, text]) => sum.plus(text.split('/')[2] ?? 0), new Decimal(0));
  const sales = truth.reduce((sum, [, text]) => sum.plus(text.split('/')[4] ?? 0), new Decimal(0));
  expect(new Decimal(String(totals?.cost)).toFixed(2)).toBe(cost.toFixed(2));
  expect(String(totals?.acos)).toBe(cost.div(sales).toFixed(6));
  const worth = records.map(({ acos, cost: spent }) =>
    acos === null ? (Number(spent) > 0 ? Number.POSITIVE_INFINITY : -1) : Number(acos),
  );
  expect(worth).toEqual([...worth].sort((a, b) => b - a));
  const paused = records.find(({ state }) => state === 'PAUSED');
  expect(paused).toMatchObject({ impressions: 0, cost: '0', ctr: null, acos: null, cpc: null });
});

test('sums of two currencies are told one by one and converted, and no ratio is made of them', async () => {
  const { totals } = await owner.call(campaigns.list, { body: { filter: {} } });
  expect(totals?.clicks).toBeGreaterThan(0);
  expect(totals?.cost).toBeNull();
  expect(totals).not.toHaveProperty('acos');
  const { records } = await owner.call(campaigns.list, { body: { pagesize: 100, filter: {} } });
  const each = Map.groupBy(records, (row) => row.currency);
  const spent = (currency: string) =>
    (each.get(currency) ?? []).reduce((sum, row) => sum.plus(row.cost ?? 0), new Decimal(0)).toFixed(2);
  const told = mixedOf(totals ?? {}, 'cost');
  expect(told?.each.map(({ currency, amount }) => [currency, new Decimal(amount ?? 0).toFixed(2)])).toEqual(
    ['CAD', 'USD'].map((currency) => [currency, spent(currency)]),
  );
  expect(told?.converted).not.toBeNull();
});

test('amounts of two currencies are put in order by what they are worth, ratios as they are', async () => {
  for (const sort of [undefined, 'cost', 'adSales', 'cpc', 'budget'] as const) {
    const body = { pagesize: 100, filter: {}, ...(sort ? { sort, order: 'desc' as const } : {}) };
    const { records } = await owner.call(campaigns.list, { body });
    expect(new Set(records.map(({ currency }) => currency))).toEqual(new Set(['USD', 'CAD']));
    const worth = records.flatMap((row) => {
      const amount = row[sort ?? 'cost'];
      return amount === null ? [] : [new Decimal(amount).times(PRESET_RATES[row.currency] ?? Number.NaN).toNumber()];
    });
    const plain = records.flatMap((row) => row[sort ?? 'cost'] ?? []).map(Number);
    expect(worth.length).toBeGreaterThan(4);
    expect(worth.every((value, place) => value <= (worth[place - 1] ?? Infinity) + 0.01)).toBe(true);
    if (sort === 'cost') expect(plain).not.toEqual([...plain].sort((a, b) => b - a));
  }
});

test('a campaign opens down to groups, products, targets, terms and negatives, which add up to it', async () => {
  const { records } = await owner.call(campaigns.list, {
    body: { filter: { keyword: 'SP-Auto', sites: [`${US}-${accountId}`] } },
  });
  const [campaign] = records;
  if (!campaign) throw new Error('no campaign');
  const filter = { campaign: campaign.id };
  const groups = await owner.call(adGroups.list, { body: { filter } });
  const products = await owner.call(productAds.list, { body: { filter } });
  const clauses = await owner.call(targets.list, { body: { filter } });
  const searched = await owner.call(terms.list, { body: { filter } });
  const kept = await owner.call(negatives.list, { body: { filter } });
  for (const list of [groups, products, clauses]) {
    expect([list.totals?.cost, list.totals?.clicks].map(Number)).toEqual([campaign.cost, campaign.clicks].map(Number));
  }
  expect(Number(searched.totals?.clicks)).toBe(campaign.clicks);
  expect(clauses.records.map(({ name }) => name).sort()).toEqual(['关联商品', '同类商品', '宽泛匹配', '紧密匹配']);
  expect(products.records.length).toBeGreaterThan(1);
  expect(kept.records.map(({ level }) => level).sort()).toEqual(['AD_GROUP', 'AD_GROUP', 'CAMPAIGN']);
  const choices = await owner.call(campaignChoices, {});
  expect(choices).toContainEqual({ value: campaign.id, label: campaign.name });
});

test('one kind of advertising is chosen alone, at every level, and adds up; brands show several products', async () => {
  const sites = [`${US}-${accountId}`];
  for (const product of ['SB', 'SD'] as const) {
    const filter = { sites, products: [product] };
    const [whole, ...parts] = await Promise.all(
      [campaigns, adGroups, productAds, targets].map((one) =>
        owner.call(one.list, { body: { pagesize: 100, filter } }),
      ),
    );
    const truth = Object.entries(adTruth(world.sandbox, SELLER, 'na')).filter(([key]) =>
      key.startsWith(`${US} ${product}`),
    );
    const cost = truth.reduce((sum, [, text]) => sum.plus(text.split('/')[2] ?? 0), new Decimal(0));
    for (const list of [whole, ...parts]) {
      expect(list?.records.every(({ adProduct }) => adProduct === product)).toBe(true);
    }
    expect(new Decimal(String(whole?.totals?.cost)).toFixed(2)).toBe(cost.toFixed(2));
    for (const { totals } of parts) expect(totals?.cost).toBe(whole?.totals?.cost);
    expect(Number(whole?.totals?.views)).toBeGreaterThan(0);
  }
  const { records } = await owner.call(productAds.list, { body: { filter: { products: ['SB'] } } });
  expect(records.some(({ product }) => product.code.split(' ').length === 3)).toBe(true);
});

test('placements add up to their campaign, with what is added to bids there', async () => {
  const filter = { sites: [`${US}-${accountId}`] };
  const {
    records: [campaign],
  } = await owner.call(campaigns.list, { body: { filter: { ...filter, products: ['SP'] } } });
  if (!campaign) throw new Error('no campaign');
  const found = await owner.call(placements.list, { body: { filter: { campaign: campaign.id } } });
  expect([found.totals?.cost, found.totals?.clicks].map(Number)).toEqual([campaign.cost, campaign.clicks].map(Number));
  expect(found.records.length).toBeGreaterThan(1);
  const top = found.records.find(({ placement }) => placement.startsWith('Top'));
  expect(top?.percent ?? campaign.topPercent).toBe(campaign.topPercent);
  await expect(owner.call(placements.list, { body: { filter: { products: ['TV'] } } as never })).rejects.toThrow();
});

test('what was changed is told newest first, with both values, and the campaign is set up as the last one says', async () => {
  const { records, total } = await owner.call(changes.list, { body: { pagesize: 100, filter: {} } });
  expect(total).toBeGreaterThan(10);
  const times = records.map(({ at }) => at);
  expect(times).toEqual([...times].sort().reverse());
  expect(new Set(records.map(({ adProduct }) => adProduct))).toEqual(new Set(['SP', 'SB']));
  const budget = records.find(({ field }) => field === 'BUDGET_AMOUNT');
  if (!budget) throw new Error('no budget was changed');
  expect(budget.before).not.toBe(budget.after);
  const { records: now } = await owner.call(campaigns.list, { body: { filter: { keyword: budget.campaign } } });
  expect(now.map((row) => Number(row.budget))).toContain(Number(budget.after));
  const bids = await owner.call(changes.list, { body: { filter: { fields: ['BID_AMOUNT'], products: ['SP'] } } });
  expect(bids.records.every(({ field, name }) => field === 'BID_AMOUNT' && !/^\d{18}$/.test(name))).toBe(true);
  await expect(owner.call(changes.list, { body: { filter: { fields: ['COLOUR'] } } as never })).rejects.toThrow();
});

test('what is no longer there is marked; its figures stay', async () => {
  await admin.query(`UPDATE advertising.campaign SET name = name || ' (old)' WHERE targeting = 'AUTO'`);
  await admin.query(
    `INSERT INTO advertising.campaign (company_id, account_id, marketplace_id, profile_id, ad_product, campaign_id, name,
       state, targeting, currency, strategy, top_percent, portfolio_id, serving_status, as_of)
     SELECT company_id, account_id, marketplace_id, profile_id, ad_product, '1', 'gone', state, targeting, currency,
       strategy, 0, '', '', as_of FROM advertising.campaign WHERE marketplace_id = '${US}' LIMIT 1`,
  );
  await readAll(/structure/i);
  const gone = await owner.call(campaigns.list, { body: { filter: { states: ['GONE'] } } });
  expect(gone.records.map(({ name }) => name)).toEqual(['gone']);
  const renamed = await owner.call(campaigns.list, { body: { filter: { keyword: '(old)' } } });
  expect(renamed.records).toEqual([]);
});

test('another company sees nothing of it', async () => {
  const other = await world.owner();
  for (const list of [campaigns, adGroups, productAds, targets, terms, negatives, placements, changes]) {
    expect((await other.call(list.list, { body: { filter: {} } })).total).toBe(0);
  }
  expect(await other.call(campaignChoices, {})).toEqual([]);
});
