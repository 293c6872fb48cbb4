import {
  CheckCircleFilled,
  ClockCircleOutlined,
  ExclamationCircleFilled,
  LoadingOutlined,
  MinusCircleOutlined,
} from '@ant-design/icons';
import type { ReactNode } from 'react';
import { ProgressBar } from '../cells/ProgressBar.tsx';
import { whenText } from '../cells/time.ts';
import { type Task, usePorts } from '../ports.ts';
import { isOpen, refreshTasks } from './use-tasks.ts';

const icons: Record<Task['state'], ReactNode> = {
  queued: <ClockCircleOutlined className="text3" />,
  running: <LoadingOutlined className="accent" />,
  done: <CheckCircleFilled className="success" />,
  failed: <ExclamationCircleFilled className="danger" />,
  cancelled: <MinusCircleOutlined className="text3" />,
};

const words: Record<Task['state'], string> = {
  queued: '排队中',
  running: '执行中',
  done: '已完成',
  failed: '失败',
  cancelled: '已取消',
};

function Actions({ task }: { task: Task }) {
  const { tasks } = usePorts();
  const act = (work: Promise<void>) => void work.catch(() => {}).finally(refreshTasks);
  const { fileId } = task;
  return (
    <span className="task-actions">
      {isOpen(task) && (
        <button type="button" className="link" onClick={() => act(tasks.cancel(task.id))}>
          取消
        </button>
      )}
      {(task.state === 'failed' || task.state === 'cancelled') && (
        <button type="button" className="link" onClick={() => act(tasks.retry(task.id))}>
          重试
        </button>
      )}
      {fileId && (
        <button type="button" className="link" onClick={() => act(tasks.download(fileId))}>
          {task.state === 'failed' ? '下载失败项' : '下载'}
        </button>
      )}
    </span>
  );
}

function Item({ task }: { task: Task }) {
  return (
    <li className="task">
      <span className="task-icon" title={words[task.state]}>
        {icons[task.state]}
      </span>
      <div className="task-text">
        <div className="task-line">
          <b className="ellipsis">{task.title}</b>
          <span className="text3">
            {task.userName} {whenText(task.createdAt)}
          </span>
        </div>
        {task.state === 'running' && <ProgressBar percent={task.progress} bare />}
        <div className="task-line">
          <span className={task.error ? 'danger' : 'text2'}>{task.error ?? task.detail ?? words[task.state]}</span>
          <Actions task={task} />
        </div>
      </div>
    </li>
  );
}

/** The panel behind the ring: own tasks of the last days with what can be done about each. */
export function TaskPanel({ tasks }: { tasks: Task[] }) {
  const running = tasks.filter(isOpen).length;
  return (
    <section className="task-panel" aria-label="后台任务">
      <header>
        <b>后台任务</b>
        <span className="text3">{running > 0 ? `${running} 个进行中` : '没有进行中的任务'}</span>
      </header>
      {tasks.length === 0 && <p className="task-none">导出、同步、导入等较长的工作会列在这里。</p>}
      <ul>
        {tasks.map((task) => (
          <Item key={task.id} task={task} />
        ))}
      </ul>
      <footer>关闭页面或浏览器不影响执行，结果保留 7 天。</footer>
    </section>
  );
}
