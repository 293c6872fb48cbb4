import { MARKETPLACES } from '../../contract/marketplaces.ts';
import type { AccountRow, StoreRow } from '../../contract/stores.ts';

/** How an account or a store is, in the four shapes of the interface. */
export type Mark = 'good' | 'attention' | 'trouble' | 'off';

const MARKS: Record<AccountRow['status'], Mark> = {
  none: 'off',
  active: 'good',
  expiring: 'attention',
  revoked: 'trouble',
  expired: 'trouble',
  suspended: 'trouble',
  disabled: 'off',
  deleted: 'off',
  manual: 'good',
};

const ORDER: readonly Mark[] = ['trouble', 'attention', 'good', 'off'];

export function markOf(account: AccountRow): Mark {
  return MARKS[account.status];
}

/** The worst of its accounts; a store without any is off. */
export function markOfAll(accounts: readonly AccountRow[]): Mark {
  const marks = new Set(accounts.map(markOf));
  return ORDER.find((mark) => marks.has(mark)) ?? 'off';
}

export interface Counts {
  all: number;
  good: number;
  expiring: number;
  trouble: number;
  disabled: number;
  manual: number;
}

/** The figures of the page's head. */
export function countsOf(accounts: readonly AccountRow[]): Counts {
  const of = (...statuses: AccountRow['status'][]) => accounts.filter((one) => statuses.includes(one.status)).length;
  return {
    all: accounts.length,
    good: of('active'),
    expiring: of('expiring'),
    trouble: of('revoked', 'expired', 'suspended'),
    disabled: of('disabled'),
    manual: of('manual'),
  };
}

/** Whether the marketplace may be called for an account. */
export function isLive(account: AccountRow): boolean {
  return ['active', 'expiring', 'suspended'].includes(account.status);
}

const NEW_MINUTES = 30;

/** Whether the first synchronisation may still be running: nothing has come yet, or the consent is minutes old. */
export function maybeFirst(account: AccountRow, now = Date.now()): boolean {
  if (!isLive(account)) return false;
  if (account.lastSyncAt === null) return true;
  return account.time !== null && now - Date.parse(account.time) < NEW_MINUTES * 60_000;
}

/** 「刚刚」, 「2 分钟」, 「5 小时 12 分」, 「3 天」. */
export function minutesText(minutes: number | null): string {
  if (minutes === null) return '—';
  if (minutes < 1) return '刚刚';
  if (minutes < 60) return `${minutes} 分钟`;
  const hours = Math.floor(minutes / 60);
  if (hours >= 48) return `${Math.floor(hours / 24)} 天`;
  const rest = minutes % 60;
  return rest === 0 ? `${hours} 小时` : `${hours} 小时 ${rest} 分`;
}

const RANK = new Map(MARKETPLACES.map((site, place) => [site.id, place]));

/** Sites in the order of the reference table: the largest of a region first. */
export function inSiteOrder(sites: AccountRow['countrysList']): AccountRow['countrysList'] {
  const rank = (id: string) => RANK.get(id) ?? RANK.size;
  return sites.toSorted((a, b) => rank(a.marketplaceId) - rank(b.marketplaceId));
}

/** Every account of every store, in the order of the stores. */
export function accountsOf(stores: readonly StoreRow[]): AccountRow[] {
  return stores.flatMap((store) => store.regionslist);
}
