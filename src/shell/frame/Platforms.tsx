import { GlobalOutlined } from '@ant-design/icons';
import { Drawer } from 'antd';
import { useState } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { ErrorState } from '#kit/web/states/index.ts';
import { listPlatforms, type PlatformCode, type PlatformRow } from '#modules/system/contract/platforms.ts';
import { PlatformMark } from '#modules/system/web/index.ts';
import { linksOf } from '../menu.ts';
import { useFrame } from './frame-context.ts';

/** Where the stores of a marketplace are kept; only those that somebody may open lead there. */
const STORES: Partial<Record<PlatformCode, string>> = { amazon: '/amazon/storeAuth' };

function wordsOf({ enabled, stores }: PlatformRow): string {
  if (!enabled) return '未开通';
  return stores > 0 ? `${stores} 个店铺` : '已开通';
}

/** 平台 at the foot of the rail, and the drawer with the marketplaces; grey ones are not switched on. */
export function Platforms() {
  const { menu, tabs } = useFrame();
  const [open, setOpen] = useState(false);
  const query = useCall(listPlatforms, {}, { enabled: open, staleTime: 60_000 });
  const choose = (row: PlatformRow) => {
    if (!row.enabled) return notice.info('该平台暂未开通');
    const stores = linksOf(menu).find((link) => link.path === STORES[row.code]);
    setOpen(false);
    if (stores) tabs.open(stores.path, { title: stores.title });
  };
  return (
    <>
      <button
        type="button"
        className="frame-rail-item frame-rail-foot"
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(true)}
      >
        <GlobalOutlined />
        <span>平台</span>
      </button>
      <Drawer title="平台选择" placement="left" size={376} open={open} onClose={() => setOpen(false)} destroyOnHidden>
        {query.error ? (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} text="平台列表没有取到。" />
        ) : (
          <ul className="market-list" aria-busy={query.isPending}>
            {(query.data ?? []).map((row) => (
              <li key={row.code}>
                <button type="button" className={row.enabled ? 'is-on' : ''} onClick={() => choose(row)}>
                  <PlatformMark code={row.code} />
                  <span>{row.name}</span>
                  <span className="text3">{wordsOf(row)}</span>
                </button>
              </li>
            ))}
          </ul>
        )}
      </Drawer>
    </>
  );
}
