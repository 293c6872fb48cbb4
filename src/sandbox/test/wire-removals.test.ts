import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { manualClock } from '../wire/clock.ts';
import { type ConsentedSeller, consentedSeller } from './seller-support.ts';
import { postJson } from './wire-support.ts';

const NOW = Date.UTC(2026, 5, 20, 12);
const START = Date.UTC(2026, 4, 1);
const DAY = 86_400_000;
const FEED = 'POST_FLAT_FILE_FBA_CREATE_REMOVAL';
const HOME = {
  AddressName: 'Qihang',
  AddressFieldOne: '1 Main St',
  AddressCity: 'Reno',
  AddressCountryCode: 'US',
  AddressStateOrRegion: 'NV',
  AddressPostalCode: '89501',
  ContactPhoneNumber: '7750000000',
};

/** A report that is asked for again within its interval is cancelled: here somebody always waits for it to be over. */
const patience = manualClock(NOW);
const INTERVAL = 1_000;

let seller: ConsentedSeller;
let us: string;

beforeAll(async () => {
  seller = await consentedSeller({
    scenario: 'tiny',
    startAt: START,
    clock: { mode: 'frozen', at: NOW },
    throttleClock: patience,
  });
  us = seller.marketplaceIds[0] ?? '';
});
afterAll(() => seller.sandbox.close());

type Line = readonly [sku: string, sellable: number | string, unsellable: number | string];
const fileOf = (head: Record<string, string>, lines: readonly Line[]): string =>
  [
    ...Object.entries(head).map((pair) => pair.join('\t')),
    '',
    'MerchantSKU\tSellableQuantity\tUnsellableQuantity',
    ...lines.map((cells) => cells.join('\t')),
    '',
  ].join('\n');

async function text(path: string): Promise<string> {
  const { url } = await seller.good({ method: 'GET', path });
  return gunzipSync(Buffer.from(await (await fetch(String(url))).arrayBuffer())).toString('utf8');
}

/** Hands a file in; answers its processing report. */
async function submit(content: string): Promise<string> {
  const contentType = 'text/tab-separated-values; charset=UTF-8';
  const { feedDocumentId, url } = await seller.good({
    method: 'POST',
    path: '/feeds/2021-06-30/documents',
    body: { contentType },
  });
  await fetch(String(url), { method: 'PUT', headers: { 'content-type': contentType }, body: content });
  const { feedId } = await seller.good({
    method: 'POST',
    path: '/feeds/2021-06-30/feeds',
    body: { feedType: FEED, marketplaceIds: [us], inputFeedDocumentId: feedDocumentId },
  });
  const feed = await seller.good({ method: 'GET', path: `/feeds/2021-06-30/feeds/${feedId}` });
  return text(`/feeds/2021-06-30/documents/${feed.resultFeedDocumentId}`);
}

const order = (id: string, type: string, lines: readonly Line[], more: Record<string, string> = {}) =>
  submit(fileOf({ MerchantRemovalOrderID: id, RemovalDisposition: type, ...more }, lines));

/** Rows of a report of the last thirty days that are about an order. */
async function told(reportType: string, orderId: string): Promise<Record<string, string>[]> {
  const at = seller.sandbox.clock.now();
  patience.advance(INTERVAL);
  const { reportId } = await seller.good({
    method: 'POST',
    path: '/reports/2021-06-30/reports',
    body: {
      reportType,
      marketplaceIds: [us],
      dataStartTime: new Date(at - 30 * DAY).toISOString(),
      dataEndTime: new Date(at).toISOString(),
    },
  });
  const { reportDocumentId } = await seller.good({ method: 'GET', path: `/reports/2021-06-30/reports/${reportId}` });
  const [head = '', ...lines] = (await text(`/reports/2021-06-30/documents/${reportDocumentId}`)).trim().split('\n');
  const names = head.split('\t');
  return lines
    .map((line) => Object.fromEntries(line.split('\t').map((cell, nth) => [names[nth] ?? '', cell])))
    .filter((row) => row['order-id'] === orderId);
}
const details = (id: string) => told('GET_FBA_FULFILLMENT_REMOVAL_ORDER_DETAIL_DATA', id);
const parcels = (id: string) => told('GET_FBA_FULFILLMENT_REMOVAL_SHIPMENT_DETAIL_DATA', id);

const account = () => {
  const { sandbox, sellerId } = seller;
  const found = sandbox.world.account(sellerId, 'na');
  if (!found) throw new Error('no account');
  return found;
};
const stock = () => seller.sandbox.business.stock(account(), us, seller.sandbox.clock.now());
const of = (sku: string) => {
  const found = stock().find((one) => one.product.sku === sku);
  if (!found) throw new Error(`no ${sku}`);
  return found;
};
const free = (sku: string) => {
  const found = seller.sandbox.business.removable(account(), us, sku, seller.sandbox.clock.now());
  if (!found) throw new Error(`no ${sku}`);
  return found;
};
const fullest = () => stock().toSorted((a, b) => free(b.product.sku).sellable - free(a.product.sku).sellable);
const skuAt = (nth: number) => fullest()[nth]?.product.sku ?? '';
const later = async (days: number) => {
  await fetch(`${seller.sandbox.url}/control/clock`, postJson({ advanceMs: days * DAY }));
};

describe('a removal order by feed', () => {
  it('is taken whole: in the report at once, gone in two parcels days later, with its fee and a ledger that adds up', async () => {
    const sku = skuAt(0);
    const before = of(sku);
    expect(await order('RM-1', 'Return', [[sku, 15, 0]], HOME)).toContain('records successful\t\t1');
    await later(0.01);
    expect(await details('RM-1')).toMatchObject([
      {
        'order-status': 'Pending',
        'requested-quantity': '15',
        'in-process-quantity': '15',
        sku,
        'order-type': 'Return',
      },
    ]);
    expect(of(sku).fulfillable).toBe(before.fulfillable - 15);
    expect(await parcels('RM-1')).toEqual([]);
    await later(4);
    expect(await details('RM-1')).toMatchObject([
      { 'order-status': 'Completed', 'shipped-quantity': '15', 'in-process-quantity': '0' },
    ]);
    expect(Number((await details('RM-1'))[0]?.['removal-fee'])).toBeGreaterThan(0);
    const sent = await parcels('RM-1');
    expect(sent.map((row) => row['shipped-quantity'])).toEqual(['8', '7']);
    expect(new Set(sent.map((row) => row['tracking-number'])).size).toBe(2);
    const { movements } = seller.sandbox.business.fba(account(), us, seller.sandbox.clock.now());
    const mine = movements.filter(({ reference }) => reference === 'RM-1');
    expect(mine.reduce((sum, { quantity }) => sum + quantity, 0)).toBe(-15);
    expect(new Set(mine.map(({ event }) => event))).toEqual(new Set(['VendorReturns']));
    expect(seller.sandbox.business.audit(seller.sandbox.clock.now())).toEqual([]);
  });

  it('destroys what cannot be sold, too', async () => {
    const sku = stock().find(({ product }) => free(product.sku).unsellable > 0 && free(product.sku).sellable > 2)
      ?.product.sku;
    if (sku === undefined) throw new Error('nothing is broken');
    expect(await order('RM-2', 'Disposal', [[sku, 2, 1]])).toContain('records successful\t\t1');
    await later(2);
    const rows = await details('RM-2');
    expect(new Set(rows.map((row) => `${row.disposition} ${row['disposed-quantity']}`))).toEqual(
      new Set(['Sellable 2', 'Unsellable 1']),
    );
    expect(await parcels('RM-2')).toEqual([]);
    expect(seller.sandbox.business.audit(seller.sandbox.clock.now())).toEqual([]);
  });

  it('is refused whole, with a line for all that is wrong', async () => {
    const [first, second] = [skuAt(0), skuAt(1)];
    const before = of(first).fulfillable;
    const lines: Line[] = [
      [first, 1, 0],
      [second, free(second).sellable + 1, 0],
      ['NOBODY', 1, 0],
    ];
    const report = await order('RM-3', 'Return', lines, { AddressName: 'X', AddressCountryCode: 'CN' });
    expect(report).toContain('records successful\t\t0');
    expect(report).toContain('\t3\tInfo\tAn error prevented this feed from being processed');
    expect(report).toContain(`${second}\t13\tError\tSellableQuantity`);
    expect(report).toContain('NOBODY\t10\tError');
    expect(report).toContain('AddressFieldOne is required.');
    expect(report).toContain('AddressCountryCode CN is not supported');
    expect(of(first).fulfillable).toBe(before);
    expect(await details('RM-3')).toEqual([]);
  });

  it('has a number of its own, a disposition that there is, and pieces', async () => {
    const sku = skuAt(0);
    expect(await order('RM-1', 'Disposal', [[sku, 1, 0]])).toContain('is a duplicate of an existing removal order');
    expect(await order('X'.repeat(51), 'Disposal', [[sku, 1, 0]])).toContain('exceeds 50 characters');
    expect(await order('RM-4', 'Burn', [[sku, 1, 0]])).toContain('is not valid');
    expect(await order('RM-4', 'Disposal', [[sku, 0, 0]])).toContain('greater than 0');
    expect(await order('RM-4', 'Disposal', [[sku, '1.5', 0]])).toContain('must be a whole number');
    expect(await order('RM-4', 'Disposal', [])).toContain('no items');
    const twice: Line[] = [
      [sku, 1, 0],
      [sku, 1, 0],
    ];
    expect(await order('RM-4', 'Disposal', twice)).toContain('more than once');
    expect(await submit('MerchantRemovalOrderID\tRM-4')).toContain('does not have the columns');
    expect(await details('RM-4')).toEqual([]);
  });
});
