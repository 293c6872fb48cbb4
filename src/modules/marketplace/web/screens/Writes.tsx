import { useState } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { bindSeller } from '../../contract/stores.ts';
import { countWrites, listWrites, WriteFilter, WriteRow, writeChoices } from '../../contract/writes.ts';
import { accountsOf } from '../store/health.ts';
import { WriteDrawer } from '../writes/WriteDrawer.tsx';

/** 接口提交: single calls that change something at the marketplace, and what it answered to each. */
export default function Writes() {
  const { active } = useTab();
  const [opened, setOpened] = useState<string>();
  const seesStores = useAllowed('amz:store:view');
  const stores = useCall(bindSeller, {}, { enabled: seesStores });
  const kinds = useCall(writeChoices, {});
  return (
    <>
      <ListScreen
        name="marketplace/writes"
        title="接口提交"
        endpoint={listWrites}
        row={WriteRow}
        filter={WriteFilter}
        options={{
          kind: kinds.data ?? [],
          authid: accountsOf(stores.data?.stores ?? []).map((one) => ({ value: one.authid, label: one.gname })),
        }}
        tabs={{ field: 'state', counts: countWrites }}
        density="dense"
        unit="次"
        current={opened}
        onOpen={(row) => setOpened(row.id)}
        empty={
          <Empty title="还没有接口提交" text="在「订单列表」确认发货或请求评价后，提交进度和亚马逊的答复显示在这里。" />
        }
      />
      <WriteDrawer id={active ? opened : undefined} onClose={() => setOpened(undefined)} />
    </>
  );
}
