import { describe, expect, it } from 'vitest';
import type { AccountRow } from '../../contract/stores.ts';
import {
  countsOf,
  estimateText,
  inSiteOrder,
  isLive,
  isNew,
  markOfAll,
  maybeFirst,
  minutesText,
} from '../store/health.ts';

const account = (status: AccountRow['status'], change: Partial<AccountRow> = {}): AccountRow => ({
  authid: '',
  storeId: '',
  gname: '',
  sellerid: '',
  region: 'na',
  regionname: '北美',
  sellerauth: 1,
  adauth: 2,
  adStatus: 'none',
  advid: null,
  advtime: null,
  status,
  time: null,
  expireTime: null,
  lastSyncAt: null,
  health: null,
  problem: null,
  countrysList: [],
  ...change,
});

describe('how stores are', () => {
  it('is as bad as the worst of their accounts', () => {
    expect(markOfAll([])).toBe('off');
    expect(markOfAll([account('disabled'), account('manual')])).toBe('good');
    expect(markOfAll([account('active'), account('expiring')])).toBe('attention');
    expect(markOfAll([account('expiring'), account('revoked')])).toBe('trouble');
  });

  it('is counted in the head; every account once', () => {
    const all = (['active', 'expiring', 'revoked', 'expired', 'suspended', 'disabled', 'manual'] as const).map((one) =>
      account(one),
    );
    const { all: total, ...parts } = countsOf(all);
    expect(parts).toEqual({ good: 1, expiring: 1, trouble: 3, disabled: 1, manual: 1 });
    expect(Object.values(parts).reduce((a, b) => a + b)).toBe(total);
  });

  it('is watched while the first synchronisation may run, and only where there is one', () => {
    const now = Date.parse('2026-07-18T12:00:00Z');
    const synced = { lastSyncAt: '2026-07-18T11:59:00Z' };
    expect(isNew(account('active'), now)).toBe(true);
    expect(isNew(account('manual'), now)).toBe(false);
    expect(isNew(account('active', { ...synced, time: '2026-07-18T11:31:00Z' }), now)).toBe(true);
    expect(isNew(account('active', { ...synced, time: '2026-07-18T11:29:00Z' }), now)).toBe(false);
    expect(maybeFirst(account('active', { ...synced, time: '2026-07-18T11:29:00Z' }), now)).toBe(true);
    expect(maybeFirst(account('active', { ...synced, time: '2026-07-16T11:59:00Z' }), now)).toBe(false);
    expect([isLive(account('suspended')), isLive(account('revoked'))]).toEqual([true, false]);
  });

  it('is said in words', () => {
    expect([null, 0, 2, 60, 312, 2879, 2880].map(minutesText)).toEqual([
      '—',
      '刚刚',
      '2 分钟',
      '1 小时',
      '5 小时 12 分',
      '47 小时 59 分',
      '2 天',
    ]);
  });

  it('shows the sites in their usual order', () => {
    const site = (marketplaceId: string) => ({ marketplaceId, country: '', enabled: true });
    const sites = ['UNKNOWN', 'A2EUQ1WTGCTBG2', 'ATVPDKIKX0DER'].map(site);
    expect(inSiteOrder(sites).map((one) => one.marketplaceId)).toEqual(['ATVPDKIKX0DER', 'A2EUQ1WTGCTBG2', 'UNKNOWN']);
  });

  it('says how long it will take as one would, never less', () => {
    const text = (seconds: number) => estimateText({ left: 1, seconds, by: 'limit' });
    expect([1, 61, 600, 601, 5_400].map(text)).toEqual([
      '约 1 分钟',
      '约 2 分钟',
      '约 10 分钟',
      '约 15 分钟',
      '约 90 分钟',
    ]);
    expect([5_401, 50_000, 84_600, 90_000].map(text)).toEqual(['约 2 小时', '约 14 小时', '约 23.5 小时', '约 2 天']);
  });
});
