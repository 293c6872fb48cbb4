import './warehouse.css';
import { Button } from 'antd';
import { ProgressBar } from '#kit/web/cells/index.ts';
import { usePorts } from '#kit/web/ports.ts';
import { useAllowed } from '#kit/web/session.ts';
import { refreshTasks } from '#kit/web/tasks/use-tasks.ts';
import { PERIODS, type PeriodRow } from '../contract/costs.ts';
import { isClosing, useChangePeriod, usePeriods } from './periods.ts';

type Task = NonNullable<PeriodRow['task']>;

/** How far the closing of a month is, and the way out of it for who started it. */
export function Closing({ month, task, onChange }: { month: string; task: Task; onChange: () => void }) {
  const { tasks } = usePorts();
  const stop = () => {
    const done = () => {
      refreshTasks();
      onChange();
    };
    void tasks.cancel(task.id).then(done, done);
  };
  return (
    <span className="warehouse-closing" aria-live="polite">
      <ProgressBar percent={task.progress} label={`${month} 结转进度`} />
      <span className="text2">{task.state === 'queued' ? '排队中' : (task.detail ?? '正在结转')}</span>
      {task.mine ? (
        <Button size="small" onClick={stop}>
          取消
        </Button>
      ) : (
        <span className="text3">{task.userName} 发起</span>
      )}
    </span>
  );
}

/** Why the last attempt to close a month came to nothing. */
export function failureOf({ task }: PeriodRow): string | undefined {
  if (task?.state === 'failed') return `上次结转失败：${task.error ?? '原因未知'}。没有写入任何数据`;
  if (task?.state === 'cancelled') return '上次结转已取消，没有写入任何数据';
  return undefined;
}

/** The month that is to be closed next where issues are priced at its end: starts it and follows it. */
export function MonthEnd() {
  const periods = usePeriods();
  const change = useChangePeriod();
  const mayClose = useAllowed(PERIODS);
  const due = periods.data?.filter((row) => row.over && row.state === 'OPEN' && row.valuation === 'MONTHLY').at(-1);
  if (!due) return null;
  return (
    <div className="warehouse-provisional">
      {isClosing(due) && due.task ? (
        <>
          <b>{due.month} 正在结转</b>
          <Closing month={due.month} task={due.task} onChange={() => void periods.refetch()} />
        </>
      ) : (
        <>
          <span>{failureOf(due) ?? `${due.month} 尚未结转，出库成本仍按先进先出暂估`}</span>
          {mayClose && (
            <Button size="small" type="primary" onClick={() => change(due)}>
              结转 {due.month}
            </Button>
          )}
        </>
      )}
    </div>
  );
}
