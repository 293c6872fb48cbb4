import { InboxOutlined } from '@ant-design/icons';
import { type DragEvent, useRef, useState } from 'react';
import { ProgressBar } from '../cells/ProgressBar.tsx';

interface Props {
  accept: string;
  blocked: string | undefined;
  busy: boolean;
  share: number;
  file: File | null;
  error: string | null;
  onFile: (file: File) => void;
}

/** Size of a file in words: "186 KB", "14.2 MB". */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 ** 2) return `${Math.round(bytes / 1024)} KB`;
  return `${(bytes / 1024 ** 2).toFixed(1)} MB`;
}

/** Where a file is dropped or chosen; then how far it has got, or why it was refused. */
export function FileDrop({ accept, blocked, busy, share, file, error, onFile }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [dropped] = event.dataTransfer.files;
    if (dropped && !blocked && !busy) onFile(dropped);
  };
  return (
    <>
      <button
        type="button"
        className={`file-drop${over ? ' is-over' : ''}${error ? ' is-bad' : ''}`}
        disabled={busy || blocked !== undefined}
        onClick={() => input.current?.click()}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <InboxOutlined className="state-icon" />
        {busy && file ? (
          <span className="file-drop-busy">
            <span>{share < 1 ? `正在上传 ${file.name}` : `正在校验 ${file.name}`}</span>
            <ProgressBar percent={share < 1 ? share * 100 : 100} bare />
            <span className="label">{sizeText(file.size)}</span>
          </span>
        ) : (
          <>
            <b>{blocked ?? '点击选择文件，或拖到这里'}</b>
            <span className="label">
              {error ? '换一个文件，或修改后重新上传' : `支持 ${accept.replaceAll(',', '、')}`}
            </span>
          </>
        )}
      </button>
      {error && (
        <div className="note is-danger" role="alert">
          <span>
            {file?.name}：{error}
          </span>
        </div>
      )}
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        aria-label="选择文件"
        onChange={(event) => {
          const [chosen] = event.target.files ?? [];
          event.target.value = '';
          if (chosen) onFile(chosen);
        }}
      />
    </>
  );
}
