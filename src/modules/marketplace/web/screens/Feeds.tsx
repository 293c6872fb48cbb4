import { useState } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { countFeeds, FeedFilter, FeedRow, listFeeds } from '../../contract/feeds.ts';
import { bindSeller } from '../../contract/stores.ts';
import { FeedDrawer } from '../feeds/FeedDrawer.tsx';
import { accountsOf } from '../store/health.ts';

/** 数据提交: what was sent to the marketplace in bulk, and what it answered to each part. */
export default function Feeds() {
  const { active } = useTab();
  const [opened, setOpened] = useState<string>();
  const stores = useCall(bindSeller, {});
  return (
    <>
      <ListScreen
        name="marketplace/feeds"
        title="数据提交"
        endpoint={listFeeds}
        row={FeedRow}
        filter={FeedFilter}
        options={{
          authid: accountsOf(stores.data?.stores ?? []).map((one) => ({ value: one.authid, label: one.gname })),
        }}
        tabs={{ field: 'status', counts: countFeeds }}
        columns={{
          refused: {
            render: ({ refused }) =>
              refused === null ? (
                <span className="text3">—</span>
              ) : (
                <span className={refused ? 'danger' : 'text3'}>{refused}</span>
              ),
            text: ({ refused }) => String(refused ?? ''),
          },
        }}
        density="dense"
        unit="次"
        current={opened}
        onOpen={(row) => setOpened(row.id)}
        empty={
          <Empty
            title="还没有数据提交"
            text="在「在线商品」中勾选商品批量调价或改库存后，提交进度和亚马逊的答复显示在这里。"
          />
        }
      />
      <FeedDrawer id={active ? opened : undefined} onOpen={setOpened} onClose={() => setOpened(undefined)} />
    </>
  );
}
