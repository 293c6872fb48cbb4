import { MARKETPLACES } from '../../contract/marketplaces.ts';
import type { AccountRow, StoreRow } from '../../contract/stores.ts';
import type { Estimate } from '../../contract/sync.ts';

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

const YOUNG_MS = 30 * 60_000;
/** Two years of history take a large account most of a day; one that takes longer is shown under 同步健康. */
const FIRST_MS = 48 * 3_600_000;

const ageMs = (account: AccountRow, now: number): number =>
  account.time === null ? Number.POSITIVE_INFINITY : now - Date.parse(account.time);

const isYounger = (account: AccountRow, ms: number, now: number): boolean =>
  isLive(account) && (account.lastSyncAt === null || ageMs(account, now) < ms);

/** Whether first figures are coming in: nothing has come yet, or the consent is minutes old. */
export function isNew(account: AccountRow, now = Date.now()): boolean {
  return isYounger(account, YOUNG_MS, now);
}

/** Whether the first synchronisation may still be running: nothing has come yet, or the consent is of these days. */
export function maybeFirst(account: AccountRow, now = Date.now()): boolean {
  return isYounger(account, FIRST_MS, now);
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

/** 「约 40 分钟」: rounded as one would say it, always up. */
export function estimateText({ seconds }: Estimate): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  if (minutes <= 10) return `约 ${minutes} 分钟`;
  if (minutes <= 90) return `约 ${Math.ceil(minutes / 5) * 5} 分钟`;
  const halves = Math.ceil(minutes / 30);
  return halves < 48 ? `约 ${halves / 2} 小时` : `约 ${Math.ceil(halves / 48)} 天`;
}

/** Why it takes so long. */
export function estimateReason({ left, by }: Estimate): string {
  return by === 'limit'
    ? `还有 ${left} 份报表，亚马逊约每分钟允许申请 1 份；新数据优先，不受历史回补影响`
    : `还有 ${left} 份报表，按最近的速度推算；新数据优先，不受历史回补影响`;
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
