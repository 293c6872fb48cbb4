import { type ReactNode, useState } from 'react';
import { call, useCall, useSend } from '#kit/web/api/index.ts';
import { State } from '#kit/web/cells/index.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import type { RowAction } from '#kit/web/grid/RowActions.tsx';
import { ListScreen } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import {
  listSchedules,
  pauseSchedule,
  RunState,
  resumeSchedule,
  runSchedule,
  ScheduleFilter,
  ScheduleRow,
  saveSchedule,
  scheduleRuns,
} from '../contract/schedules.ts';
import { EditDialog } from './EditDialog.tsx';

const REFRESHES = [listSchedules, scheduleRuns];
const STATES = RunState.meta()?.states;

function Runs({ row, onClose }: { row: ScheduleRow | undefined; onClose: () => void }) {
  const runs = useCall(scheduleRuns, { query: { id: row?.id ?? '' } }, { enabled: row !== undefined });
  return (
    <DetailDrawer open={row !== undefined} onClose={onClose} title={row?.title} subtitle={row?.cron}>
      <div style={{ padding: '12px 16px' }}>
        {runs.isError ? (
          <ErrorState error={runs.error} onRetry={() => void runs.refetch()} />
        ) : (
          <LineTable
            row={scheduleRuns.reply.element}
            rows={runs.data}
            rowId={(run) => run.fireTime}
            none="还没有执行过"
            label="执行记录"
          />
        )}
      </div>
    </DetailDrawer>
  );
}

function Editor({ row, onClose }: { row: ScheduleRow; onClose: () => void }) {
  const { id, cron, timeZone, priority, description, version } = row;
  return (
    <EditDialog
      title={`设置「${row.title}」`}
      schema={saveSchedule.body}
      initial={{ id, cron, timeZone, priority, description, version }}
      fields={{
        cron: { help: '分 时 日 月 周，例如 30 2 * * * 为每天 02:30' },
        description: { span: 2 },
      }}
      refreshes={REFRESHES}
      send={async (body) => {
        await call(saveSchedule, { body }, { quiet: true });
        notice.success('定时任务已保存');
      }}
      onClose={onClose}
    />
  );
}

/** Scheduled work of the company, or, for the operator, of the product. */
export function ScheduleList({ kinds }: { kinds: ReactNode }) {
  const [editing, setEditing] = useState<ScheduleRow>();
  const [shown, setShown] = useState<ScheduleRow>();
  const mayRun = useAllowed('sys:task:run');
  const mayConfigure = useAllowed('sys:task:config');
  const done = (text: string) => ({ refreshes: REFRESHES, onSuccess: () => notice.success(text) });
  const run = useSend(runSchedule, done('已加入执行队列'));
  const pause = useSend(pauseSchedule, done('定时任务已暂停'));
  const resume = useSend(resumeSchedule, done('定时任务已恢复'));
  const actionsOf = (row: ScheduleRow): RowAction[] => {
    const body = { id: row.id };
    const paused = row.state === 'paused';
    const once = { label: '执行一次', onClick: () => run.mutate({ body }) };
    const busy = row.lastState === 'running' || row.lastState === 'queued';
    return [
      ...(mayRun ? [busy ? { ...once, blocked: '正在执行' } : once] : []),
      { label: '执行记录', onClick: () => setShown(row) },
      ...(mayConfigure
        ? [
            { label: '设置', onClick: () => setEditing(row), edits: true },
            paused
              ? { label: '恢复', onClick: () => resume.mutate({ body }) }
              : { label: '暂停', onClick: () => pause.mutate({ body }) },
          ]
        : []),
    ];
  };
  return (
    <>
      <ListScreen
        name="system/schedules"
        title="任务"
        unit="个任务"
        endpoint={listSchedules}
        row={ScheduleRow}
        filter={ScheduleFilter}
        density="dense"
        actions={actionsOf}
        actionsWidth={130}
        columns={{
          lastState: {
            render: (row) => <State value={row.lastState} states={STATES} reason={row.lastResult ?? undefined} />,
          },
        }}
        head={kinds}
        onOpen={setShown}
        current={shown?.id}
        note="只能安排系统内置的任务"
      />
      <Runs row={shown} onClose={() => setShown(undefined)} />
      {editing && <Editor row={editing} onClose={() => setEditing(undefined)} />}
    </>
  );
}
