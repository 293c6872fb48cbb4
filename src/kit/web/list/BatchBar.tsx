import { CloseOutlined } from '@ant-design/icons';
import { Button, Tooltip } from 'antd';
import { type ReactNode, useEffect } from 'react';
import { formatInteger } from '../../contract/format.ts';
import type { FilterValue } from './fields.ts';

/** Something that can be done with all ticked rows. */
export interface BatchAction<Row> {
  label: string;
  /** Why a row does not fit; undefined if it does. Without it every row fits. */
  unfit?: (row: Row) => string | undefined;
  /** Receives the rows that fit. */
  onClick: (rows: Row[]) => void;
  /** For the whole result of the filter; without it 「选择全部」 disables the action. */
  onAll?: (filter: FilterValue) => void;
  primary?: boolean;
  danger?: boolean;
}

interface Props<Row> {
  rows: readonly Row[];
  /** Rows of the whole filter, and whether all of them are meant. */
  total: number;
  all: boolean;
  onAll: () => void;
  filter: FilterValue;
  unit: string;
  actions: readonly BatchAction<Row>[];
  summary?: ReactNode;
  onClear: () => void;
}

function ActionButton<Row>({ action, props }: { action: BatchAction<Row>; props: Props<Row> }) {
  const { rows, all, filter } = props;
  const fitting = rows.filter((row) => action.unfit?.(row) === undefined);
  const why = rows.map((row) => action.unfit?.(row)).find((reason) => reason !== undefined);
  const blocked = all
    ? action.onAll
      ? undefined
      : '不支持对全部筛选结果操作'
    : fitting.length === 0
      ? why
      : undefined;
  const count = !all && fitting.length > 0 && fitting.length < rows.length ? ` ${fitting.length}` : '';
  const button = (
    <Button
      size="small"
      type={action.primary ? 'primary' : 'default'}
      danger={action.danger ?? false}
      disabled={blocked !== undefined}
      onClick={() => (all ? action.onAll?.(filter) : action.onClick(fitting))}
    >
      {action.label}
      {count}
    </Button>
  );
  return blocked ? (
    <Tooltip title={blocked}>
      <span>{button}</span>
    </Tooltip>
  ) : (
    button
  );
}

/** Stands in the toolbar's place while rows are ticked. Esc gives them up. */
export function BatchBar<Row>(props: Props<Row>) {
  const { rows, total, all, unit, actions, summary, onClear } = props;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      event.preventDefault();
      onClear();
    };
    // On the document, so that it comes before the frame, whose Esc closes the tab.
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [onClear]);
  const count = all ? total : rows.length;
  return (
    <div className="toolbar is-batch" role="toolbar" aria-label="批量操作">
      <b>
        已选 <span className="num">{formatInteger(count)}</span> {unit}
      </b>
      {summary && !all && <span>{summary}</span>}
      <span className="divider" />
      {actions.map((action) => (
        <ActionButton key={action.label} action={action} props={props} />
      ))}
      <span className="spring" />
      {!all && total > rows.length && actions.some((action) => action.onAll) && (
        <button type="button" className="link" onClick={props.onAll}>
          选择筛选结果的全部 {formatInteger(total)} {unit}
        </button>
      )}
      <button type="button" className="tool" onClick={onClear}>
        <CloseOutlined />
        取消选择
        <kbd>Esc</kbd>
      </button>
    </div>
  );
}
