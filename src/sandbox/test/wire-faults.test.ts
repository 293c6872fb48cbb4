import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { faultKinds } from '../wire/faults.ts';
import { type Bench, bench, HOUR, type Json, listOf, NOW, postJson, rowsOf, tokenRequest } from './wire-support.ts';

let shop: Bench;
beforeEach(async () => {
  shop = await bench();
});
afterEach(() => shop.close());

const participations = '/sellers/v1/marketplaceParticipations';
const LISTINGS = 'GET_MERCHANT_LISTINGS_ALL_DATA';
const US = ['ATVPDKIKX0DER'];
const orders = `/orders/2026-01-01/orders?lastUpdatedAfter=${new Date(NOW - 6 * HOUR).toISOString()}&maxResultsPerPage=5`;

const proven = new Set<string>();
async function fault(rule: { kind: string } & Record<string, unknown>): Promise<string> {
  proven.add(rule.kind);
  const { added } = await shop.control('/faults', rule);
  return String(added?.id);
}

async function read(path: string, seller = 'A1FAKE'): Promise<number> {
  const headers = { 'x-amz-access-token': await shop.token('na', seller), 'user-agent': 'bench/1' };
  shop.throttle.advance(1);
  return (await fetch(`${shop.url}/spapi/na${path}`, { headers })).status;
}

/** A listings report's document, freshly asked for. */
function listingsReport() {
  return shop.report('na', 'A1FAKE', { reportType: LISTINGS, marketplaceIds: US });
}

describe('rules', () => {
  it('strike by operation, seller, position and count', async () => {
    await fault({ kind: 'throttleStorm', operation: 'getMarketplaceParticipations', nth: 2, count: 2 });
    const statuses: number[] = [];
    for (let call = 0; call < 5; call++) statuses.push(await read(participations));
    expect(statuses).toEqual([200, 429, 429, 200, 200]);
    await shop.control('/faults', { action: 'clear' });
    await fault({ kind: 'throttleStorm', sellingPartnerId: 'A2FAKE' });
    expect([await read(participations), await read(participations, 'A2FAKE')]).toEqual([200, 429]);
    expect(await read('/sellers/v1/account')).toBe(200);
  });

  it('strike by a seeded draw: the same calls fail every time', async () => {
    const run = async (): Promise<number[]> => {
      await shop.control('/faults', { action: 'clear' });
      await fault({ kind: 'throttleStorm', probability: 0.4, seed: 'storm' });
      const statuses: number[] = [];
      for (let call = 0; call < 20; call++) statuses.push(await read(participations));
      return statuses;
    };
    const first = await run();
    expect(new Set(first)).toEqual(new Set([200, 429]));
    expect(await run()).toEqual(first);
  });

  it('can be listed and taken away one by one', async () => {
    const id = await fault({ kind: 'throttleStorm' });
    await fault({ kind: 'throttleStorm', operation: 'getAccount' });
    expect(listOf((await shop.control('/faults')).faults).length).toBe(2);
    await shop.control('/faults', { action: 'clear', id });
    expect(await read(participations)).toBe(200);
    expect(await read('/sellers/v1/account')).toBe(429);
  });
});

describe('faults of a call', () => {
  it('answers a server error as a page, not as JSON', async () => {
    const operation = 'getMarketplaceParticipations';
    await fault({ kind: 'serverError', operation, status: 500, count: 1 });
    await fault({ kind: 'serverError', operation, count: 1 });
    const answer = await shop.call(participations);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([500, 'text/html']);
    expect(await answer.text()).toContain('<h1>500 Internal Server Error</h1>');
    expect(await read(participations)).toBe(503);
    expect(await read(participations)).toBe(200);
  });

  it('hangs before any effect, or after it', async () => {
    const create = (): Promise<Response> =>
      shop.call('/reports/2021-06-30/reports', postJson({ reportType: LISTINGS, marketplaceIds: US }));
    const known = async (): Promise<number> =>
      listOf((await shop.json(`/reports/2021-06-30/reports?reportTypes=${LISTINGS}`)).reports).length;
    await fault({ kind: 'timeoutBefore', operation: 'createReport', count: 1, ms: 20 });
    await expect(create()).rejects.toThrow();
    expect(await known()).toBe(0);
    await fault({ kind: 'timeoutAfter', operation: 'createReport', count: 1, ms: 20 });
    await expect(create()).rejects.toThrow();
    expect(await known()).toBe(1);
  });

  it('resets the connection in the middle of the body', async () => {
    await fault({ kind: 'connectionReset', operation: 'searchOrders', count: 1 });
    const answer = await shop.call(orders);
    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow();
    expect((await shop.json(orders)).orders).toBeDefined();
  });

  it('takes a role away: this operation is forbidden, the others go on', async () => {
    await fault({ kind: 'roleRemoved', operation: 'searchOrders' });
    const answer = await shop.call(orders);
    expect(answer.status).toBe(403);
    expect(listOf(((await answer.json()) as Json).errors)[0]?.code).toBe('Unauthorized');
    expect(await read(participations)).toBe(200);
  });

  it('sends an empty page whose token goes on at the same place', async () => {
    const whole = listOf((await shop.json(orders)).orders).map((order) => order.orderId);
    await fault({ kind: 'emptyPage', operation: 'searchOrders', count: 1 });
    const empty = await shop.json(orders);
    expect(empty.orders).toEqual([]);
    const token = encodeURIComponent(String(empty.pagination?.nextToken));
    const next = await shop.json(`${orders}&paginationToken=${token}`);
    expect(listOf(next.orders).map((order) => order.orderId)).toEqual(whole);
  });

  it('refuses a page token as expired', async () => {
    const { pagination } = await shop.json(orders);
    const path = `${orders}&paginationToken=${encodeURIComponent(String(pagination?.nextToken))}`;
    await fault({ kind: 'expiredPageToken', count: 1 });
    expect([await read(path), await read(path)]).toEqual([400, 200]);
  });

  it('lets the clock of the answer go wrong', async () => {
    await fault({ kind: 'clockSkew', ms: 3 * HOUR });
    const date = Date.parse((await shop.call(participations)).headers.get('date') ?? '');
    expect(Math.abs(date - Date.now() - 3 * HOUR)).toBeLessThan(60_000);
  });
});

describe('faults of the token endpoint', () => {
  it('refuses a code as used and a refresh token as revoked', async () => {
    const granted = await shop.control('/authorise', { sellingPartnerId: 'A1FAKE', region: 'na' });
    const refresh = { grant_type: 'refresh_token', refresh_token: String(granted.refreshToken) };
    await fault({ kind: 'tokenRevoked', count: 1 });
    expect(((await (await tokenRequest(shop.url, refresh)).json()) as Json).error).toBe('invalid_grant');
    expect((await tokenRequest(shop.url, refresh)).status).toBe(200);

    const body = new URLSearchParams({
      application_id: 'amzn1.sp.solution.sandbox',
      state: 's',
      redirect_uri: 'http://erp.example/',
      selling_partner_id: 'A1FAKE',
      decision: 'agree',
    });
    const consent = `${shop.url}/consent/us/apps/authorize/consent`;
    const back = await fetch(consent, { method: 'POST', body, redirect: 'manual' });
    const code = new URL(back.headers.get('location') ?? '').searchParams.get('spapi_oauth_code') ?? '';
    await fault({ kind: 'codeReused', count: 1 });
    const exchange = await tokenRequest(shop.url, { grant_type: 'authorization_code', code });
    expect([exchange.status, ((await exchange.json()) as Json).error]).toEqual([400, 'invalid_grant']);
  });
});

describe('faults of reports', () => {
  it.each([
    ['reportStuck', 'IN_PROGRESS'],
    ['reportFatal', 'FATAL'],
    ['reportCancelled', 'CANCELLED'],
  ])('%s leaves the report %s', async (kind, status) => {
    await fault({ kind, reportType: LISTINGS, count: 1 });
    const path = '/reports/2021-06-30/reports';
    const ask = async (): Promise<Json> => {
      const { reportId } = await shop.json(path, postJson({ reportType: LISTINGS, marketplaceIds: US }));
      shop.throttle.advance(HOUR / 2);
      return shop.json(`${path}/${String(reportId)}`);
    };
    expect((await ask()).processingStatus).toBe(status);
    expect((await ask()).processingStatus).toBe('DONE');
  });

  it('gives a FATAL report a document that tells the reason', async () => {
    await fault({ kind: 'reportFatal', count: 1 });
    const { bytes } = await listingsReport();
    expect(JSON.parse(bytes.toString())).toHaveProperty('errorDetails');
  });

  it('expires a document at once', async () => {
    await fault({ kind: 'documentExpired', count: 1 });
    const { response, link } = await listingsReport();
    expect(response.status).toBe(403);
    expect((await fetch(link)).status).toBe(200);
  });

  it('cuts the gzip short', async () => {
    const { link } = await listingsReport();
    await fault({ kind: 'truncatedGzip', count: 1 });
    const cut = await fetch(link);
    expect(cut.status).toBe(200);
    const raw = Buffer.from(await cut.arrayBuffer());
    expect(() => gunzipSync(raw)).toThrow('unexpected end of file');
    const whole = Buffer.from(await (await fetch(link)).arrayBuffer());
    expect(whole.length).toBeGreaterThan(raw.length);
    expect(rowsOf(gunzipSync(whole).toString()).length).toBe(120);
  });

  it('claims another charset, or begins with a byte order mark', async () => {
    await fault({ kind: 'wrongCharset', charset: 'Shift_JIS' });
    await fault({ kind: 'bom' });
    const { response, bytes } = await listingsReport();
    expect(response.headers.get('content-type')).toBe('text/plain; charset=Shift_JIS');
    expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
  });

  it('works on the table, stays with the document, and goes with the rule', async () => {
    const clean = (await listingsReport()).bytes.toString();
    const head = (text: string): string[] => (text.split(/\r?\n/)[0] ?? '').split('\t');
    const struck = async (rule: { kind: string } & Record<string, unknown>): Promise<string> => {
      const id = await fault({ ...rule, count: 1 });
      const { bytes, link } = await listingsReport();
      const again = gunzipSync(Buffer.from(await (await fetch(link)).arrayBuffer()));
      expect(again.equals(bytes)).toBe(true);
      await shop.control('/faults', { action: 'clear', id });
      const after = gunzipSync(Buffer.from(await (await fetch(link)).arrayBuffer())).toString();
      expect(after).toBe(clean);
      return bytes.toString();
    };
    const doubled = rowsOf(await struck({ kind: 'duplicateRows' }));
    expect([doubled.length, new Set(doubled.map((row) => row['seller-sku'])).size]).toEqual([123, 120]);
    const shuffled = await struck({ kind: 'shuffledRows' });
    expect(shuffled).not.toBe(clean);
    expect(shuffled.split('\r\n').toSorted()).toEqual(clean.split('\r\n').toSorted());
    expect(head(await struck({ kind: 'missingColumn', column: 'price' }))).not.toContain('price');
    expect(head(await struck({ kind: 'newColumn', column: 'gift-note' })).at(-1)).toBe('gift-note');
    expect(head(await struck({ kind: 'renamedColumn', column: 'price', to: 'Price ' }))).toContain('Price ');
    expect(head(await struck({ kind: 'localisedHeaders', language: 'ja' }))).toContain('出品者SKU');
  });
});

describe('faults of feeds', () => {
  it.each([
    ['feedStuck', 'IN_PROGRESS'],
    ['feedFatal', 'FATAL'],
  ])('%s leaves the feed %s', async (kind, status) => {
    const path = '/feeds/2021-06-30';
    const ask = async (): Promise<unknown> => {
      const { feedDocumentId, url } = await shop.json(
        `${path}/documents`,
        postJson({ contentType: 'application/json' }),
      );
      await fetch(String(url), { method: 'PUT', body: '{}' });
      const wish = { feedType: 'JSON_LISTINGS_FEED', marketplaceIds: US, inputFeedDocumentId: feedDocumentId };
      const { feedId } = await shop.json(`${path}/feeds`, postJson(wish));
      return (await shop.json(`${path}/feeds/${String(feedId)}`)).processingStatus;
    };
    await fault({ kind, operation: 'createFeed', count: 1 });
    expect(await ask()).toBe(status);
    expect(await ask()).toBe('DONE');
  });
});

/** Those of the queue are seen on its own wire, by who receives from it: test/faults/notifications. */
const OF_THE_QUEUE: readonly string[] = ['noticeDuplicated', 'noticeLost', 'noticesShuffled'];

it('every kind of fault has been seen on the wire', () => {
  const here = faultKinds.filter((kind) => !OF_THE_QUEUE.includes(kind));
  expect([...proven].toSorted()).toEqual(here.toSorted());
});
