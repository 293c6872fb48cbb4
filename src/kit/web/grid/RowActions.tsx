import { EllipsisOutlined } from '@ant-design/icons';
import { Dropdown, type MenuProps, Tooltip } from 'antd';
import { type MouseEvent, type ReactNode, useState } from 'react';

/** One thing that can be done with a row. */
export interface RowAction {
  label: string;
  onClick: () => void;
  danger?: boolean;
  /** Why it cannot be done now. */
  blocked?: string | undefined;
  icon?: ReactNode;
  /** What E does with the row in focus. */
  edits?: boolean;
}

function Word({ action }: { action: RowAction }) {
  const click = (event: MouseEvent) => {
    event.stopPropagation();
    action.onClick();
  };
  const word = (
    <button type="button" className="link" disabled={action.blocked !== undefined} onClick={click}>
      {action.label}
    </button>
  );
  return action.blocked ? <Tooltip title={action.blocked}>{word}</Tooltip> : word;
}

function More({ actions }: { actions: readonly RowAction[] }) {
  const [open, setOpen] = useState<boolean>();
  const button = (
    <button
      type="button"
      className="icon-button is-small"
      aria-label="更多操作"
      aria-haspopup="menu"
      // The first press puts another button in this one's place.
      autoFocus={open !== undefined}
      onClick={(event) => {
        event.stopPropagation();
        if (open === undefined) setOpen(true);
      }}
    >
      <EllipsisOutlined />
    </button>
  );
  // A menu in every row would be half of the work of scrolling: it is made when it is asked for.
  if (open === undefined) return button;
  const items: MenuProps['items'] = actions.map((action) => ({
    key: action.label,
    label: action.blocked ? <Tooltip title={action.blocked}>{action.label}</Tooltip> : action.label,
    danger: action.danger ?? false,
    disabled: action.blocked !== undefined,
    icon: action.icon,
    onClick: ({ domEvent }) => {
      domEvent.stopPropagation();
      action.onClick();
    },
  }));
  return (
    <Dropdown menu={{ items }} trigger={['click']} placement="bottomRight" open={open} onOpenChange={setOpen}>
      {button}
    </Dropdown>
  );
}

/** The one next action as a word, the others behind 「⋯」. */
export function RowActions({ actions }: { actions: readonly RowAction[] }) {
  const [next, ...more] = actions;
  if (!next) return null;
  return (
    <span className="row-actions">
      <Word action={next} />
      {more.length > 0 && <More actions={more} />}
    </span>
  );
}
