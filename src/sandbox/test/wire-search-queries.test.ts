import { afterEach, describe, expect, it } from 'vitest';
import { type Bench, bench, DAY, type Json, listOf, NOW, postJson } from './wire-support.ts';

const open: Bench[] = [];
async function start(options: Parameters<typeof bench>[0] = {}): Promise<Bench> {
  const shop = await bench(options);
  open.push(shop);
  return shop;
}
afterEach(async () => {
  for (const shop of open.splice(0)) await shop.close();
});

const US = ['ATVPDKIKX0DER'];
const SUNDAY = Math.floor(NOW / DAY) * DAY - (new Date(NOW).getUTCDay() + 7) * DAY;
const iso = (time: number): string => new Date(time).toISOString();
const bodyOf = (asin: string | undefined, more: object = {}) => ({
  reportType: 'GET_BRAND_ANALYTICS_SEARCH_QUERY_PERFORMANCE_REPORT',
  marketplaceIds: US,
  reportOptions: { reportPeriod: 'WEEK', ...(asin === undefined ? {} : { asin }) },
  dataStartTime: iso(SUNDAY),
  dataEndTime: iso(SUNDAY + 6 * DAY),
  ...more,
});
const asins = (count: number): string =>
  Array.from({ length: count }, (_, index) => `B0FAKE${String(index).padStart(4, '0')}`).join(' ');

async function entries(shop: Bench, asin: string): Promise<Json[]> {
  const { bytes } = await shop.report('na', 'A1FAKE', bodyOf(asin));
  return listOf((JSON.parse(bytes.toString('utf8')) as Json).dataByAsin as never) as Json[];
}

describe('search query performance', () => {
  it('is a funnel of each product that was named, beside that of everybody', async () => {
    const shop = await start();
    const rows = await entries(shop, 'B0FAKE0003 B0FAKE0007');
    expect(new Set(rows.map(({ asin }) => String(asin)))).toEqual(new Set(['B0FAKE0003', 'B0FAKE0007']));
    let bought = 0;
    for (const { impressionData, clickData, cartAddData, purchaseData } of rows) {
      const own = [
        impressionData?.asinImpressionCount,
        clickData?.asinClickCount,
        cartAddData?.asinCartAddCount,
        purchaseData?.asinPurchaseCount,
      ].map(Number);
      const all = [
        impressionData?.totalQueryImpressionCount,
        clickData?.totalClickCount,
        cartAddData?.totalCartAddCount,
        purchaseData?.totalPurchaseCount,
      ].map(Number);
      expect(own).toEqual([...own].sort((a, b) => b - a));
      expect(all).toEqual([...all].sort((a, b) => b - a));
      expect(own.every((count, step) => count <= (all[step] ?? 0))).toBe(true);
      expect(Number(impressionData?.asinImpressionShare)).toBeCloseTo((own[0] ?? 0) / (all[0] ?? 1), 3);
      bought += own[3] ?? 0;
    }
    expect(bought).toBeGreaterThan(0);
    // What everybody does is the same whoever is asked about.
    const [one, other] = ['B0FAKE0003', 'B0FAKE0007'].map((asin) =>
      rows.find((row) => String(row.asin) === asin && String(row.searchQueryData?.searchQuery) === 'bottle'),
    );
    expect(one?.clickData?.totalClickCount).toBe(other?.clickData?.totalClickCount);
    expect(one?.searchQueryData?.searchQueryVolume).toBe(other?.searchQueryData?.searchQueryVolume);
  });

  it('is made of every list of products, soon after another one of the same week', async () => {
    const shop = await start({ rateFactor: 1 });
    expect(await entries(shop, 'B0FAKE0003')).not.toEqual([]);
    const again = await entries(shop, 'B0FAKE0007');
    expect(new Set(again.map(({ asin }) => String(asin)))).toEqual(new Set(['B0FAKE0007']));
  });

  it('refuses what names no products, too many, or no whole week', async () => {
    const shop = await start();
    const answer = async (body: object) => (await shop.call('/reports/2021-06-30/reports', postJson(body))).status;
    expect(await answer(bodyOf(undefined))).toBe(400);
    expect(await answer(bodyOf(''))).toBe(400);
    expect(await answer(bodyOf(asins(18)))).toBe(202);
    expect(await answer(bodyOf(asins(19)))).toBe(400);
    expect(await answer(bodyOf(asins(2), { reportOptions: { asin: asins(2) } }))).toBe(400);
    const short = bodyOf('B0FAKE0001', { dataEndTime: iso(SUNDAY + 5 * DAY) });
    const { reportId } = await shop.json('/reports/2021-06-30/reports', postJson(short));
    const { processingStatus } = await shop.json(`/reports/2021-06-30/reports/${String(reportId)}`);
    expect(processingStatus).toBe('FATAL');
  });
});
