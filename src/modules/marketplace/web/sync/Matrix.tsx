import { State } from '#kit/web/cells/index.ts';
import { AccountStatus } from '../../contract/stores.ts';
import { CursorState } from '../../contract/sync.ts';
import type { SyncCell, SyncMatrix } from '../../contract/sync-matrix.ts';
import { minutesText } from '../store/health.ts';

const STATES = CursorState.meta()?.states ?? {};
/** States in which the delay says more than the word. */
const BY_DELAY: readonly SyncCell['state'][] = ['ready', 'late', 'retrying'];

function textOf(cell: SyncCell): string {
  if (BY_DELAY.includes(cell.state)) return cell.delayMin === null ? '等待首次' : minutesText(cell.delayMin);
  return STATES[cell.state]?.title ?? cell.state;
}

export interface Chosen {
  authid: string;
  stream: string;
}

interface Props {
  matrix: SyncMatrix;
  chosen: Chosen | undefined;
  onOpen: (chosen: Chosen) => void;
}

/** Stores down, streams across; each cell says how long ago the stream was read and whether that is in time. */
export function Matrix({ matrix, chosen, onOpen }: Props) {
  return (
    <div className="sync-matrix">
      <table>
        <thead>
          <tr>
            <th>店铺账号</th>
            {matrix.streams.map((stream) => (
              <th key={stream.code}>
                {stream.title}
                <span className="text3">目标 {minutesText(stream.sloMin)}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {matrix.accounts.map((account) => (
            <tr key={account.authid}>
              <td>
                {account.name}-{account.region}{' '}
                {account.status !== 'active' && <State value={account.status} states={AccountStatus.meta()?.states} />}
              </td>
              {matrix.streams.map(({ code, title }) => {
                const cell = account.cells.find((one) => one.stream === code);
                if (!cell) return <td key={code} />;
                const on = chosen?.authid === account.authid && chosen.stream === code;
                const tone = STATES[cell.state]?.tone ?? 'off';
                return (
                  <td key={code}>
                    <button
                      type="button"
                      className={`sync-cell is-${tone}${on ? ' is-on' : ''}`}
                      title={cell.error ?? STATES[cell.state]?.title}
                      aria-label={`${account.name} ${title} ${textOf(cell)}`}
                      onClick={() => onOpen({ authid: account.authid, stream: code })}
                    >
                      {textOf(cell)}
                    </button>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
