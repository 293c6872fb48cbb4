import { Button, Modal, Steps } from 'antd';
import { useState } from 'react';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { refreshTasks } from '#kit/web/tasks/use-tasks.ts';
import {
  commitUpload,
  ORDER_LIST,
  rejectUpload,
  type UploadDetail,
  uploadCounts,
  uploadDetail,
  uploadList,
} from '../../contract/uploads.ts';
import { CheckView } from './CheckView.tsx';
import { DoneStep } from './DoneStep.tsx';
import { MappingEditor } from './MappingEditor.tsx';
import { PickStep } from './PickStep.tsx';
import './upload.css';

const STEPS = [{ title: '选择文件' }, { title: '预检' }, { title: '确认入库' }];
const POLL = 1_000;
const CHANGED = [uploadList, uploadCounts, uploadDetail];

interface Props {
  /** A batch that waits for its check or commit; undefined for a new file. */
  batchId: string | undefined;
  onClose: () => void;
}

function stepOf(batch: UploadDetail | undefined, committing: boolean): number {
  if (!batch) return 0;
  return batch.state === 'loaded' || committing ? 2 : 1;
}

function CheckStep({ batch, mapping, onMapped }: { batch: UploadDetail; mapping: boolean; onMapped: () => void }) {
  return (
    <>
      <CheckView batch={batch} />
      {mapping && <MappingEditor id={batch.id} onChecked={onMapped} />}
      {batch.state === 'checked' && !mapping && (
        <p className="note is-info" style={{ marginTop: 12 }}>
          <span>全部通过才会写入：{batch.rows ?? 0} 行一次提交，中途失败则全部回退。</span>
        </p>
      )}
    </>
  );
}

/** 上传报表 in three steps: the file, its check (with the mapping of an order list), the load. */
export function UploadDialog({ batchId, onClose }: Props) {
  const [id, setId] = useState(batchId);
  const [editing, setEditing] = useState(false);
  const [task, setTask] = useState(false);
  const detail = useCall(
    uploadDetail,
    { params: { id: id ?? '' } },
    { enabled: id !== undefined, staleTime: 0, every: task ? POLL : false },
  );
  const batch = id === undefined ? undefined : detail.data;
  const commit = useSend(commitUpload, {
    refreshes: CHANGED,
    onSuccess: (reply) => {
      setTask(reply.taskId !== null && reply.state !== 'loaded');
      refreshTasks();
    },
  });
  const reject = useSend(rejectUpload, {
    refreshes: CHANGED,
    onSuccess: () => {
      setId(undefined);
      setEditing(false);
    },
  });
  const step = stepOf(batch, task);
  const isList = batch?.reportType === ORDER_LIST;
  const mapping = isList && (editing || batch?.check === null);
  const may = batch?.actions.find((action) => action.name === 'commit');
  const fresh = () => {
    setId(undefined);
    setTask(false);
    setEditing(false);
  };

  const footer = () => {
    if (step === 0) return <Button onClick={onClose}>取消</Button>;
    if (step === 2) {
      return (
        <>
          <Button onClick={fresh}>继续上传</Button>
          <Button type="primary" onClick={onClose}>
            完成
          </Button>
        </>
      );
    }
    return (
      <>
        {batch?.actions.some((action) => action.name === 'reject') && (
          <Button danger loading={reject.isPending} onClick={() => id && reject.mutate({ params: { id }, body: {} })}>
            拒绝并换文件
          </Button>
        )}
        {isList && batch?.check && (
          <Button onClick={() => setEditing(!editing)}>{editing ? '收起映射' : '修改映射'}</Button>
        )}
        <Button onClick={onClose}>稍后处理</Button>
        <Button
          type="primary"
          disabled={!may || mapping}
          title={may ? undefined : (batch?.error ?? undefined)}
          loading={commit.isPending}
          onClick={() => id && commit.mutate({ params: { id } })}
        >
          写入 {batch?.rows ?? 0} 行
        </Button>
      </>
    );
  };

  return (
    <Modal open centered width={860} title="上传报表" mask={{ closable: false }} onCancel={onClose} footer={footer()}>
      <Steps className="upload-steps" size="small" current={step} items={STEPS} />
      {id === undefined && <PickStep onTaken={(taken) => setId(taken.id ?? undefined)} />}
      {id !== undefined && detail.error && !batch && (
        <ErrorState error={detail.error} onRetry={() => void detail.refetch()} />
      )}
      {batch && step === 1 && <CheckStep batch={batch} mapping={mapping} onMapped={() => setEditing(false)} />}
      {batch && step === 2 && <DoneStep batch={batch} />}
    </Modal>
  );
}
