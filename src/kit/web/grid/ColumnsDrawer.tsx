import { SearchOutlined } from '@ant-design/icons';
import { Button, Drawer, Input, Tooltip } from 'antd';
import { useState } from 'react';
import type { Column } from '../../contract/columns.ts';
import { ColumnRow } from './ColumnRow.tsx';
import { ColumnVersions } from './ColumnVersions.tsx';
import { changeColumn, type LayoutColumn, moveColumn } from './layout.ts';
import type { ColumnsControl } from './use-columns.ts';

interface Props {
  title: string;
  catalogue: readonly (Column & { own: number })[];
  control: ColumnsControl;
  open: boolean;
  onClose: () => void;
}

const SECTIONS: { side: 'left' | 'right' | null; title: string }[] = [
  { side: 'left', title: '固定在左侧' },
  { side: null, title: '可滚动' },
  { side: 'right', title: '固定在右侧' },
];

function Sections({ catalogue, control, word }: Pick<Props, 'catalogue' | 'control'> & { word: string }) {
  const [dragging, setDragging] = useState<string | null>(null);
  const { layout, setLayout } = control;
  const known = new Map(catalogue.map((column) => [column.key, column]));
  const shownCount = layout.filter((place) => place.shown).length;
  const matches = (place: LayoutColumn) =>
    known.get(place.key)?.title.toLowerCase().includes(word.trim().toLowerCase());

  const drop = (onto: LayoutColumn) => {
    if (!dragging || dragging === onto.key) return;
    const from = layout.findIndex((place) => place.key === dragging);
    const to = layout.indexOf(onto);
    // Downwards the dragged column goes behind the one it is over, upwards before it: it always lands under the mouse.
    const before = from < to ? layout[to + 1]?.key : onto.key;
    const moved = moveColumn(layout, dragging, before);
    setLayout(changeColumn(moved, dragging, { pinned: onto.pinned ?? null }));
  };

  return SECTIONS.map(({ side, title }) => {
    const places = layout.filter((place) => (place.pinned ?? null) === side && matches(place));
    if (places.length === 0) return null;
    return (
      <section key={title}>
        <h3 className="label">{title}</h3>
        <ul>
          {places.map((place) => {
            const column = known.get(place.key);
            if (!column) return null;
            return (
              <ColumnRow
                key={place.key}
                column={column}
                place={place}
                last={place.shown && shownCount === 1}
                dragging={dragging === place.key}
                onDrag={(on) => setDragging(on ? place.key : null)}
                onOver={() => drop(place)}
                onStep={(step) => {
                  const at = layout.indexOf(place);
                  const before = step < 0 ? layout[at - 1]?.key : layout[at + 2]?.key;
                  if (step > 0 ? at < layout.length - 1 : at > 0) setLayout(moveColumn(layout, place.key, before));
                }}
                onChange={(change) => setLayout(changeColumn(layout, place.key, change))}
              />
            );
          })}
        </ul>
      </section>
    );
  });
}

/** 列设置: named versions, search, order by dragging, pinning, width. The grid beside it shows each change at once. */
export function ColumnsDrawer({ title, catalogue, control, open, onClose }: Props) {
  const [word, setWord] = useState('');
  // What a colleague lends is his to change: whoever wants it otherwise saves it as his own.
  const locked = control.used !== undefined && !control.used.isEditable;
  const cancel = () => {
    control.revert();
    onClose();
  };
  return (
    <Drawer
      className="columns-drawer"
      size={376}
      mask={false}
      closable={{ placement: 'end' }}
      open={open}
      onClose={cancel}
      title={
        <>
          列设置<span className="drawer-subtitle">{title}</span>
        </>
      }
      footer={
        <div className="drawer-foot">
          <Button type="text" onClick={control.restoreDefault}>
            恢复默认
          </Button>
          <span className="spring" />
          <span className="text3">改动即时预览</span>
          <Button onClick={cancel}>取消</Button>
          <Tooltip title={locked ? '共享方案只有创建人或管理员可以修改，请另存为自己的方案' : ''}>
            <Button
              type="primary"
              loading={control.busy}
              disabled={locked && control.changed}
              onClick={() => {
                if (locked) onClose();
                else void control.save().then(onClose);
              }}
            >
              {locked ? '完成' : '保存'}
            </Button>
          </Tooltip>
        </div>
      }
    >
      <ColumnVersions control={control} />
      {locked && (
        <p className="columns-lent label">
          由 {control.used?.ownerName ?? '其他成员'} 共享，只有创建人或管理员可以修改；另存为后可按自己的需要调整。
        </p>
      )}
      <Input
        prefix={<SearchOutlined className="text3" />}
        placeholder={`搜索 ${catalogue.length} 个可用列`}
        aria-label="搜索列"
        allowClear
        value={word}
        onChange={(event) => setWord(event.target.value)}
      />
      <div className="columns-list">
        <Sections catalogue={catalogue} control={control} word={word} />
      </div>
    </Drawer>
  );
}
