import { type ReactNode, useState } from 'react';
import { download, useCall, useSend } from '#kit/web/api/index.ts';
import { ProgressBar, State, stampText } from '#kit/web/cells/index.ts';
import { ObjectDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import type { RowAction } from '#kit/web/grid/RowActions.tsx';
import { ListScreen } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { Empty, ErrorState } from '#kit/web/states/index.ts';
import { countJobs, JobFilter, JobRow, jobLog, listJobs } from '../contract/jobs.ts';
import { cancelTask, downloadFile, retryTask, TaskState } from '../contract.ts';
import './system.css';

const REFRESHES = [listJobs, countJobs, jobLog];
const STATES = TaskState.meta()?.states;
const MINUTE = 60;

function tookText(seconds: number | null): string {
  if (seconds === null) return '—';
  if (seconds < MINUTE) return `${seconds} 秒`;
  const minutes = Math.floor(seconds / MINUTE);
  return minutes < MINUTE
    ? `${minutes} 分 ${seconds % MINUTE} 秒`
    : `${Math.floor(minutes / MINUTE)} 时 ${minutes % MINUTE} 分`;
}

function Log({ row, onClose }: { row: JobRow | undefined; onClose: () => void }) {
  const log = useCall(jobLog, { params: { id: row?.id ?? '' } }, { enabled: row !== undefined });
  return (
    <ObjectDrawer open={row !== undefined} onClose={onClose} title={row?.title} subtitle="任务日志">
      <div style={{ padding: '12px 16px' }}>
        {log.isError && <ErrorState error={log.error} onRetry={() => void log.refetch()} />}
        <table className="diff" aria-label="任务日志">
          <tbody>
            {log.data?.map((line) => (
              <tr key={line.at}>
                <td className="num">{stampText(line.at)}</td>
                <td>
                  <State value={line.state} states={STATES} />
                </td>
                <td>
                  {line.text ?? (line.state === 'running' ? `第 ${line.attempt} 次执行` : '')}
                  {line.state === 'running' && line.progress > 0 && <span className="label"> {line.progress}%</span>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </ObjectDrawer>
  );
}

/** Long tasks of everybody in the company. */
export function JobList({ kinds }: { kinds: ReactNode }) {
  const [shown, setShown] = useState<JobRow>();
  const mayRun = useAllowed('sys:task:run');
  const cancel = useSend(cancelTask, { refreshes: REFRESHES });
  const retry = useSend(retryTask, { refreshes: REFRESHES });
  const actionsOf = (row: JobRow): RowAction[] => {
    const params = { id: row.id };
    const open = row.state === 'queued' || row.state === 'running';
    const failed = row.state === 'failed' || row.state === 'cancelled';
    const may = mayRun || row.mine;
    return [
      { label: '日志', onClick: () => setShown(row) },
      ...(row.fileId && row.mine
        ? [{ label: '下载结果', onClick: () => void download(downloadFile, { params: { id: row.fileId ?? '' } }) }]
        : []),
      ...(may && open ? [{ label: '取消', danger: true, onClick: () => cancel.mutate({ params }) }] : []),
      ...(may && failed ? [{ label: '重试', onClick: () => retry.mutate({ params }) }] : []),
    ];
  };
  return (
    <>
      <ListScreen
        name="system/jobs"
        title="任务"
        unit="个任务"
        endpoint={listJobs}
        row={JobRow}
        filter={JobFilter}
        tabs={{ field: 'state', counts: countJobs }}
        density="dense"
        columns={{
          progress: { render: (row) => <ProgressBar percent={row.progress} label={row.title} /> },
          took: {
            render: (row) => <span className="num">{tookText(row.took)}</span>,
            text: (row) => tookText(row.took),
          },
        }}
        actions={actionsOf}
        onOpen={setShown}
        current={shown?.id}
        head={kinds}
        empty={<Empty title="还没有长任务" text="大量数据的导出、导入会在后台执行，并列在这里。" />}
      />
      <Log row={shown} onClose={() => setShown(undefined)} />
    </>
  );
}
