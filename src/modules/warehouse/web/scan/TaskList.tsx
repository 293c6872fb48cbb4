import { useCall } from '#kit/web/api/index.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { type ScanTask, scanTasks } from '../../contract/scan.ts';

interface Props {
  mode: 'receive' | 'pick' | 'count';
  warehouseId: string;
  onPick: (task: ScanTask) => void;
}

/** Documents of a warehouse that wait for a scanner. */
export function TaskList({ mode, warehouseId, onPick }: Props) {
  const { data, isError, error, refetch } = useCall(scanTasks, { query: { mode, warehouseId } }, { staleTime: 0 });
  if (isError) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data?.length === 0) return <p className="scan-empty">这个仓库没有待处理的单据。</p>;
  return (
    <ul className="scan-tasks">
      {data?.map((task) => (
        <li key={task.id}>
          <button type="button" onClick={() => onPick(task)}>
            <b>{task.number}</b>
            <span>
              {task.partner && `${task.partner} · `}
              {task.skus} 种 · {mode === 'count' ? '盘点' : `${task.done} / ${task.qty} 件`}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
