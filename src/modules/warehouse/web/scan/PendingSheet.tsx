import dayjs from 'dayjs';
import type { Act } from './acts.ts';
import { flush, giveUp, type Outbox, retry } from './sender.ts';

/** How things stand with the server, in a few words. */
export function pendingWords({ acts, reached, read }: Outbox): string {
  if (!read) return '读取中';
  const refused = acts.filter((act) => act.state === 'refused').length;
  const waiting = acts.length - refused;
  if (refused > 0) return `${refused} 条被拒绝${waiting > 0 ? ` · ${waiting} 条待传` : ''}`;
  if (waiting === 0) return navigator.onLine ? '已同步' : '离线';
  return `${reached && navigator.onLine ? '' : '离线 '}${waiting} 条待传`;
}

function Item({ act }: { act: Act }) {
  return (
    <li className={act.state === 'refused' ? 'is-refused' : ''}>
      <b>{act.words}</b>
      <small>{dayjs(act.at).format('HH:mm:ss')}</small>
      {act.reason === null ? (
        <span>等待上传</span>
      ) : (
        <>
          <span>未成功：{act.reason}</span>
          <div className="scan-pair">
            <button type="button" onClick={() => void giveUp(act)}>
              放弃
            </button>
            <button type="button" onClick={() => void retry(act)}>
              重试
            </button>
          </div>
        </>
      )}
    </li>
  );
}

/** What the server has not taken yet, and what it refused and why. */
export function PendingSheet({ outbox, onClose }: { outbox: Outbox; onClose: () => void }) {
  return (
    <div className="scan-sheet" role="dialog" aria-label="待上传">
      <h2>待上传</h2>
      {outbox.acts.length === 0 ? (
        <p className="scan-empty">全部操作都已上传。</p>
      ) : (
        <ul>
          {outbox.acts.map((act) => (
            <Item key={act.id} act={act} />
          ))}
        </ul>
      )}
      <p className="scan-empty">没有网络时操作保存在本机，恢复后按先后顺序上传，重复上传不会重复记账。</p>
      <div className="scan-bar">
        <button type="button" onClick={() => void flush()}>
          立即上传
        </button>
        <button type="button" className="scan-main" onClick={onClose}>
          返回
        </button>
      </div>
    </div>
  );
}
