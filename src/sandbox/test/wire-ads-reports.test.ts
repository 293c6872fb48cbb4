import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  adsSandbox,
  call,
  NOW,
  profiles,
  REPORT_MEDIA,
  refusal,
  SELLER,
  sandbox,
  throttle,
} from './wire-ads-support.ts';
import { DAY, HOUR, type Json, listOf, MINUTE } from './wire-support.ts';

adsSandbox();

describe('reports, version 3', () => {
  const day = (back: number) => new Date(NOW - back * DAY).toISOString().slice(0, 10);
  const wish = (changes: object = {}, period: object = {}) => ({
    name: 'campaigns',
    startDate: day(20),
    endDate: day(1),
    ...period,
    configuration: {
      adProduct: 'SPONSORED_PRODUCTS',
      reportTypeId: 'spCampaigns',
      groupBy: ['campaign'],
      columns: ['date', 'campaignId', 'impressions', 'clicks', 'cost', 'purchases7d', 'sales7d'],
      timeUnit: 'DAILY',
      format: 'GZIP_JSON',
      ...changes,
    },
  });
  const create = (body: object) => call('/reporting/reports', { body, media: REPORT_MEDIA });
  const Report = z.strictObject({
    reportId: z.guid(),
    name: z.string(),
    startDate: z.iso.date(),
    endDate: z.iso.date(),
    status: z.enum(['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED']),
    configuration: z.strictObject({
      adProduct: z.enum(['SPONSORED_PRODUCTS', 'SPONSORED_BRANDS', 'SPONSORED_DISPLAY']),
      reportTypeId: z.string(),
      groupBy: z.array(z.string()),
      columns: z.array(z.string()),
      timeUnit: z.enum(['DAILY', 'SUMMARY']),
      format: z.literal('GZIP_JSON'),
      filters: z.array(z.strictObject({ field: z.string(), values: z.array(z.string()) })).nullable(),
    }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    generatedAt: z.iso.datetime().nullable(),
    failureReason: z.string().nullable(),
    fileSize: z.int().nullable(),
    url: z.url().nullable(),
    urlExpiresAt: z.iso.datetime().nullable(),
  });
  const look = async (id: unknown) => Report.parse(await (await call(`/reporting/reports/${String(id)}`)).json());
  const rowsOf = async (url: string | null) =>
    listOf(JSON.parse(gunzipSync(Buffer.from(await (await fetch(url ?? '')).arrayBuffer())).toString()));

  it('come after their time, hold one row a day and campaign, and add up to what the marketplace charged', async () => {
    const asked = Report.parse(await (await create(wish())).json());
    expect([asked.status, asked.url]).toEqual(['PENDING', null]);
    throttle.advance(15_000);
    expect((await look(asked.reportId)).status).toBe('PROCESSING');
    throttle.advance(15_000);
    const done = await look(asked.reportId);
    expect(done.status).toBe('COMPLETED');
    const rows = await rowsOf(done.url);
    expect(new Set(rows.map((row) => `${row.date} ${row.campaignId}`)).size).toBe(rows.length);
    for (const row of rows) {
      expect(Object.keys(row)).toEqual(wish().configuration.columns);
      expect(Number(row.clicks)).toBeLessThanOrEqual(Number(row.impressions));
    }
    const account = sandbox.business.accounts.find(({ sellingPartnerId }) => sellingPartnerId === SELLER);
    const site = account?.marketplaceIds[0];
    if (!account || !site) throw new Error('nobody advertises');
    const all = sandbox.business.adRows(account, site, { from: day(20), to: day(1) }, NOW);
    const told = all.filter(({ campaign }) => campaign.adProduct === 'SP');
    const cents = (values: readonly unknown[]) =>
      values.reduce<number>((total, one) => total + Math.round(Number(one) * 100), 0);
    expect(cents(rows.map((row) => row.cost))).toBe(cents(told.map(({ cost }) => cost)));
    expect(cents(rows.map((row) => row.cost))).toBeGreaterThan(0);
    const summary = (await (
      await create(wish({ timeUnit: 'SUMMARY', columns: ['campaignId', 'cost'] }))
    ).json()) as Json;
    throttle.advance(MINUTE);
    const sums = await rowsOf((await look(summary.reportId)).url);
    expect(cents(sums.map((row) => row.cost))).toBe(cents(rows.map((row) => row.cost)));
    throttle.advance(HOUR);
    expect((await fetch(done.url ?? '')).status).toBe(403);
    expect((await fetch(`${done.url}x`)).status).toBe(403);
  });

  it('of brands, display and placements cost what the marketplace says, by whatever they are counted', async () => {
    const account = sandbox.business.accounts.find(({ sellingPartnerId }) => sellingPartnerId === SELLER);
    const site = account?.marketplaceIds[0];
    if (!account || !site) throw new Error('nobody advertises');
    const told = sandbox.business.adRows(account, site, { from: day(20), to: day(1) }, NOW);
    const cents = (values: readonly unknown[]) =>
      values.reduce<number>((total, one) => total + Math.round(Number(one) * 100), 0);
    const kinds = [
      ['SPONSORED_PRODUCTS', 'SP', 'spCampaigns', 'campaignPlacement', ['campaignId', 'placementClassification']],
      ['SPONSORED_BRANDS', 'SB', 'sbCampaigns', 'campaign', ['campaignId', 'costType', 'viewableImpressions']],
      ['SPONSORED_BRANDS', 'SB', 'sbCampaignPlacement', 'campaignPlacement', ['campaignId', 'placementClassification']],
      ['SPONSORED_BRANDS', 'SB', 'sbAds', 'ads', ['adId', 'salesPromoted']],
      ['SPONSORED_BRANDS', 'SB', 'sbTargeting', 'targeting', ['keywordId', 'targetingId', 'unitsSold']],
      ['SPONSORED_DISPLAY', 'SD', 'sdCampaigns', 'campaign', ['campaignId', 'impressionsViews', 'salesPromotedClicks']],
      ['SPONSORED_DISPLAY', 'SD', 'sdAdvertisedProduct', 'advertiser', ['adId', 'promotedSku', 'promotedAsin']],
      ['SPONSORED_DISPLAY', 'SD', 'sdTargeting', 'targeting', ['targetingId', 'targetingText', 'purchases']],
    ] as const;
    for (const [adProduct, product, reportTypeId, groupBy, own] of kinds) {
      const columns = ['date', ...own, 'impressions', 'clicks', 'cost'];
      const asked = (await (
        await create(wish({ adProduct, reportTypeId, groupBy: [groupBy], columns }))
      ).json()) as Json;
      throttle.advance(MINUTE);
      const rows = await rowsOf((await look(asked.reportId)).url);
      for (const row of rows) expect(Object.keys(row)).toEqual(columns);
      const cost = told.filter(({ campaign }) => campaign.adProduct === product).map((row) => row.cost);
      expect([reportTypeId, cents(rows.map((row) => row.cost))]).toEqual([reportTypeId, cents(cost)]);
      expect(cents(cost)).toBeGreaterThan(0);
    }
    const columns = ['date', 'campaignId', 'purchasedAsin', 'attributionType', 'sales14d'];
    const bought = {
      adProduct: 'SPONSORED_BRANDS',
      reportTypeId: 'sbPurchasedProduct',
      groupBy: ['purchasedAsin'],
      columns,
    };
    const asked = (await (await create(wish(bought))).json()) as Json;
    throttle.advance(MINUTE);
    const rows = await rowsOf((await look(asked.reportId)).url);
    const sales = told.filter(({ campaign }) => campaign.adProduct === 'SB').map((row) => row.within[14].sales);
    expect(cents(rows.map((row) => row.sales14d))).toBe(cents(sales));
    expect(new Set(rows.map((row) => row.attributionType))).toContain('Promoted');
    expect((await create(wish({ adProduct: 'SPONSORED_BRANDS' }))).status).toBe(400);
  });

  it('are refused for what the documentation forbids, each with its reason', async () => {
    const wrong: [object, RegExp][] = [
      [wish({}, { startDate: day(40) }), /1 to 31 days/],
      [wish({}, { startDate: day(0), endDate: day(3) }), /1 to 31 days/],
      [wish({}, { startDate: '2026/01/01' }), /startDate/],
      [wish({ columns: ['date', 'campaignId', 'searchTerm'] }), /searchTerm/],
      [wish({ timeUnit: 'SUMMARY' }), /date/],
      [wish({ timeUnit: 'HOURLY' }), /timeUnit/],
      [wish({ format: 'CSV' }), /format/],
      [wish({ filters: [{ field: 'colour', values: ['x'] }] }), /filters/],
    ];
    for (const [body, reason] of wrong) {
      const answer = await create(body);
      expect([answer.status, ((await answer.json()) as Json).detail]).toEqual([400, expect.stringMatching(reason)]);
    }
    expect((await call('/reporting/reports', { body: wish() })).status).toBe(415);
  });

  it('that are being made are not made twice: the second wish names the first; another profile does not see it', async () => {
    const body = wish({}, { endDate: day(2) });
    const { reportId } = (await (await create(body)).json()) as Json;
    const again = await create(body);
    expect([again.status, ((await again.json()) as Json).detail]).toEqual([
      425,
      expect.stringContaining(String(reportId)),
    ]);
    const foreign = await call(`/reporting/reports/${String(reportId)}`, { scope: String(profiles[1]?.profileId) });
    expect((await refusal(foreign))[0]).toBe(404);
    throttle.advance(MINUTE);
    expect((await create(body)).status).toBe(200);
  });

  it('fail, stay unfinished, break off and expire as a fault tells them to', async () => {
    const { faults } = sandbox.world;
    faults.add({ kind: 'reportFatal', reportType: 'spCampaigns', nth: 1 });
    const failed = (await (await create(wish({}, { endDate: day(3) }))).json()) as Json;
    faults.clear();
    faults.add({ kind: 'reportStuck', reportType: 'spCampaigns', nth: 1 });
    const stuck = (await (await create(wish({}, { endDate: day(4) }))).json()) as Json;
    faults.clear();
    const good = (await (await create(wish({}, { endDate: day(5) }))).json()) as Json;
    throttle.advance(MINUTE);
    const { status, failureReason } = await look(failed.reportId);
    expect([status, failureReason]).toEqual(['FAILED', expect.stringContaining('failed')]);
    expect((await look(stuck.reportId)).status).toBe('PROCESSING');
    const { url } = await look(good.reportId);
    faults.add({ kind: 'truncatedGzip', operation: 'downloadAdsReport', count: 1 });
    await expect(rowsOf(url)).rejects.toThrow(/unexpected end/i);
    faults.add({ kind: 'documentExpired', operation: 'downloadAdsReport', count: 1 });
    expect((await fetch(url ?? '')).status).toBe(403);
    expect((await rowsOf(url)).length).toBeGreaterThan(0);
  });
});
