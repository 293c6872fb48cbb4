import { DownloadOutlined, InfoCircleFilled } from '@ant-design/icons';
import { Button, Checkbox, Modal } from 'antd';
import { type ReactNode, useState } from 'react';
import { messageOf } from '../api/errors.ts';
import { Steps } from '../document/Steps.tsx';
import { notice } from '../notice.tsx';
import { CheckResult } from './CheckResult.tsx';
import { FileDrop } from './FileDrop.tsx';
import { errorCount, type ImportCheck, warningCount } from './types.ts';

interface Props<C extends ImportCheck> {
  title: string;
  open: boolean;
  onClose: () => void;
  /** Sends the file and checks every row; writes nothing. Calls with `quiet`. */
  check: (file: File, onProgress: (share: number) => void) => Promise<C>;
  /** Writes all of it in one transaction. Calls with `quiet`. */
  commit: (checked: C) => Promise<unknown>;
  onDone?: () => void;
  /** Downloads the file with a column of reasons. */
  annotate?: (checked: C) => Promise<unknown>;
  /** Downloads an empty file with the right columns. */
  template?: () => Promise<unknown>;
  /** Names of file types for the chooser: ".xlsx,.csv". */
  accept?: string;
  /** Choices before the file: store, period. */
  children?: ReactNode;
  /** Why no file can be taken yet. */
  blocked?: string | undefined;
  /** What writing does; the check's own summary where left out. */
  note?: ReactNode;
  /** Word on the button that writes: 「写入」. */
  okText?: string;
}

type Busy = 'check' | 'commit' | null;

function useImport<C extends ImportCheck>({ check, commit, onDone, onClose }: Props<C>) {
  const [file, setFile] = useState<File | null>(null);
  const [checked, setChecked] = useState<C | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState<Busy>(null);
  const [share, setShare] = useState(0);
  const [confirmed, setConfirmed] = useState(false);

  const restart = () => {
    setFile(null);
    setChecked(null);
    setError(null);
    setConfirmed(false);
  };
  const close = () => {
    restart();
    onClose();
  };
  const take = async (next: File) => {
    restart();
    setFile(next);
    setBusy('check');
    setShare(0);
    try {
      setChecked(await check(next, setShare));
    } catch (failure) {
      setError(messageOf(failure));
    } finally {
      setBusy(null);
    }
  };
  const write = async () => {
    if (!checked) return;
    setBusy('commit');
    try {
      await commit(checked);
      notice.success(`${checked.fileName} 已写入`);
      onDone?.();
      close();
    } catch (failure) {
      setError(`${messageOf(failure)}，整批未写入`);
    } finally {
      setBusy(null);
    }
  };
  return { file, checked, error, busy, share, confirmed, setConfirmed, restart, close, take, write };
}

/** 导入: file, check, write. Every bad row is shown with its reason; all rows are written, or none. */
export function ImportDialog<C extends ImportCheck>(props: Props<C>) {
  const { title, open, annotate, template, accept = '.xlsx,.csv', children, blocked, note, okText = '写入' } = props;
  const state = useImport(props);
  const { file, checked, busy } = state;
  const errors = checked ? errorCount(checked) : 0;
  const warnings = checked ? warningCount(checked) : 0;
  const stage = checked ? 1 : 0;
  const steps = ['上传文件', '校验', '确认写入'].map((name, index) => ({
    key: name,
    title: name,
    state: index < stage ? ('done' as const) : index === stage ? ('now' as const) : ('todo' as const),
  }));
  const download = (work: (() => Promise<unknown>) | undefined) => void work?.().catch(() => {});

  const foot = (
    <div className="import-foot">
      {checked && annotate && errors + warnings > 0 && (
        <button type="button" className="link" onClick={() => download(() => annotate(checked))}>
          <DownloadOutlined /> 下载带错误说明的文件
        </button>
      )}
      {!checked && template && (
        <button type="button" className="link" onClick={() => download(template)}>
          <DownloadOutlined /> 下载模板
        </button>
      )}
      <span className="spring" />
      <Button onClick={state.close}>取消</Button>
      {file && checked && <Button onClick={() => void state.take(file)}>重新校验</Button>}
      <Button
        type="primary"
        disabled={!checked || errors > 0 || checked.total === 0 || (warnings > 0 && !state.confirmed)}
        loading={busy === 'commit'}
        onClick={() => void state.write()}
      >
        {okText}
        {checked && errors === 0 ? ` ${checked.ok + warnings} 行` : ''}
      </Button>
    </div>
  );

  return (
    <Modal
      className="import-dialog"
      title={title}
      open={open}
      width={860}
      footer={foot}
      onCancel={state.close}
      mask={{ closable: false }}
      destroyOnHidden
    >
      <Steps steps={steps} />
      {checked ? (
        <CheckResult checked={checked} errors={errors} warnings={warnings} onOther={state.restart} />
      ) : (
        <>
          {children}
          <FileDrop
            accept={accept}
            blocked={blocked}
            busy={busy === 'check'}
            share={state.share}
            file={file}
            error={state.error}
            onFile={(next) => void state.take(next)}
          />
        </>
      )}
      {checked && state.error && <div className="note is-danger">{state.error}</div>}
      {checked && warnings > 0 && errors === 0 && (
        <Checkbox checked={state.confirmed} onChange={(event) => state.setConfirmed(event.target.checked)}>
          已逐行确认 {warnings} 行提示，按文件写入
        </Checkbox>
      )}
      <div className="note is-info">
        <InfoCircleFilled />
        <span>{note ?? checked?.summary ?? '全部通过才会写入，一次提交，中途失败则全部回退。'}</span>
      </div>
    </Modal>
  );
}
