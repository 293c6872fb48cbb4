import { DownloadOutlined, InfoCircleFilled } from '@ant-design/icons';
import { Button, Checkbox, Modal } from 'antd';
import { type ReactNode, useState } from 'react';
import { messageOf } from '../api/errors.ts';
import { keep } from '../api/files.ts';
import { Steps } from '../document/Steps.tsx';
import { notice } from '../notice.tsx';
import { CheckResult } from './CheckResult.tsx';
import { FileDrop, sizeText } from './FileDrop.tsx';
import {
  correctCell,
  dropLine,
  errorCount,
  type ImportCheck,
  type ImportCorrection,
  problemsCsv,
  undoCell,
  warningCount,
} from './types.ts';

interface Props<C extends ImportCheck> {
  title: string;
  open: boolean;
  onClose: () => void;
  /** Sends the file and checks every row; writes nothing. Calls with `quiet`. */
  check: (file: File, onProgress: (share: number) => void, corrections: readonly ImportCorrection[]) => Promise<C>;
  /** The check takes corrections: rows are put right in place where a problem names its field. */
  correctable?: boolean;
  /** Writes all of it in one transaction. Calls with `quiet`. */
  commit: (checked: C) => Promise<unknown>;
  onDone?: () => void;
  /** Downloads the file with a column of reasons; the bad rows as CSV where left out. */
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
  const [corrections, setCorrections] = useState<readonly ImportCorrection[]>([]);
  /** Something was put right since the last check. */
  const [stale, setStale] = useState(false);

  const correct = (next: readonly ImportCorrection[]) => {
    setCorrections(next);
    setStale(true);
  };
  const restart = () => {
    setFile(null);
    setChecked(null);
    setError(null);
    setConfirmed(false);
    setCorrections([]);
    setStale(false);
  };
  const close = () => {
    restart();
    onClose();
  };
  const run = async (next: File, given: readonly ImportCorrection[]) => {
    setBusy('check');
    setShare(0);
    setError(null);
    setConfirmed(false);
    try {
      setChecked(await check(next, setShare, given));
      setStale(false);
    } catch (failure) {
      setError(messageOf(failure));
    } finally {
      setBusy(null);
    }
  };
  const take = async (next: File) => {
    restart();
    setFile(next);
    await run(next, []);
  };
  /** The same file again with what was put right; the rows stay on the screen meanwhile. */
  const again = async () => {
    if (file) await run(file, corrections);
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
  const own = { file, checked, error, busy, share, confirmed, corrections, stale };
  return { ...own, setConfirmed, correct, restart, close, take, again, write };
}

/** What the dialog says below the rows: what is not sent yet, else what writing does. */
function Words({ stale, count, children }: { stale: boolean; count: number; children: ReactNode }) {
  if (count === 0) return children;
  const words = `已就地修改 ${count} 行，原文件不变`;
  return stale ? (
    `${words}；重新校验后生效。`
  ) : (
    <>
      {words}。{children}
    </>
  );
}

/** 导入: file, check, write. Every bad row is shown with its reason; all rows are written, or none. */
export function ImportDialog<C extends ImportCheck>(props: Props<C>) {
  const {
    title,
    open,
    annotate,
    template,
    accept = '.xlsx,.csv',
    correctable = false,
    children,
    blocked,
    note,
    okText = '写入',
  } = props;
  const state = useImport(props);
  const { file, checked, busy } = state;
  const errors = checked ? errorCount(checked) : 0;
  const warnings = checked ? warningCount(checked) : 0;
  const stage = checked ? (errors === 0 && warnings === 0 && !state.stale ? 2 : 1) : 0;
  const steps = ['上传文件', '校验', '确认写入'].map((name, index) => ({
    key: name,
    title: name,
    state: index < stage ? ('done' as const) : index === stage ? ('now' as const) : ('todo' as const),
  }));
  const reasons =
    annotate ??
    (async (found: C) => {
      keep(
        new Blob([problemsCsv(found)], { type: 'text/csv' }),
        `${found.fileName.replace(/\.[^.]*$/, '')}-错误清单.csv`,
      );
    });
  const download = (work: (() => Promise<unknown>) | undefined) => void work?.().catch(() => {});

  const foot = (
    <div className="import-foot">
      {checked && errors + warnings > 0 && (
        <button type="button" className="link" onClick={() => download(() => reasons(checked))}>
          <DownloadOutlined /> {annotate ? '下载带错误说明的文件' : '下载错误清单'}
        </button>
      )}
      {!checked && template && (
        <button type="button" className="link" onClick={() => download(template)}>
          <DownloadOutlined /> 下载模板
        </button>
      )}
      <span className="spring" />
      <Button onClick={state.close}>取消</Button>
      {checked && (errors > 0 || state.stale) && (
        <Button
          type={state.stale ? 'primary' : 'default'}
          loading={busy === 'check'}
          onClick={() => void state.again()}
        >
          重新校验
        </Button>
      )}
      <Button
        type={state.stale ? 'default' : 'primary'}
        disabled={!checked || state.stale || errors > 0 || checked.total === 0 || (warnings > 0 && !state.confirmed)}
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
        <CheckResult
          checked={checked}
          size={sizeText(file?.size ?? 0)}
          errors={errors}
          warnings={warnings}
          corrections={state.corrections}
          onCorrect={
            correctable
              ? (line, field, value) => state.correct(correctCell(state.corrections, line, field, value))
              : undefined
          }
          onDrop={(line) => state.correct(dropLine(state.corrections, line))}
          onUndo={(line, field) => state.correct(undoCell(state.corrections, line, field))}
          onOther={state.restart}
        />
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
        <span>
          <Words stale={state.stale} count={state.corrections.length}>
            {note ?? checked?.summary ?? '全部通过才会写入，一次提交，中途失败则全部回退。'}
          </Words>
        </span>
      </div>
    </Modal>
  );
}
