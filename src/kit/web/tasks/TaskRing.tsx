import { Popover } from 'antd';
import { useState } from 'react';
import { TaskPanel } from './TaskPanel.tsx';
import { isOpen, useTasks } from './use-tasks.ts';

const RADIUS = 7;
const LENGTH = 2 * Math.PI * RADIUS;

function Ring({ share }: { share: number }) {
  return (
    <svg className="task-ring" width="18" height="18" viewBox="0 0 18 18" aria-hidden="true">
      <circle cx="9" cy="9" r={RADIUS} className="task-ring-track" />
      <circle cx="9" cy="9" r={RADIUS} className="task-ring-bar" strokeDasharray={`${LENGTH * share} ${LENGTH}`} />
    </svg>
  );
}

/** Ring with the number of running tasks; it stays when nothing runs, so that the header does not move. */
export function TaskRing() {
  const tasks = useTasks();
  const [shown, setShown] = useState(false);
  const running = tasks.filter(isOpen);
  const done = running.reduce((sum, task) => sum + task.progress, 0);
  const share = running.length > 0 ? Math.max(0.08, done / running.length / 100) : 0;
  const label = running.length > 0 ? `后台任务，${running.length} 个进行中` : '后台任务';
  return (
    <Popover
      trigger="click"
      placement="bottomRight"
      arrow={false}
      open={shown}
      onOpenChange={setShown}
      styles={{ container: { padding: 0 } }}
      content={<TaskPanel tasks={tasks} />}
    >
      <button type="button" className="icon-button task-button" aria-label={label} aria-live="polite">
        <Ring share={share} />
        {running.length > 0 && <span className="num">{running.length}</span>}
      </button>
    </Popover>
  );
}
