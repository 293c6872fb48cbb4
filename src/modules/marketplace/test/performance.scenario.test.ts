import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectStore, createMarketplaceWorld, type MarketplaceWorld, untilSynced } from '#test/support/marketplace.ts';
import { createWorld, type Person } from '#test/support/world.ts';
import {
  exportPerformance,
  getAlert,
  getPerformance,
  METRICS,
  performanceSites,
  performanceTrend,
  saveAlert,
  stateOfRate,
} from '../contract/performance.ts';
import { bindSeller, saveStore } from '../contract/stores.ts';
import { bytesSource, FileRefused } from '../server/index.ts';
import { readPerformance } from '../server/performance/read.ts';

const US = 'ATVPDKIKX0DER';
const SELLER = 'A1SANDBOX0001';
const DAY = 86_400_000;
const TYPE = 'GET_V2_SELLER_PERFORMANCE_REPORT';

describe('the rule (E14)', () => {
  const rate = (value: string, target: string, condition: 'LESS_THAN' | 'GREATER_THAN', amazon = 'GOOD') =>
    stateOfRate({ value, target, condition, amazon });

  test('order defect rate 0.0085 under 0.01 warns, valid tracking 0.961 over 0.95 does not', () => {
    expect(rate('0.0085', '0.01', 'LESS_THAN')).toBe('warning');
    expect(rate('0.961', '0.95', 'GREATER_THAN')).toBe('good');
  });

  test('the limits themselves warn, what lies beyond does not', () => {
    expect(rate('0.008', '0.01', 'LESS_THAN')).toBe('warning');
    expect(rate('0.0079', '0.01', 'LESS_THAN')).toBe('good');
    expect(rate('0.96', '0.95', 'GREATER_THAN')).toBe('warning');
    expect(rate('0.9601', '0.95', 'GREATER_THAN')).toBe('good');
  });

  test('what Amazon calls bad is bad, and without orders nothing is said', () => {
    expect(rate('0.001', '0.01', 'LESS_THAN', 'BAD')).toBe('bad');
    expect(rate('0', '0.01', 'LESS_THAN', 'NONE')).toBe('none');
    expect(stateOfRate({ value: '1', target: '1', condition: null, amazon: 'GOOD' })).toBe('good');
    expect(stateOfRate({ value: '0.0085', target: '0.01', condition: 'LESS_THAN', amazon: 'GOOD' }, '0.1')).toBe(
      'good',
    );
  });
});

describe('a file', () => {
  const source = (text: string | Uint8Array) => ({
    account: { companyId: '', id: '', storeId: '', sellingPartnerId: '', region: 'na' as const, marketplaceIds: [] },
    reportType: TYPE,
    marketplaceIds: [],
    open: () => bytesSource(typeof text === 'string' ? Buffer.from(text) : text)() as AsyncIterable<Uint8Array>,
    charset: undefined,
    sha256: '',
    documentId: '',
    fileName: '',
  });

  test('that is no performance report is refused in words', async () => {
    const tries: [string | Uint8Array, string][] = [
      ['', '文件为空'],
      ['{"performanceMetrics":[', '文件不是完整的 JSON'],
      ['[]', '文件不是店铺绩效报告'],
      ['{"orders":[]}', '文件不是店铺绩效报告'],
      [Uint8Array.from([0xff, 0xfe, 0x00]), '文件不是 UTF-8 编码'],
      ['{"errorDetails":"An internal error"}', '亚马逊返回：An internal error'],
    ];
    for (const [text, message] of tries) {
      const reading = readPerformance(source(text));
      await expect(reading).rejects.toBeInstanceOf(FileRefused);
      await expect(reading).rejects.toThrow(message);
    }
  });

  test('may group its counters and nest its targets, and may lack anything', async () => {
    const report = {
      accountStatuses: [{ marketplaceId: US, status: 'NORMAL' }],
      performanceMetrics: [
        {
          marketplaceId: US,
          lateShipmentRate: {
            targetValue: { value: 0.04 },
            targetCondition: 'LESS_THAN',
            rate: 0.0213,
            status: 'GOOD',
          },
          warningStates: { otherPolicyViolations: { status: 'BAD', defectsCount: 2 } },
        },
      ],
    };
    const [site] = await readPerformance(source(JSON.stringify(report)));
    expect(site?.metrics.map((one) => [one.key, one.value, one.target, one.amazon])).toEqual([
      ['otherPolicyViolations', '2', null, 'BAD'],
      ['lateShipmentRate', '0.0213', '0.04', 'GOOD'],
    ]);
  });
});

describe('a store', () => {
  let world: MarketplaceWorld;
  let admin: pg.Pool;
  let owner: Person;
  let place: { groupid: string; marketplaceid: string };
  let accountId: string;

  beforeAll(async () => {
    world = await createMarketplaceWorld();
    admin = new pg.Pool({ connectionString: world.databaseUrl, max: 2 });
    admin.on('connect', (client) => client.on('error', () => {}));
    admin.on('error', () => {});
    await world.work();
    owner = await world.owner();
    const connected = await connectStore(owner, SELLER);
    accountId = connected.accountId;
    place = { groupid: connected.storeId, marketplaceid: US };
    await untilSynced(owner, accountId);
  });
  afterAll(async () => {
    await admin.end();
    await world.close();
  });

  async function snapshots(): Promise<number> {
    const { rows } = await admin.query<{ n: number }>(
      "SELECT count(*)::int AS n FROM marketplace.report_request WHERE plan = 'performance' AND status = 'loaded'",
    );
    return rows[0]?.n ?? 0;
  }

  /** The next day's report: the marketplace goes on, and the daily run is due. */
  async function nextDay(standing?: 'NORMAL' | 'DEACTIVATED'): Promise<void> {
    const before = await snapshots();
    if (standing) world.sandbox.world.setStanding(`${SELLER}|na`, standing);
    world.sandbox.world.commandClock({ advanceMs: DAY });
    await admin.query("UPDATE marketplace.sync_cursor SET not_before = kit.now() WHERE stream = 'performance'");
    const { rows } = await admin.query<{ id: string; company_id: string }>(
      "SELECT id, company_id FROM marketplace.sync_cursor WHERE stream = 'performance'",
    );
    const { syncJob } = await import('../server/sync/jobs.ts');
    for (const row of rows) {
      await syncJob.run(world.runtime, { companyId: row.company_id, cursorId: row.id } as never);
    }
    for (let tries = 0; tries < 100 && (await snapshots()) === before; tries += 1) await sleep(100);
    expect(await snapshots()).toBe(before + 1);
  }

  const status = async () =>
    (await owner.call(bindSeller, {})).stores.flatMap((store) => store.regionslist)[0]?.status ?? '';

  test('has its three cards after the first synchronisation', async () => {
    const shown = await owner.call(getPerformance, { query: place });
    expect(shown).toMatchObject({ authid: accountId, sellerid: SELLER, standing: 'NORMAL', day: '2026-07-16' });
    expect(shown.metrics.map((one) => one.key)).toEqual(METRICS.map((one) => one.key));
    const afn = shown.metrics.find((one) => one.key === 'orderDefectRate.afn');
    expect(afn).toMatchObject({ card: 'service', target: '0.01', condition: 'LESS_THAN' });
    expect(afn?.orders).toBeGreaterThan(0);
    expect(Number(afn?.value)).toBeCloseTo((afn?.part ?? 0) / (afn?.orders ?? 1), 4);
    const rating = shown.metrics.find((one) => one.key === 'accountHealthRating');
    expect(rating).toMatchObject({ value: '1000', amazon: 'GREAT', state: 'good' });
    const sites = await owner.call(performanceSites, {});
    expect(sites.map((site) => site.country).sort()).toEqual(['CA', 'US']);
  });

  test('has a history, day by day, and a file of it', async () => {
    await nextDay();
    const trend = await owner.call(performanceTrend, { query: { ...place, days: 30 } });
    expect(trend.days).toEqual(['2026-07-16', '2026-07-17']);
    expect(trend.series['orderDefectRate.afn']).toHaveLength(2);
    expect(trend.targets['orderDefectRate.afn']).toBe('0.01');
    const file = await owner.send(exportPerformance, { query: { ...place, days: 30 } });
    expect(file.raw.subarray(0, 2).toString()).toBe('PK');
  });

  test('that is restricted keeps its money streams, says so, and comes back', async () => {
    await nextDay('DEACTIVATED');
    expect(await status()).toBe('suspended');
    expect((await owner.call(getPerformance, { query: place })).standing).toBe('DEACTIVATED');
    const { rows } = await admin.query<{ stream: string }>(
      "SELECT DISTINCT stream FROM marketplace.sync_cursor WHERE state = 'ready' ORDER BY stream",
    );
    expect(rows.map((row) => row.stream)).toEqual([
      'finances',
      'finances.again',
      'finances.groups',
      'performance',
      'settlements',
    ]);
    const told = await admin.query<{ content: string }>(
      "SELECT content FROM message.message WHERE event = 'marketplace.performance' AND company_id = $1",
      [owner.companyId],
    );
    expect(told.rows.some((row) => row.content.includes('账户健康评级 不达标'))).toBe(true);
    await nextDay('NORMAL');
    expect(await status()).toBe('active');
    const waiting = await admin.query("SELECT 1 FROM marketplace.sync_cursor WHERE state = 'suspended'");
    expect(waiting.rowCount).toBe(0);
  });

  test('is warned of as its company chose', async () => {
    expect(await owner.call(getAlert, {})).toEqual({ margin: '0.2', muted: [] });
    await owner.call(saveAlert, { body: { margin: '0.5', muted: ['documentRequests'] } });
    expect(await owner.call(getAlert, {})).toEqual({ margin: '0.5', muted: ['documentRequests'] });
    expect((await owner.send(saveAlert, { body: { margin: '0.95', muted: [] } })).status).toBe(400);
    expect((await owner.send(saveAlert, { body: { margin: '0.2', muted: ['x'] } })).msg).toBe('没有这个指标：x');
  });

  test('of somebody else, or without a consent for the site, has none', async () => {
    const stranger = await world.owner();
    expect((await stranger.send(getPerformance, { query: place })).status).toBe(404);
    expect((await stranger.send(performanceTrend, { query: place })).status).toBe(404);
    const elsewhere = { ...place, marketplaceid: 'A1PA6795UKMFR9' };
    expect((await owner.send(getPerformance, { query: elsewhere })).msg).toBe('店铺在该站点没有授权');
    const alone = await createWorld();
    try {
      const other = await alone.owner();
      const groupid = await other.call(saveStore, { body: { name: '空店' } });
      expect((await other.send(getPerformance, { query: { groupid, marketplaceid: US } })).status).toBe(404);
    } finally {
      await alone.close();
    }
  });
});
