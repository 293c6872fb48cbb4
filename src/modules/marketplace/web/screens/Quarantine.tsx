import { Button } from 'antd';
import { useState } from 'react';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import {
  AsideFilter,
  AsideRow,
  asideKinds,
  countAside,
  exportAside,
  listAside,
  listDead,
  reopenAside,
} from '../../contract/quarantine.ts';
import { bindSeller } from '../../contract/stores.ts';
import { DeadDrawer } from '../quarantine/DeadDrawer.tsx';
import { IgnoreDialog } from '../quarantine/IgnoreDialog.tsx';
import { LineDrawer } from '../quarantine/LineDrawer.tsx';
import { accountsOf } from '../store/health.ts';
import '../store/store.css';
import '../sync/sync.css';

const OPEN_FIRST = { state: ['open'] };

const settled = (row: AsideRow) => (row.state === 'open' ? undefined : '已处理');
const notIgnored = (row: AsideRow) => (row.state === 'ignored' ? undefined : '没有被忽略');

/** 隔离区: rows that could not be taken over while the rest of their delivery went on, and work that was given up. */
export default function Quarantine() {
  const { active } = useTab();
  const may = useAllowed('amz:quarantine:edit');
  const seesStores = useAllowed('amz:store:view');
  const [opened, setOpened] = useState<string>();
  const [ignoring, setIgnoring] = useState<string[]>();
  const [dead, setDead] = useState(false);
  const kinds = useCall(asideKinds, {});
  const failed = useCall(listDead, {});
  const stores = useCall(bindSeller, {}, { enabled: seesStores });
  const reopen = useSend(reopenAside, {
    refreshes: [listAside, countAside],
    onSuccess: ({ count }) => notice.success(`已恢复 ${count} 行`),
  });
  const idsOf = (rows: readonly AsideRow[]) => rows.map((row) => row.id);
  const count = failed.data?.length ?? 0;
  return (
    <>
      <ListScreen
        name="marketplace/quarantine"
        title="隔离区"
        endpoint={listAside}
        exportEndpoint={exportAside}
        row={AsideRow}
        filter={AsideFilter}
        defaults={OPEN_FIRST}
        options={{
          kind: kinds.data,
          authid: accountsOf(stores.data?.stores ?? []).map((one) => ({ value: one.authid, label: one.gname })),
        }}
        tabs={{ field: 'state', counts: countAside }}
        density="dense"
        unit="行"
        current={opened}
        onOpen={(row) => setOpened(row.id)}
        {...(may
          ? {
              batch: [
                { label: '忽略', unfit: settled, onClick: (rows: AsideRow[]) => setIgnoring(idsOf(rows)) },
                {
                  label: '恢复',
                  unfit: notIgnored,
                  onClick: (rows: AsideRow[]) => reopen.mutate({ body: { ids: idsOf(rows) } }),
                },
              ],
            }
          : {})}
        head={
          <Button danger={count > 0} onClick={() => setDead(true)}>
            失败任务 {count}
          </Button>
        }
        empty={
          <Empty
            title="没有隔离的行"
            text="报表中无法读取的行会放在这里，同一文件的其余行照常入库。修正后重试，或写明原因后忽略。"
          />
        }
        note="已忽略的行不再提醒"
      />
      <LineDrawer id={active ? opened : undefined} onClose={() => setOpened(undefined)} />
      <DeadDrawer open={active && dead} onClose={() => setDead(false)} />
      {ignoring && active && <IgnoreDialog ids={ignoring} onClose={() => setIgnoring(undefined)} />}
    </>
  );
}
