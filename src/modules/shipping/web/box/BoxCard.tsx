import { LeftOutlined, MinusOutlined, RightOutlined } from '@ant-design/icons';
import { plainDecimal } from '#kit/contract/decimal.ts';
import type { Task } from './pack.ts';

type Box = Task['boxes'][number];

interface Props {
  task: Task;
  box: Box;
  busy: boolean;
  onTurn: (no: number) => void;
  /** Takes one piece of a line out. */
  onTake: (lineId: string) => void;
  onDelete: () => void;
}

const sizeOf = ({ length, width, height, weight }: Box): string =>
  [
    length && width && height ? `${[length, width, height].map(plainDecimal).join('×')} cm` : '',
    weight ? `${plainDecimal(weight)} kg` : '',
  ]
    .filter(Boolean)
    .join(' · ');

/** The box in hand, as large as a thumb: its number, what lies in it, what its site has against it. */
export function BoxCard({ task, box, busy, onTurn, onTake, onDelete }: Props) {
  const place = task.boxes.findIndex((one) => one.no === box.no);
  const before = task.boxes[place - 1];
  const after = task.boxes[place + 1];
  const pieces = box.items.reduce((sum, item) => sum + item.qty, 0);
  const lineOf = (id: string) => task.lines.find((line) => line.lineId === id);
  return (
    <section className="scan-card">
      <div className="pack-box">
        <button type="button" aria-label="上一箱" disabled={!before} onClick={() => before && onTurn(before.no)}>
          <LeftOutlined />
        </button>
        <div>
          <h2>第 {box.no} 箱</h2>
          <small>
            {box.closed ? '已封箱 · ' : ''}共 {pieces} 件{sizeOf(box) && ` · ${sizeOf(box)}`}
          </small>
        </div>
        <button type="button" aria-label="下一箱" disabled={!after} onClick={() => after && onTurn(after.no)}>
          <RightOutlined />
        </button>
      </div>
      {box.warnings.map(({ level, text }) => (
        <p key={text} className={`pack-warning ${level === 'LIMIT' ? 'danger' : 'warning'}`}>
          {text}
        </p>
      ))}
      <ul className="scan-lines">
        {box.items.map(({ lineId, qty }) => (
          <li key={lineId} className="pack-item">
            <span>{lineOf(lineId)?.msku ?? ''}</span>
            <em>×{qty}</em>
            {!box.closed && (
              <button
                type="button"
                aria-label={`${lineOf(lineId)?.msku ?? ''} 取出一件`}
                onClick={() => onTake(lineId)}
              >
                <MinusOutlined />
              </button>
            )}
          </li>
        ))}
      </ul>
      {pieces === 0 && (
        <button type="button" className="pack-delete" disabled={busy} onClick={onDelete}>
          删除空箱
        </button>
      )}
    </section>
  );
}
