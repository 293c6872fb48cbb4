import { EllipsisOutlined } from '@ant-design/icons';
import { Dropdown, type MenuProps, Tooltip } from 'antd';
import type { MouseEvent, ReactNode } from 'react';

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

/** The one next action as a word, the others behind 「⋯」. */
export function RowActions({ actions }: { actions: readonly RowAction[] }) {
  const [next, ...more] = actions;
  if (!next) return null;
  const items: MenuProps['items'] = more.map((action) => ({
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
    <span className="row-actions">
      <Word action={next} />
      {more.length > 0 && (
        <Dropdown menu={{ items }} trigger={['click']} placement="bottomRight">
          <button
            type="button"
            className="icon-button is-small"
            aria-label="更多操作"
            onClick={(event) => event.stopPropagation()}
          >
            <EllipsisOutlined />
          </button>
        </Dropdown>
      )}
    </span>
  );
}
