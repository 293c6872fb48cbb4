import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { sumMoney } from '../wire/money.ts';
import { awkwardSku } from './fake-business.ts';
import {
  type Bench,
  bench,
  DAY,
  HOUR,
  type Json,
  listOf,
  MINUTE,
  NOW,
  postJson,
  rowsOf,
  START,
} from './wire-support.ts';

const open: Bench[] = [];
async function start(options: Parameters<typeof bench>[0] = {}): Promise<Bench> {
  const shop = await bench(options);
  open.push(shop);
  return shop;
}
afterEach(async () => {
  for (const shop of open.splice(0)) await shop.close();
});

const reports = '/reports/2021-06-30/reports';
const SETTLEMENT = 'GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE_V2';
const BY_UPDATE = 'GET_FLAT_FILE_ALL_ORDERS_DATA_BY_LAST_UPDATE_GENERAL';
const US = ['ATVPDKIKX0DER'];
const iso = (time: number): string => new Date(time).toISOString();

describe('asking for a report', () => {
  it('goes through the queue in real time while the business stands still', async () => {
    const shop = await start({ reportDelayMs: [5000, 5000] });
    const body = { reportType: 'GET_MERCHANT_LISTINGS_ALL_DATA', marketplaceIds: US };
    const created = await shop.call(reports, postJson(body));
    expect(created.status).toBe(202);
    const { reportId } = (await created.json()) as Json;
    const status = async (): Promise<unknown> => (await shop.json(`${reports}/${String(reportId)}`)).processingStatus;
    expect(await status()).toBe('IN_QUEUE');
    shop.throttle.advance(2000);
    expect(await status()).toBe('IN_PROGRESS');
    expect((await shop.call(`${reports}/${String(reportId)}`, { method: 'DELETE' })).status).toBe(400);
    shop.throttle.advance(3000);
    expect(await shop.json(`${reports}/${String(reportId)}`)).toMatchObject({
      processingStatus: 'DONE',
      reportDocumentId: expect.stringMatching(/^amzn1\.spdoc\./),
      createdTime: iso(NOW).replace('.000Z', 'Z'),
    });
  });

  it('can be taken back while queued, for good', async () => {
    const shop = await start({ reportDelayMs: [5000, 5000] });
    const body = { reportType: 'GET_MERCHANT_LISTINGS_ALL_DATA', marketplaceIds: US };
    const { reportId } = await shop.json(reports, postJson(body));
    expect((await shop.call(`${reports}/${String(reportId)}`, { method: 'DELETE' })).status).toBe(200);
    shop.throttle.advance(MINUTE);
    expect(await shop.json(`${reports}/${String(reportId)}`)).toMatchObject({ processingStatus: 'CANCELLED' });
  });

  it('ends as CANCELLED when there is nothing to report', async () => {
    const shop = await start();
    const before = { dataStartTime: iso(START - 9 * DAY), dataEndTime: iso(START - DAY) };
    const { reportId } = await shop.json(reports, postJson({ reportType: BY_UPDATE, marketplaceIds: US, ...before }));
    const report = await shop.json(`${reports}/${String(reportId)}`);
    expect(report.processingStatus).toBe('CANCELLED');
    expect(report.reportDocumentId).toBeUndefined();
  });

  it('ends as CANCELLED, without a word, when the same was asked for within its interval', async () => {
    const shop = await start({ rateFactor: 1 });
    const ended = async (body: object) => {
      const { reportId } = await shop.json(reports, postJson(body));
      return (await shop.json(`${reports}/${String(reportId)}`)).processingStatus;
    };
    const listings = { reportType: 'GET_MERCHANT_LISTINGS_ALL_DATA', marketplaceIds: US };
    expect([await ended(listings), await ended(listings)]).toEqual(['DONE', 'CANCELLED']);
    shop.throttle.advance(31 * MINUTE);
    expect(await ended(listings)).toBe('DONE');
    // Of a period only what shares time with it is the same.
    const period = (from: number, to: number) => ({
      reportType: BY_UPDATE,
      marketplaceIds: US,
      dataStartTime: iso(from),
      dataEndTime: iso(to),
    });
    expect(await ended(period(NOW - 5 * HOUR, NOW))).toBe('DONE');
    expect(await ended(period(NOW - 10 * HOUR, NOW - 4 * HOUR))).toBe('CANCELLED');
    expect(await ended(period(NOW - 20 * DAY, NOW - 5 * HOUR))).toBe('DONE');
  });

  it('ends as FATAL with the reason in its document when a week is none', async () => {
    const shop = await start();
    const sunday = Math.floor(NOW / DAY) * DAY - (new Date(NOW).getUTCDay() + 7) * DAY;
    const ask = async (from: number, to: number): Promise<Json> => {
      const { reportId } = await shop.json(
        reports,
        postJson({
          reportType: 'GET_BRAND_ANALYTICS_SEARCH_TERMS_REPORT',
          marketplaceIds: US,
          reportOptions: { reportPeriod: 'WEEK' },
          dataStartTime: iso(from),
          dataEndTime: iso(to),
        }),
      );
      return shop.json(`${reports}/${String(reportId)}`);
    };
    // The dates count, not the hours, and the last day belongs to the week.
    expect(await ask(sunday + 8 * HOUR, sunday + 6 * DAY)).toMatchObject({ processingStatus: 'DONE' });
    const { processingStatus, reportDocumentId } = await ask(sunday, sunday + 7 * DAY);
    expect(processingStatus).toBe('FATAL');
    const { url } = await shop.json(`/reports/2021-06-30/documents/${String(reportDocumentId)}`);
    const bytes = await (await fetch(String(url))).arrayBuffer();
    expect(JSON.parse(gunzipSync(bytes).toString('utf8'))).toEqual({
      errorDetails: 'The period must be a week from Sunday to Saturday.',
    });
  });

  it('refuses what cannot be made', async () => {
    const shop = await start();
    const refused = async (body: object): Promise<number> => (await shop.call(reports, postJson(body))).status;
    expect(await refused({ reportType: SETTLEMENT, marketplaceIds: US })).toBe(400);
    expect(await refused({ reportType: 'nonsense', marketplaceIds: US })).toBe(400);
    expect(await refused({ reportType: 'GET_XML_BROWSE_TREE_DATA', marketplaceIds: US })).toBe(501);
    expect(await refused({ reportType: 'GET_LEDGER_SUMMARY_VIEW_DATA', marketplaceIds: US })).toBe(501);
    expect(await refused({ marketplaceIds: US })).toBe(400);
    expect(await refused({ reportType: BY_UPDATE, marketplaceIds: [] })).toBe(400);
    expect(await refused({ reportType: BY_UPDATE, marketplaceIds: ['A1PA6795UKMFR9'] })).toBe(403);
    const long = { dataStartTime: iso(NOW - 31 * DAY), dataEndTime: iso(NOW) };
    expect(await refused({ reportType: BY_UPDATE, marketplaceIds: US, ...long })).toBe(400);
    const future = { dataStartTime: iso(NOW), dataEndTime: iso(NOW + 1) };
    expect(await refused({ reportType: BY_UPDATE, marketplaceIds: US, ...future })).toBe(400);
    expect((await shop.call(`${reports}/123`)).status).toBe(404);
  });

  it('keeps one seller from the reports of another', async () => {
    const shop = await start();
    const body = { reportType: 'GET_MERCHANT_LISTINGS_ALL_DATA', marketplaceIds: US };
    const { reportId } = await shop.json(reports, postJson(body));
    const { reportDocumentId } = await shop.json(`${reports}/${String(reportId)}`);
    const headers = { 'x-amz-access-token': await shop.token('na', 'A2FAKE'), 'user-agent': 'bench/1' };
    const statusOf = async (path: string): Promise<number> =>
      (await fetch(`${shop.url}/spapi/na/reports/2021-06-30/${path}`, { headers })).status;
    expect(await statusOf(`reports/${String(reportId)}`)).toBe(404);
    // Sellers report that a document's id that is not theirs is told to be invalid.
    expect(await statusOf(`documents/${String(reportDocumentId)}`)).toBe(400);
  });
});

describe('listing reports', () => {
  it('shows settlements as they close and tiles its pages', async () => {
    const shop = await start();
    await shop.control('/clock', { advanceMs: 60 * DAY });
    const first = await shop.json(`${reports}?reportTypes=${SETTLEMENT}&pageSize=5`);
    expect(listOf(first.reports).length).toBe(5);
    const second = await shop.json(`${reports}?nextToken=${encodeURIComponent(String(first.nextToken))}`);
    const third = await shop.json(`${reports}?nextToken=${encodeURIComponent(String(second.nextToken))}`);
    const all = [first, second, third].flatMap((page) => listOf(page.reports));
    // 90 days: six settlements in each of two marketplaces.
    expect(all.length).toBe(12);
    expect(new Set(all.map((report) => report.reportId)).size).toBe(12);
    expect(third.nextToken).toBeUndefined();
    const both = `nextToken=${encodeURIComponent(String(first.nextToken))}&pageSize=5`;
    expect((await shop.call(`${reports}?${both}`)).status).toBe(400);
    expect((await shop.call(reports)).status).toBe(400);
  });

  it('forgets what is older than ninety days', async () => {
    const shop = await start();
    await shop.control('/clock', { setAt: START + 14 * DAY + 91 * DAY });
    const { reports: listed } = await shop.json(`${reports}?reportTypes=${SETTLEMENT}&pageSize=100`);
    expect(listOf(listed).length).toBe(12);
  });
});

async function settlementOf(shop: Bench, region: string, seller: string): Promise<{ text: string; type: string }> {
  const headers = { 'x-amz-access-token': await shop.token(region, seller), 'user-agent': 'bench/1' };
  const read = async (path: string): Promise<Json> =>
    (await fetch(`${shop.url}/spapi/${region}/reports/2021-06-30${path}`, { headers })).json() as Promise<Json>;
  const { reports: listed } = await read(`/reports?reportTypes=${SETTLEMENT}`);
  const { url } = await read(`/documents/${String(listOf(listed)[0]?.reportDocumentId)}`);
  const response = await fetch(String(url));
  const stream = response.body?.pipeThrough(new DecompressionStream('gzip'));
  const bytes = await new Response(stream).arrayBuffer();
  const type = response.headers.get('content-type') ?? '';
  return { text: new TextDecoder(type.split('charset=')[1] ?? 'utf-8', { fatal: true }).decode(bytes), type };
}

describe('settlement files', () => {
  it.each([
    ['na', 'A1FAKE', '2026-01-29 00:00:00 UTC', '10844.68'],
    ['eu', 'A1FAKE', '29.01.2026 00:00:00 UTC', '10.844,68'],
    ['fe', 'A2FAKE', '2026/01/29 00:00:00 UTC', '1084468'],
  ])('in %s carry a header that equals its lines, in the style of the place', async (region, seller, end, total) => {
    const shop = await start();
    const rows = rowsOf((await settlementOf(shop, region, seller)).text);
    expect(rows[0]).toMatchObject({ 'settlement-end-date': end, 'total-amount': total, 'transaction-type': '' });
    const plain = (amount = ''): string =>
      amount.includes(',') ? amount.replaceAll('.', '').replace(',', '.') : amount;
    expect(sumMoney(rows.slice(1).map((row) => plain(row.amount)))).toBe(plain(total));
    expect(rows[1]).toMatchObject({ 'transaction-type': 'Order', sku: awkwardSku, currency: '' });
  });
});

describe('documents', () => {
  it('come in the charset of the place, with "?" for what it lacks', async () => {
    const shop = await start();
    const german = await shop.report('eu', 'A1FAKE', {
      reportType: 'GET_MERCHANT_LISTINGS_ALL_DATA',
      marketplaceIds: ['A1PA6795UKMFR9'],
    });
    expect(german.response.headers.get('content-type')).toBe('text/plain; charset=Cp1252');
    expect(rowsOf(new TextDecoder('windows-1252').decode(german.bytes))[0]?.['item-name']).toBe('Größe 0 ? Flasche');
    const japanese = await shop.report('fe', 'A2FAKE', {
      reportType: 'GET_MERCHANT_LISTINGS_ALL_DATA',
      marketplaceIds: ['A1VC38T7YXB528'],
    });
    expect(japanese.response.headers.get('content-type')).toBe('text/plain; charset=Windows-31J');
    const first = rowsOf(new TextDecoder('shift_jis', { fatal: true }).decode(japanese.bytes))[0];
    expect(first).toMatchObject({ 'item-name': '水筒 0 ?', 'open-date': '2026/01/01 09:00:00 JST', price: '1999' });
  });

  it('are the same bytes on every download, as of the moment of asking', async () => {
    const shop = await start();
    const window = { dataStartTime: iso(NOW - 5 * HOUR), dataEndTime: iso(NOW) };
    const first = await shop.report('na', 'A1FAKE', { reportType: BY_UPDATE, marketplaceIds: US, ...window });
    await shop.control('/clock', { advanceMs: DAY });
    const again = await fetch(first.link);
    const stream = again.body?.pipeThrough(new DecompressionStream('gzip'));
    expect(Buffer.from(await new Response(stream).arrayBuffer()).equals(first.bytes)).toBe(true);
    const rows = rowsOf(first.bytes.toString());
    expect(rows.map((row) => row['order-status'])).toContain('Unshipped');
    expect(rows[0]).toMatchObject({
      quantity: '2',
      'item-price': '39.98',
      currency: 'USD',
      'sales-channel': 'Amazon.com',
      'ship-promotion-discount': '5.00',
      'gift-wrap-price': '',
    });
  });

  it('hold the same orders as the API for the same window', async () => {
    const shop = await start();
    const [from, to] = [NOW - 20 * HOUR, NOW - HOUR];
    const { bytes } = await shop.report('na', 'A1FAKE', {
      reportType: BY_UPDATE,
      marketplaceIds: US,
      dataStartTime: iso(from),
      dataEndTime: iso(to),
    });
    const query = `lastUpdatedAfter=${iso(from)}&lastUpdatedBefore=${iso(to - 1)}&marketplaceIds=ATVPDKIKX0DER`;
    const { orders } = await shop.json(`/orders/2026-01-01/orders?${query}`);
    const inFile = rowsOf(bytes.toString()).map((row) => row['amazon-order-id']);
    expect(inFile.toSorted()).toEqual(
      listOf(orders)
        .map((order) => String(order.orderId))
        .toSorted(),
    );
    expect(inFile.length).toBeGreaterThan(15);
  });

  it('open only with an intact, fresh link', async () => {
    const shop = await start();
    const body = { reportType: 'GET_FBA_MYI_UNSUPPRESSED_INVENTORY_DATA', marketplaceIds: US };
    const { link, bytes } = await shop.report('na', 'A1FAKE', body);
    expect(rowsOf(bytes.toString())[0]).toMatchObject({
      sku: awkwardSku,
      'afn-fulfillable-quantity': '100',
      'afn-reserved-quantity': '12',
      'afn-inbound-shipped-quantity': '20',
      'your-price': '19.99',
    });
    expect(rowsOf(bytes.toString()).length).toBe(119);
    expect((await fetch(link.replace(/sig=./, 'sig=_'))).status).toBe(403);
    expect((await fetch(link.replace(/exp=\d+/, 'exp=99999999999999'))).status).toBe(403);
    shop.throttle.advance(5 * MINUTE + 1);
    const late = await fetch(link);
    expect(late.status).toBe(403);
    expect(await late.text()).toContain('Request has expired');
  });
});
