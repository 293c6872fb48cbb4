import { CheckCircleFilled, CloseCircleFilled, LoadingOutlined } from '@ant-design/icons';
import { formatInteger } from '#kit/contract/format.ts';
import { ProgressBar } from '#kit/web/cells/index.ts';
import { useTasks } from '#kit/web/tasks/use-tasks.ts';
import type { UploadDetail } from '../../contract/uploads.ts';

function Loading({ batch }: { batch: UploadDetail }) {
  const task = useTasks().find((one) => one.id === batch.taskId);
  if (task?.state === 'failed' || task?.state === 'cancelled') {
    return (
      <>
        <CloseCircleFilled className="danger" />
        <h3>{task.state === 'failed' ? '入库失败，已全部回退' : '已取消，没有写入任何行'}</h3>
        <p className="text2">{batch.error ?? task.error}</p>
      </>
    );
  }
  return (
    <>
      <LoadingOutlined className="accent" />
      <h3>正在写入 {formatInteger(batch.rows)} 行</h3>
      <ProgressBar percent={task?.progress ?? 0} />
      <p className="text3">可以关闭此窗口，进度显示在右上角的后台任务中。</p>
    </>
  );
}

/** Step 3: what the load has done, or how far it is. */
export function DoneStep({ batch }: { batch: UploadDetail }) {
  return (
    <div className="upload-done" aria-live="polite">
      {batch.state === 'loaded' ? (
        <>
          <CheckCircleFilled className="success" />
          <h3>{batch.number} 已入库</h3>
          <p className="text2 num">
            新增 {formatInteger(batch.inserted)} · 更新 {formatInteger(batch.updated)} · 未变化{' '}
            {formatInteger(batch.unchanged)}
          </p>
        </>
      ) : (
        <Loading batch={batch} />
      )}
    </div>
  );
}
