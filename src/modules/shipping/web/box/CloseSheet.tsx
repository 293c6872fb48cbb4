import { useState } from 'react';
import type { Task } from './pack.ts';

type Box = Task['boxes'][number];

export interface Measured {
  length: string | null;
  width: string | null;
  height: string | null;
  weight: string | null;
  templateId: string | null;
}

interface Props {
  task: Task;
  box: Box;
  busy: boolean;
  onClose: () => void;
  onShut: (measures: Measured) => void;
}

const SIDES = [
  { key: 'length', title: '长(cm)' },
  { key: 'width', title: '宽(cm)' },
  { key: 'height', title: '高(cm)' },
  { key: 'weight', title: '毛重(kg)' },
] as const;

/** Shutting a box: the carton, its sizes, and what it weighs. */
export function CloseSheet({ task, box, busy, onClose, onShut }: Props) {
  const { length, width, height, weight, templateId } = box;
  const [now, setNow] = useState<Measured>({ length, width, height, weight, templateId });
  const choose = (id: string) => {
    const carton = task.templates.find((one) => one.id === id);
    const { length, width, height } = carton ?? now;
    setNow({ ...now, length, width, height, templateId: carton?.id ?? null });
  };
  return (
    <div className="scan-sheet" role="dialog" aria-label="封箱">
      <h2>封箱 · 第 {box.no} 箱</h2>
      {task.templates.length > 0 && (
        <label className="scan-warehouse">
          箱型
          <select value={now.templateId ?? ''} onChange={(event) => choose(event.target.value)}>
            <option value="">手工填写</option>
            {task.templates.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      <div className="pack-sides">
        {SIDES.map(({ key, title }) => (
          <label key={key}>
            {title}
            <input
              inputMode="decimal"
              value={now[key] ?? ''}
              onChange={(event) => setNow({ ...now, [key]: event.target.value.trim() || null })}
            />
          </label>
        ))}
      </div>
      <p className="scan-empty">尺寸和重量可以留空，完成装箱前在电脑上补齐。</p>
      <div className="scan-bar">
        <button type="button" onClick={onClose}>
          返回
        </button>
        <button type="button" className="scan-main" disabled={busy} onClick={() => onShut(now)}>
          封箱
        </button>
      </div>
    </div>
  );
}
