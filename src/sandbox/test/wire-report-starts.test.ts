import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ConsentedSeller, consentedSeller, SELLER_NOW as NOW } from './seller-support.ts';
import { DAY, type Json } from './wire-support.ts';

const PROMOTIONS = 'GET_PROMOTION_PERFORMANCE_REPORT';
const COUPONS = 'GET_COUPON_PERFORMANCE_REPORT';

let seller: ConsentedSeller;
beforeAll(async () => {
  seller = await consentedSeller();
});
afterAll(() => seller.sandbox.close());

const iso = (at: number): string => new Date(at).toISOString();

/** What is behind a report that is asked for with some options, whether it could be made or not. */
async function made(reportType: string, reportOptions?: object): Promise<{ status: unknown; document: Json }> {
  const path = '/reports/2021-06-30';
  const body = { reportType, marketplaceIds: seller.marketplaceIds.slice(0, 1), reportOptions };
  const { reportId } = await seller.good({ method: 'POST', path: `${path}/reports`, body });
  const report = await seller.good({ method: 'GET', path: `${path}/reports/${String(reportId)}` });
  const { url } = await seller.good({ method: 'GET', path: `${path}/documents/${String(report.reportDocumentId)}` });
  const bytes = await (await fetch(String(url))).arrayBuffer();
  return { status: report.processingStatus, document: JSON.parse(gunzipSync(bytes).toString('utf8')) as Json };
}

it('asked for without its options a report ends FATAL, and its document says which ones it wants', async () => {
  for (const [type, kind] of [
    [PROMOTIONS, 'promotion'],
    [COUPONS, 'coupon'],
  ] as const) {
    const { status, document } = await made(type);
    expect(status).toBe('FATAL');
    expect(document.reportRequestError).toContain(`${kind}StartDateFrom and ${kind}StartDateTo`);
  }
  // The options of one are none of the other's, and a time without a zone is no time.
  const foreign = { couponStartDateFrom: iso(NOW - DAY), couponStartDateTo: iso(NOW) };
  expect((await made(PROMOTIONS, foreign)).status).toBe('FATAL');
  const local = { promotionStartDateFrom: '2026-01-01T00:00:00', promotionStartDateTo: '2026-01-02T00:00:00' };
  expect((await made(PROMOTIONS, local)).status).toBe('FATAL');
});

it('tells of what began in the range alone, up to two years ago', async () => {
  const within = async (days: number) => {
    const options = { couponStartDateFrom: iso(NOW - days * DAY), couponStartDateTo: iso(NOW) };
    const { status, document } = await made(COUPONS, options);
    const coupons = (document.coupons ?? []) as { startDateTime: string }[];
    for (const { startDateTime } of coupons) expect(Date.parse(startDateTime)).toBeGreaterThan(NOW - days * DAY);
    return { status, count: coupons.length };
  };
  const [recent, all] = [await within(20), await within(60)];
  expect(recent.count).toBeGreaterThan(0);
  expect(all.count).toBeGreaterThan(recent.count);
  expect(await within(900)).toEqual({ status: 'FATAL', count: 0 });
});
