import { useState } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { Copy } from '#kit/web/cells/index.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { CallFilter, CallRow, exportCalls, listCalls } from '../../contract/api-log.ts';
import { bindSeller } from '../../contract/stores.ts';
import { CallDrawer } from '../api/CallDrawer.tsx';
import { accountsOf } from '../store/health.ts';

/** 接口日志: every call to the marketplace of the last two weeks, newest first. */
export default function ApiLog() {
  const seesStores = useAllowed('amz:store:view');
  const stores = useCall(bindSeller, {}, { enabled: seesStores });
  const accounts = accountsOf(stores.data?.stores ?? []);
  const { active } = useTab();
  const [opened, setOpened] = useState<string>();
  return (
    <>
      <ListScreen
        name="marketplace/apiLog"
        title="接口日志"
        unit="次"
        endpoint={listCalls}
        exportEndpoint={exportCalls}
        row={CallRow}
        filter={CallFilter}
        options={{ authid: accounts.map((account) => ({ value: account.authid, label: account.gname })) }}
        density="dense"
        columns={{
          requestId: {
            render: (row) =>
              row.requestId ? (
                <>
                  <span className="code">{row.requestId}</span> <Copy text={row.requestId} label="复制 requestId" />
                </>
              ) : (
                <span className="text3">—</span>
              ),
            text: (row) => row.requestId ?? '',
          },
        }}
        empty={<Empty title="还没有接口调用" text="授权店铺后，每次调用亚马逊接口都会记在这里，保留 14 天。" />}
        note="不保存令牌；失败的调用另存请求与返回的内容 3 天，已遮盖密钥与个人信息"
        current={opened}
        onOpen={(row) => setOpened(row.id)}
      />
      <CallDrawer id={active ? opened : undefined} onClose={() => setOpened(undefined)} />
    </>
  );
}
