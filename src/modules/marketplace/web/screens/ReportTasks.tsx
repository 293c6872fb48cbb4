import { Button } from 'antd';
import { useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { useCall } from '#kit/web/api/index.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { ReportTaskFilter, ReportTaskRow, reportTaskCounts, reportTasks } from '../../contract/report-tasks.ts';
import { bindSeller } from '../../contract/stores.ts';
import { reportTypes } from '../../contract/sync.ts';
import { ReplayDialog } from '../reports/ReplayDialog.tsx';
import { TaskDrawer } from '../reports/TaskDrawer.tsx';
import { accountsOf } from '../store/health.ts';
import '../store/store.css';
import '../upload/upload.css';

/** 报表任务: every report that was asked for or found, with its way into the database. */
export default function ReportTasks() {
  const { active } = useTab();
  const [opened, setOpened] = useState<string>();
  const [replaying, setReplaying] = useState(false);
  const types = useCall(reportTypes, {});
  const stores = useCall(bindSeller, {});
  return (
    <>
      <ListScreen
        name="marketplace/reportTasks"
        title="报表任务"
        endpoint={reportTasks}
        row={ReportTaskRow}
        filter={ReportTaskFilter}
        options={{
          authid: accountsOf(stores.data?.stores ?? []).map((one) => ({ value: one.authid, label: one.gname })),
          reportType: (types.data ?? []).map((one) => ({ value: one.type, label: one.title })),
        }}
        tabs={{ field: 'status', counts: reportTaskCounts }}
        density="dense"
        unit="份"
        current={opened}
        onOpen={(row) => setOpened(row.id)}
        head={
          <Allowed code="amz:report:sync">
            <Button onClick={() => setReplaying(true)}>批量重新解析</Button>
          </Allowed>
        }
        empty={<Empty title="还没有报表任务" text="授权店铺后自动申请报表；也可以在「店铺管理」的账号里手工申请。" />}
      />
      <TaskDrawer id={active ? opened : undefined} onClose={() => setOpened(undefined)} />
      {replaying && active && <ReplayDialog onClose={() => setReplaying(false)} />}
    </>
  );
}
