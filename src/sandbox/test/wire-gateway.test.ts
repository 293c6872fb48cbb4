import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type Bench, bench, DAY, HOUR, type Json, listOf, NOW, postJson, START } from './wire-support.ts';

const open: Bench[] = [];
async function start(options: Parameters<typeof bench>[0] = {}): Promise<Bench> {
  const shop = await bench(options);
  open.push(shop);
  return shop;
}
afterEach(async () => {
  for (const shop of open.splice(0)) await shop.close();
});

const participations = '/sellers/v1/marketplaceParticipations';

describe('the gateway', () => {
  it('demands a token of the very region, and says why not', async () => {
    const shop = await start();
    const ask = async (region: string, headers: Record<string, string>): Promise<unknown[]> => {
      const answer = await fetch(`${shop.url}/spapi/${region}${participations}`, { headers });
      return [answer.status, listOf(((await answer.json()) as Json).errors ?? [])[0]?.code];
    };
    const token = await shop.token();
    expect(await ask('na', {})).toEqual([403, 'Unauthorized']);
    expect(await ask('na', { 'x-amz-access-token': 'Atza|nonsense' })).toEqual([403, 'Unauthorized']);
    expect(await ask('na', { 'x-amz-access-token': `${token}x` })).toEqual([403, 'Unauthorized']);
    expect(await ask('eu', { 'x-amz-access-token': token })).toEqual([403, 'Unauthorized']);
    expect(await ask('na', { 'x-amz-access-token': token, 'user-agent': '' })).toEqual([400, 'InvalidInput']);
    expect(await ask('na', { 'x-amz-access-token': token })).toEqual([200, undefined]);
  });

  it('answers 501 for what it does not simulate, in the shape of the API', async () => {
    const shop = await start();
    for (const [method, path] of [
      ['GET', '/awd/2024-05-09/inventory'],
      ['POST', '/tokens/2021-03-01/restrictedDataToken'],
      ['GET', '/reports/2021-06-30/schedules'],
    ] as const) {
      const answer = await shop.call(path, { method });
      const { errors } = (await answer.json()) as Json;
      expect([path, answer.status, listOf(errors)[0]?.code]).toEqual([path, 501, 'NotImplemented']);
      expect(answer.headers.get('x-amzn-requestid')).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  it('lists the marketplaces of the account, and where orders of other shops are fulfilled', async () => {
    const shop = await start();
    const { payload } = await shop.json(participations);
    expect(listOf(payload).map((one) => one.marketplace)).toMatchObject([
      { id: 'ATVPDKIKX0DER', countryCode: 'US', defaultCurrencyCode: 'USD', domainName: 'www.amazon.com' },
      { id: 'A2EUQ1WTGCTBG2', countryCode: 'CA', defaultCurrencyCode: 'CAD', domainName: 'www.amazon.ca' },
      { id: 'A2ZV50J4W1RKNI', countryCode: 'US', name: 'Non-Amazon US' },
    ]);
  });

  it('spends the burst, refuses with 429, and refills by the plan on the throttle clock', async () => {
    const shop = await start({ rateFactor: 1 });
    const path =
      '/fba/inventory/v1/summaries?granularityType=Marketplace&granularityId=ATVPDKIKX0DER&marketplaceIds=ATVPDKIKX0DER';
    const statuses = async (calls: number): Promise<number[]> => {
      const all: number[] = [];
      for (let call = 0; call < calls; call++) all.push((await shop.call(path)).status);
      return all;
    };
    expect(await statuses(3)).toEqual([200, 200, 429]);
    const refused = await shop.call(path);
    expect(refused.headers.get('x-amzn-ratelimit-limit')).toBe('2');
    expect(await refused.json()).toEqual({
      errors: [{ code: 'QuotaExceeded', message: 'You exceeded your quota for the requested resource.', details: '' }],
    });
    shop.throttle.advance(499);
    expect(await statuses(1)).toEqual([429]);
    shop.throttle.advance(1);
    expect(await statuses(2)).toEqual([200, 429]);
    const { meters } = await shop.control('/throttle');
    expect(listOf(meters)).toMatchObject([{ rate: 2, burst: 2, calls: 7, throttled: 4 }]);
  });

  it('keeps accounts and operations apart, and shows a raised plan in the header', async () => {
    const shop = await start({ rateFactor: 60 });
    const orders = `/orders/2026-01-01/orders?createdAfter=2026-01-30T00:00:00Z`;
    let last = await shop.call(orders);
    for (let call = 0; call < 20; call++) last = await shop.call(orders);
    expect([last.status, last.headers.get('x-amzn-ratelimit-limit')]).toEqual([429, '0.336']);
    expect((await shop.call(participations)).status).toBe(200);
    const headers = { 'x-amz-access-token': await shop.token('na', 'A2FAKE'), 'user-agent': 'bench/1' };
    expect((await fetch(`${shop.url}/spapi/na${orders}`, { headers })).status).toBe(200);
  });

  it('answers malformed bodies with 400 in the shape of the API', async () => {
    const shop = await start();
    const answer = await shop.call('/reports/2021-06-30/reports', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"reportType":',
    });
    expect(answer.status).toBe(400);
    expect(listOf(((await answer.json()) as Json).errors)[0]?.code).toBe('InvalidInput');
  });
});

describe('control', () => {
  it('moves the data clock forward only, and never the throttle clock', async () => {
    const shop = await start();
    expect(await shop.control('/clock')).toMatchObject({ mode: 'frozen', now: NOW, throttleNow: NOW });
    expect(await shop.control('/clock', { advanceMs: HOUR })).toMatchObject({ now: NOW + HOUR, throttleNow: NOW });
    expect(await shop.control('/clock', { setAt: '2026-03-01T00:00:00Z' })).toMatchObject({
      now: Date.UTC(2026, 2, 1),
    });
    const back = await fetch(`${shop.url}/control/clock`, postJson({ advanceMs: -1 }));
    expect(back.status).toBe(400);
    const wrong = await fetch(`${shop.url}/control/clock`, postJson({ factor: 0 }));
    expect(wrong.status).toBe(400);
  });

  it('runs at N times real time when told to', async () => {
    let real = NOW;
    const shop = await start({ wallClock: { now: () => real } });
    await shop.control('/clock', { factor: 60 });
    real += 1000;
    expect(await shop.control('/clock')).toMatchObject({ mode: 'scaled', now: NOW + 60_000 });
    await shop.control('/clock', { mode: 'real' });
    real += 1000;
    expect(await shop.control('/clock')).toMatchObject({ mode: 'real', now: NOW + 61_000 });
  });

  it('remembers its beginning, its clock, revocations and reports across a restart', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'sandbox-'));
    try {
      const first = await start({ dataDir });
      await first.control('/clock', { advanceMs: DAY });
      const { reportId } = await first.json(
        '/reports/2021-06-30/reports',
        postJson({
          reportType: 'GET_MERCHANT_LISTINGS_ALL_DATA',
          marketplaceIds: ['ATVPDKIKX0DER'],
        }),
      );
      first.throttle.advance(1);
      const token = await first.token();
      await first.control('/revoke', { sellingPartnerId: 'A2FAKE', region: 'na' });
      await first.close();

      const second = await start({ dataDir, startAt: START + 5 * DAY, clock: { mode: 'frozen', at: NOW + 9 * DAY } });
      expect(await second.control('/state')).toMatchObject({
        startAt: START,
        clock: { now: NOW + DAY },
        revoked: [{ account: 'A2FAKE|na' }],
        reports: 1,
      });
      // Real time never goes back over a restart; the manual clock of the second bench has to be told.
      second.throttle.advance(HOUR / 2);
      // The token of before the restart still works: the sandbox keeps none and needs none.
      const headers = { 'x-amz-access-token': token, 'user-agent': 'bench/1' };
      const report = await fetch(`${second.url}/spapi/na/reports/2021-06-30/reports/${String(reportId)}`, { headers });
      expect(await report.json()).toMatchObject({ processingStatus: 'DONE' });
      await second.close();
      await expect(bench({ dataDir, seed: 'another' })).rejects.toThrow(/begun as "demo demo-1"/);
    } finally {
      rmSync(dataDir, { recursive: true });
    }
  });

  it('begins anew on reset and forgets tokens of another seed', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'sandbox-'));
    const shop = await start({ dataDir });
    const token = await shop.token();
    await shop.control('/faults', { kind: 'throttleStorm' });
    const state = await shop.control('/reset', { seed: 'demo-2', startAt: '2026-02-01', now: '2026-02-11' });
    expect(state).toMatchObject({ seed: 'demo-2', startAt: Date.UTC(2026, 1, 1), faults: [], reports: 0 });
    const headers = { 'x-amz-access-token': token, 'user-agent': 'bench/1' };
    expect((await fetch(`${shop.url}/spapi/na${participations}`, { headers })).status).toBe(403);
    await shop.close();
    const again = await start({ dataDir });
    expect(await again.control('/state')).toMatchObject({ seed: 'demo-2', startAt: Date.UTC(2026, 1, 1) });
    rmSync(dataDir, { recursive: true });
  });

  it('raises and lowers the plan of everybody at once', async () => {
    const shop = await start({ rateFactor: 1 });
    const limit = async (): Promise<unknown> => (await shop.call(participations)).headers.get('x-amzn-ratelimit-limit');
    expect(await limit()).toBe('0.016');
    await shop.control('/throttle', { rateFactor: 10 });
    expect(await limit()).toBe('0.16');
  });

  it('takes commands as JSON only, so that no page of another origin can give any', async () => {
    const shop = await start();
    const form = await fetch(`${shop.url}/control/reset`, { method: 'POST', body: new URLSearchParams({ seed: 'x' }) });
    const bare = await fetch(`${shop.url}/control/reset`, { method: 'POST' });
    expect([form.status, bare.status]).toEqual([415, 415]);
    expect((await shop.control('/state')).seed).toBe('demo-1');
  });

  it('shows truth and audit, and refuses what makes no sense', async () => {
    const shop = await start();
    const query = 'sellingPartnerId=A1FAKE&region=na&marketplaceId=ATVPDKIKX0DER&from=2026-01-01&to=2026-01-31';
    expect(await shop.control(`/truth?${query}`)).toMatchObject({ sellingPartnerId: 'A1FAKE', asOf: NOW });
    expect(await shop.control('/audit')).toEqual({ ok: true, messages: [] });
    for (const path of ['/truth?sellingPartnerId=A1FAKE&region=mars', '/truth?sellingPartnerId=X&region=na']) {
      expect([path, (await fetch(`${shop.url}/control${path}`)).status]).toEqual([path, 400]);
    }
    const unknown = await fetch(`${shop.url}/control/faults`, postJson({ kind: 'earthquake' }));
    expect(unknown.status).toBe(400);
  });
});

describe('pictures', () => {
  it('draws every kind differently, the colour as asked, and a parcel for the unknown', async () => {
    const shop = await start();
    const get = async (name: string): Promise<string> => {
      const answer = await fetch(`${shop.url}/images/${name}.svg`);
      expect([name, answer.status, answer.headers.get('content-type')]).toEqual([name, 200, 'image/svg+xml']);
      return answer.text();
    };
    const kinds =
      'bottle backpack board liner light cubes mat grinder toothbrush cable lantern cup organizer bowl brush tunnel leash pot lamp spoons'.split(
        ' ',
      );
    const digests = new Set<string>();
    for (const kind of kinds)
      digests.add(
        createHash('sha256')
          .update(await get(`${kind}-blue`))
          .digest('hex'),
      );
    expect(digests.size).toBe(kinds.length);
    expect(await get('bottle-blue')).not.toBe(await get('bottle-red'));
    expect(await get('nothing-blue')).toBe(await get('anything'));
    expect((await fetch(`${shop.url}/images/bottle.png`)).status).toBe(404);
  });
});
