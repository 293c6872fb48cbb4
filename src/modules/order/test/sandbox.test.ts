import { createHash, randomUUID } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTenant, systemPrincipal } from '#kit/server/runtime.ts';
import {
  type AccountRef,
  type ApiRequest,
  ComeBackLater,
  type ReportSource,
  type SpApi,
} from '#modules/marketplace/server/index.ts';
import { type Sandbox, sandboxApp, startSandbox } from '#sandbox/index.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { LINES, MEASURES, type Measures } from '../server/measures.ts';
import { liveOrders } from '../server/sources/live.ts';
import { allOrdersLoader } from '../server/sources/report.ts';
import { BY_DATE, makeAccount, standing } from './support.ts';

const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 1);
const NOW = START + 40 * DAY;
const LATEST = NOW - 180_000;
/** A report covers at most 30 days, and nothing of the last minutes. */
const HALF = START + 20 * DAY;
const REPORTED = NOW - 300_000;

let world: World;
let sandbox: Sandbox;
let token: string;

async function post(path: string, body: unknown): Promise<Record<string, unknown>> {
  const response = await fetch(`${sandbox.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await response.json()) as Record<string, unknown>;
}

async function accessToken(sellingPartnerId: string, region: string): Promise<string> {
  const granted = await post('/control/authorise', { sellingPartnerId, region });
  const response = await fetch(`${sandbox.url}/lwa/auth/o2/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'refresh_token',
      refresh_token: String(granted.refreshToken),
      client_id: sandboxApp.clientId,
      client_secret: sandboxApp.clientSecret,
    }),
  });
  return ((await response.json()) as { access_token: string }).access_token;
}

const remote = () => {
  const [seller] = sandbox.business.accounts;
  if (!seller) throw new Error('the sandbox has no seller');
  return seller;
};

/** The marketplace over plain HTTP. `allowed` calls are answered, then the rate limit asks to come back later. */
function apiOf(allowed = Number.POSITIVE_INFINITY): SpApi {
  let left = allowed;
  return {
    async call<T>({ method, path, query = {}, body }: ApiRequest) {
      if (left <= 0) throw new ComeBackLater(60_000, 'limit');
      left -= 1;
      const url = new URL(`${sandbox.url}/spapi/${remote().region}${path}`);
      for (const [key, value] of Object.entries(query)) {
        if (value !== undefined) url.searchParams.set(key, Array.isArray(value) ? value.join(',') : String(value));
      }
      const response = await fetch(url, {
        method,
        headers: { 'x-amz-access-token': token, 'user-agent': 'test/1', 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return { body: (await response.json()) as T, requestId: undefined };
    },
  };
}

beforeAll(async () => {
  world = await createWorld();
  sandbox = await startSandbox({
    scenario: 'tiny',
    seed: 'order-test',
    startAt: START,
    clock: { mode: 'frozen', at: NOW },
    reportDelayMs: [0, 0],
    rateFactor: 1_000_000,
  });
  token = await accessToken(remote().sellingPartnerId, remote().region);
});
afterAll(async () => {
  await sandbox.close();
  await world.close();
});

async function seller(): Promise<{ owner: Person; account: AccountRef }> {
  const owner = await world.owner();
  const { region, marketplaceIds } = remote();
  return { owner, account: await makeAccount(world, owner, { region, marketplaceIds }) };
}

async function readApi(owner: Person, account: AccountRef, from: number, to: number, api = apiOf()): Promise<void> {
  const window = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
  const fetched = await liveOrders.fetch({ runtime: world.runtime, account, marketplaceId: undefined, window, api });
  await inTenant(world.runtime, systemPrincipal(owner.companyId), fetched.land);
}

async function report(account: AccountRef, from: number, to: number): Promise<ReportSource> {
  const api = apiOf();
  const { body: made } = await api.call<{ reportId: string }>({
    operation: 'createReport',
    method: 'POST',
    path: '/reports/2021-06-30/reports',
    body: {
      reportType: BY_DATE,
      marketplaceIds: account.marketplaceIds,
      dataStartTime: new Date(from).toISOString(),
      dataEndTime: new Date(to).toISOString(),
    },
  });
  const get = async <T>(path: string) => (await api.call<T>({ operation: 'getReport', method: 'GET', path })).body;
  let documentId: string | undefined;
  for (let tries = 0; tries < 50 && !documentId; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    documentId = (await get<{ reportDocumentId?: string }>(`/reports/2021-06-30/reports/${made.reportId}`))
      .reportDocumentId;
  }
  const document = await get<{ url: string; compressionAlgorithm?: string }>(
    `/reports/2021-06-30/documents/${documentId}`,
  );
  const response = await fetch(document.url);
  const raw = Buffer.from(await response.arrayBuffer());
  const bytes = document.compressionAlgorithm === 'GZIP' ? gunzipSync(raw) : raw;
  return {
    account,
    reportType: BY_DATE,
    marketplaceIds: account.marketplaceIds,
    open: async function* () {
      yield bytes;
    },
    charset: response.headers.get('content-type') ?? undefined,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    documentId: randomUUID(),
    fileName: 'orders.txt',
  };
}

interface Truth {
  orders: number;
  units: number;
  productSales: string;
  bySku: { sku: string; units: number; grossUnits: number; orders: number; productSales: string; discount: string }[];
}

async function expectTruth(owner: Person, account: AccountRef): Promise<void> {
  for (const marketplaceId of account.marketplaceIds) {
    const query = new URLSearchParams({
      sellingPartnerId: remote().sellingPartnerId,
      region: remote().region,
      marketplaceId,
    });
    const truth = (await (await fetch(`${sandbox.url}/control/truth?${query}`)).json()) as Truth;
    const bySku = await world.as(owner, async (ctx) => {
      const { rows } = await sql<Measures & { sku: string }>`
        SELECT l.seller_sku AS sku, ${MEASURES} FROM ${LINES}
         WHERE l.company_id = ${ctx.companyId} AND l.marketplace_id = ${marketplaceId} GROUP BY 1 ORDER BY 1`.execute(
        ctx.db,
      );
      return rows.filter((row) => row.grossUnits > 0);
    });
    const shape = (row: Truth['bySku'][number] | (Measures & { sku: string })) => [
      row.sku,
      row.units,
      row.grossUnits,
      row.orders,
      Number(row.productSales),
      Number(row.discount),
    ];
    expect(bySku.map(shape)).toEqual(truth.bySku.map(shape));
    expect(truth.units).toBeGreaterThan(50);
  }
}

describe('a simulated seller, read over the wire', () => {
  it('has the same orders by API alone as the books say, to the cent and the piece', async () => {
    const { owner, account } = await seller();
    await readApi(owner, account, START, LATEST);
    await expectTruth(owner, account);
  });

  it('ends in the same books when history comes by report and only the rest by API, in any order', async () => {
    const one = await seller();
    const files = [await report(one.account, START, HALF), await report(one.account, HALF, REPORTED)];
    for (const file of files) await world.as(one.owner, (ctx) => allOrdersLoader.load(ctx, file));
    await readApi(one.owner, one.account, NOW - 2 * DAY, LATEST);
    await expectTruth(one.owner, one.account);

    const two = await seller();
    await readApi(two.owner, two.account, NOW - 2 * DAY, LATEST);
    const early = await report(two.account, START, HALF);
    const file = await report(two.account, HALF, REPORTED);
    expect((await allOrdersLoader.check(file)).rows).toBeGreaterThan(50);
    await world.as(two.owner, (ctx) => allOrdersLoader.load(ctx, file));
    await world.as(two.owner, (ctx) => allOrdersLoader.load(ctx, early));
    const again = await world.as(two.owner, (ctx) => allOrdersLoader.load(ctx, file));
    expect(again).toMatchObject({ inserted: 0, updated: 0, quarantined: 0 });
    expect(await standing(world, two.owner)).toEqual(await standing(world, one.owner));
  });

  it('gets through a long search although the limit breaks it off again and again', async () => {
    const { owner, account } = await seller();
    let broken = 0;
    for (;;) {
      try {
        await readApi(owner, account, START, LATEST, apiOf(1));
        break;
      } catch (error) {
        if (!(error instanceof ComeBackLater)) throw error;
        broken += 1;
        expect(broken).toBeLessThan(60);
      }
    }
    expect(broken).toBeGreaterThan(1);
    await expectTruth(owner, account);
  });

  it('knows from the API alone to which country and state an order goes', async () => {
    const { owner, account } = await seller();
    await readApi(owner, account, NOW - 10 * DAY, LATEST);
    const { rows } = await world.as(owner, (ctx) =>
      sql<{ country: string; states: number; orders: number; unknown: number }>`
        SELECT ship_country AS country, count(DISTINCT ship_state)::int AS states, count(*)::int AS orders,
               (count(*) FILTER (WHERE coalesce(ship_state, '') = ''))::int AS unknown
          FROM "order".amazon_order WHERE company_id = ${ctx.companyId} GROUP BY 1`.execute(ctx.db),
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) {
      expect(row.country).toMatch(/^[A-Z]{2}$/);
      expect(row).toMatchObject({ unknown: 0 });
      expect(row.states).toBeGreaterThan(0);
    }
  });

  it('leaves no name, street or mail of a buyer in any table', async () => {
    const { owner, account } = await seller();
    await readApi(owner, account, NOW - 5 * DAY, LATEST);
    await world.as(owner, async (ctx) => allOrdersLoader.load(ctx, await report(account, HALF, REPORTED)));
    const text = await world.as(owner, async (ctx) => {
      const { rows } = await sql<{ text: string }>`
        SELECT string_agg(t, ' ') AS text FROM (
          SELECT o::text AS t FROM "order".amazon_order o WHERE o.company_id = ${ctx.companyId}
          UNION ALL SELECT l::text FROM "order".amazon_order_line l WHERE l.company_id = ${ctx.companyId}) x`.execute(
        ctx.db,
      );
      return rows[0]?.text ?? '';
    });
    expect(text.length).toBeGreaterThan(10_000);
    expect(text).not.toMatch(/Buyer \d|Sample Street|example\.com|000-000-0000/);
  });
});
