import './system.css';
import type { ReactNode } from 'react';
import { type RowAction, RowActions } from '#kit/web/grid/RowActions.tsx';

export interface PaneEntry {
  id: string;
  name: string;
  /** Second line. */
  code?: ReactNode;
  /** Right of the name. */
  badge?: ReactNode;
  actions: readonly RowAction[];
}

interface Props {
  /** Above the entries: a search field. */
  tools: ReactNode;
  entries: readonly PaneEntry[] | undefined;
  current: string | undefined;
  onOpen: (id: string) => void;
  none: ReactNode;
  label: string;
  children: ReactNode;
}

/** A list of entries at the left, what is in the chosen one at the right. */
export function Panes({ tools, entries, current, onOpen, none, label, children }: Props) {
  return (
    <div className="panes">
      <div className="panes-side">
        <div className="panes-tools">{tools}</div>
        <ul className="panes-list" aria-label={label}>
          {entries?.map(({ id, name, code, badge, actions }) => (
            <li key={id} className={`panes-entry${id === current ? ' is-on' : ''}`}>
              <button type="button" className="panes-open" aria-pressed={id === current} onClick={() => onOpen(id)}>
                <span className="panes-name ellipsis">{name}</span>
                {code && <span className="label ellipsis">{code}</span>}
              </button>
              {badge}
              <RowActions actions={actions} />
            </li>
          ))}
          {entries?.length === 0 && <li className="label">{none}</li>}
        </ul>
      </div>
      <div className="panes-main">{children}</div>
    </div>
  );
}
