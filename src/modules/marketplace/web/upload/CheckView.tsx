import { DownloadOutlined, ExclamationCircleFilled, FileExcelOutlined, FileTextOutlined } from '@ant-design/icons';
import { formatInteger } from '#kit/contract/format.ts';
import { download } from '#kit/web/api/index.ts';
import { StoreName } from '#kit/web/cells/index.ts';
import { type UploadDetail, uploadErrors } from '../../contract/uploads.ts';

const KB = 1024;

/** "186 KB", "3.2 MB". */
export function sizeText(bytes: number): string {
  if (bytes < KB) return `${bytes} B`;
  if (bytes < KB * KB) return `${Math.round(bytes / KB)} KB`;
  return `${(bytes / KB / KB).toFixed(1)} MB`;
}

function FileCard({ batch }: { batch: UploadDetail }) {
  return (
    <div className="upload-file">
      {batch.fileName.endsWith('.xlsx') ? <FileExcelOutlined /> : <FileTextOutlined />}
      <span className="strong ellipsis">{batch.fileName}</span>
      <span className="text3 num">
        {sizeText(batch.size)} · {batch.reportTitle}
        {batch.rows === null ? '' : ` · ${formatInteger(batch.rows)} 行`}
      </span>
      <span className="spring" />
      <StoreName store={batch.store} />
    </div>
  );
}

function Figures({ batch }: { batch: UploadDetail }) {
  const rows = batch.rows ?? 0;
  return (
    <div className="upload-figures">
      <span>
        <b className="num">{formatInteger(rows)}</b>总行数
      </span>
      <span>
        <b className="num success">{formatInteger(rows - batch.badRows)}</b>可写入
      </span>
      <span>
        <b className={`num ${batch.badRows > 0 ? 'danger' : ''}`}>{formatInteger(batch.badRows)}</b>错误
      </span>
      <span className="spring" />
      {batch.period && <span className="text2 num">期间 {batch.period}</span>}
    </div>
  );
}

function BadRows({ batch }: { batch: UploadDetail }) {
  const bad = batch.check?.badRows ?? [];
  if (bad.length === 0) return null;
  return (
    <>
      <div className="upload-table">
        <table>
          <thead>
            <tr>
              <th>行号</th>
              <th>列</th>
              <th>问题</th>
              <th>当前值</th>
            </tr>
          </thead>
          <tbody>
            {bad.map((row) => (
              <tr key={`${row.line}:${row.column}`}>
                <td className="num text3">{row.line}</td>
                <td className="ellipsis">{row.column}</td>
                <td className="danger">
                  <ExclamationCircleFilled /> {row.reason.replace(/^第 \d+ 行，列 [^：]*：/, '')}
                </td>
                <td className="ellipsis">{row.value || '（空）'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <button
        type="button"
        className="link"
        onClick={() => void download(uploadErrors, { params: { id: batch.id } }).catch(() => {})}
      >
        <DownloadOutlined /> 下载全部 {formatInteger(batch.badRows)} 条错误
      </button>
    </>
  );
}

/** What the check of a batch found: figures, remarks, and every bad row with its reason. */
export function CheckView({ batch }: { batch: UploadDetail }) {
  return (
    <>
      <FileCard batch={batch} />
      {batch.check && <Figures batch={batch} />}
      <div className="upload-notes">
        {batch.error && (
          <p className="note is-danger">
            <span>{batch.error}</span>
          </p>
        )}
        {batch.check && (
          <p className="note is-success">
            <span>{batch.check.summary}</span>
          </p>
        )}
        {batch.check?.warnings.map((warning) => (
          <p className="note is-warning" key={warning}>
            <span>{warning}</span>
          </p>
        ))}
      </div>
      {batch.undoNote && batch.state === 'checked' && <p className="note is-info">{batch.undoNote}</p>}
      <BadRows batch={batch} />
    </>
  );
}
