import { CloseOutlined, CompressOutlined, EllipsisOutlined, HolderOutlined } from '@ant-design/icons';
import { Dropdown } from 'antd';
import type { KeyboardEvent, MouseEvent } from 'react';
import { notice } from '../notice.tsx';
import type { Direction } from './arrange.ts';
import type { CardAction } from './frame.ts';
import { savePicture } from './picture.ts';

const ARROWS: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};

interface EditProps {
  title: string;
  /** A step of the card, or with Shift of its size. */
  onStep: (to: Direction, sizes: boolean) => void;
  onRemove: () => void;
}

/** In the head of a card that is being arranged: what the keyboard moves and sizes it by, and its way out. */
export function EditTools({ title, onStep, onRemove }: EditProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    const to = ARROWS[event.key];
    if (!to) return;
    event.preventDefault();
    onStep(to, event.shiftKey);
  };
  return (
    <span className="card-tools">
      <button
        type="button"
        className="icon-button is-small card-handle"
        aria-label={`移动「${title}」`}
        title="方向键移动，Shift+方向键调整大小"
        onKeyDown={onKeyDown}
      >
        <HolderOutlined />
      </button>
      <button
        type="button"
        className="icon-button is-small card-remove"
        aria-label={`移除「${title}」`}
        onClick={onRemove}
      >
        <CloseOutlined />
      </button>
    </span>
  );
}

interface MenuProps {
  title: string;
  actions: readonly CardAction[];
  /** Shows the card alone; left out where it is. */
  onFull: () => void;
}

/** The card that a menu belongs to, by its button. */
const cardOf = (button: Element | null) => button?.closest<HTMLElement>('.card, .figure-strip') ?? null;

/** ⋯ of a card: alone, as a picture, and what its page offers. */
export function CardMenu({ title, actions, onFull }: MenuProps) {
  const id = `card menu ${title}`;
  const take = async () => {
    const card = cardOf(document.querySelector(`[data-menu="${id}"]`));
    if (!card) return;
    await savePicture(card, title).catch(() => notice.error('图片没有生成，请重试'));
  };
  return (
    <span className="card-tools">
      <Dropdown
        trigger={['click']}
        menu={{
          items: [
            { key: 'full', label: '全屏查看' },
            { key: 'picture', label: '导出图片' },
            ...actions.map(({ key, label }) => ({ key, label })),
          ],
          onClick: ({ key }) => {
            if (key === 'full') onFull();
            else if (key === 'picture') void take();
            else actions.find((action) => action.key === key)?.onClick();
          },
        }}
      >
        <button type="button" className="icon-button is-small" aria-label={`「${title}」更多`} data-menu={id}>
          <EllipsisOutlined />
        </button>
      </Dropdown>
    </span>
  );
}

/** Where a card is shown alone: as a picture, and the way back. */
export function FullTools({ title, onClose }: { title: string; onClose: () => void }) {
  const take = (event: MouseEvent) => {
    const card = cardOf(event.currentTarget);
    if (card) void savePicture(card, title).catch(() => notice.error('图片没有生成，请重试'));
  };
  return (
    <span className="card-tools">
      <button type="button" className="link" onClick={take}>
        导出图片
      </button>
      <button type="button" className="icon-button is-small" aria-label="退出全屏" onClick={onClose}>
        <CompressOutlined />
      </button>
    </span>
  );
}
