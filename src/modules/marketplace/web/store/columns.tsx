import { Country } from '#kit/web/cells/index.ts';
import { type GridColumn, gridColumns } from '#kit/web/grid/index.ts';
import { AccountRow } from '../../contract/stores.ts';
import { LastSync } from './FirstSync.tsx';
import { inSiteOrder } from './health.ts';

const SHOWN = [
  'gname',
  'regionname',
  'countrysList',
  'status',
  'adStatus',
  'expireTime',
  'lastSyncAt',
  'health',
  'advtime',
] as const;
const SITES = 6;
const DAY_MS = 86_400_000;

function Sites({ account }: { account: AccountRow }) {
  const more = account.countrysList.length - SITES;
  if (account.countrysList.length === 0) return <span className="text3">—</span>;
  return (
    <span className="stores-sites">
      {inSiteOrder(account.countrysList)
        .slice(0, SITES)
        .map((site) => (
          <Country key={site.marketplaceId} code={site.country} off={!site.enabled} />
        ))}
      {more > 0 && <span className="text3">另 {more} 站</span>}
    </span>
  );
}

/** Days until a consent ends, rounded down; negative once it has. */
export function daysLeft(instant: string, now = Date.now()): number {
  return Math.floor((Date.parse(instant) - now) / DAY_MS);
}

const SOON = 30;

/** Day of the end of a consent over the days that are left. */
export function Expiry({ at }: { at: string | null }) {
  if (!at) return <span className="text3">—</span>;
  const days = daysLeft(at);
  const tone = days < 0 ? 'danger' : days <= SOON ? 'warning' : 'text3';
  return (
    <span className="two-lines">
      <span className="num">{at.slice(0, 10)}</span>
      <br />
      <span className={tone}>{days < 0 ? `已过期 ${-days} 天` : `剩 ${days} 天`}</span>
    </span>
  );
}

/** Columns of the accounts, in the order in which they are looked at. */
export function accountColumns(permissions: ReadonlySet<string> | undefined): GridColumn<AccountRow>[] {
  const all = gridColumns(
    AccountRow,
    {
      gname: {
        pinned: 'left',
        render: (row) => (
          <span className="two-lines">
            {row.gname}
            <br />
            <span className="text3 code">{row.sellerid}</span>
          </span>
        ),
        text: (row) => row.sellerid,
      },
      countrysList: {
        render: (row) => <Sites account={row} />,
        text: (row) => row.countrysList.map((site) => site.country).join(' '),
      },
      expireTime: { render: (row) => <Expiry at={row.expireTime} /> },
      lastSyncAt: { width: 150, render: (row) => <LastSync account={row} /> },
    },
    permissions,
  );
  return SHOWN.flatMap((key) => all.filter((column) => column.key === key));
}
