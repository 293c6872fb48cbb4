import { HolderOutlined, PushpinFilled, PushpinOutlined } from '@ant-design/icons';
import { Checkbox, InputNumber, Tooltip } from 'antd';
import { type KeyboardEvent, useState } from 'react';
import type { Column } from '../../contract/columns.ts';
import { type LayoutColumn, MAX_WIDTH, MIN_WIDTH } from './layout.ts';

interface Props {
  column: Column & { own: number };
  place: LayoutColumn;
  /** The only column shown: it cannot be hidden. */
  last: boolean;
  dragging: boolean;
  onDrag: (on: boolean) => void;
  onOver: () => void;
  onStep: (step: -1 | 1) => void;
  onChange: (change: Partial<Omit<LayoutColumn, 'key'>>) => void;
}

function Width({ column, place, onChange }: Pick<Props, 'column' | 'place' | 'onChange'>) {
  const [editing, setEditing] = useState(false);
  const width = place.width ?? column.own;
  if (!editing) {
    return (
      <button type="button" className="columns-width num" title="修改列宽" onClick={() => setEditing(true)}>
        {width} px
      </button>
    );
  }
  return (
    <InputNumber
      size="small"
      className="columns-width"
      autoFocus
      controls={false}
      min={MIN_WIDTH}
      max={MAX_WIDTH}
      aria-label={`${column.title} 列宽`}
      defaultValue={width}
      onPressEnter={(event) => event.currentTarget.blur()}
      onBlur={(event) => {
        const next = Number(event.target.value);
        if (Number.isFinite(next) && next > 0) onChange({ width: next });
        setEditing(false);
      }}
    />
  );
}

/** One column in the settings: handle, shown or not, width, pin. The handle also moves with ↑ and ↓. */
export function ColumnRow({ column, place, last, dragging, onDrag, onOver, onStep, onChange }: Props) {
  const pinned = place.pinned === 'left' || place.pinned === 'right';
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    onStep(event.key === 'ArrowUp' ? -1 : 1);
  };
  return (
    <li
      className={`columns-row${dragging ? ' is-dragging' : ''}${place.shown ? '' : ' is-off'}`}
      onDragOver={(event) => event.preventDefault()}
      onDragEnter={onOver}
      onDrop={(event) => event.preventDefault()}
    >
      <button
        type="button"
        className="columns-handle"
        draggable
        aria-label={`移动 ${column.title}，上下方向键`}
        onDragStart={(event) => {
          event.dataTransfer.effectAllowed = 'move';
          event.dataTransfer.setData('text/plain', column.title);
          onDrag(true);
        }}
        onDragEnd={() => onDrag(false)}
        onKeyDown={onKey}
      >
        <HolderOutlined />
      </button>
      <Checkbox checked={place.shown} disabled={last} onChange={(event) => onChange({ shown: event.target.checked })}>
        {column.group ? <span className="text3">{column.group} · </span> : null}
        {column.title}
      </Checkbox>
      <span className="spring" />
      <Width column={column} place={place} onChange={onChange} />
      <Tooltip title={pinned ? '取消固定' : '固定在左侧'}>
        <button
          type="button"
          className={`icon-button is-small${pinned ? ' is-accent' : ''}`}
          aria-label={pinned ? `取消固定 ${column.title}` : `固定 ${column.title} 在左侧`}
          aria-pressed={pinned}
          onClick={() => onChange({ pinned: pinned ? null : 'left' })}
        >
          {pinned ? <PushpinFilled /> : <PushpinOutlined />}
        </button>
      </Tooltip>
    </li>
  );
}
