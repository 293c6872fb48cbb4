import type { CellKeyDownEvent, FullWidthCellKeyDownEvent, GridApi } from 'ag-grid-community';
import { type RefObject, useEffect } from 'react';
import { copyText } from '../cells/clipboard.ts';
import { isTyping, press } from '../keys.ts';
import type { Line } from './line.ts';
import type { RowAction } from './RowActions.tsx';

function focusRow<Row>(api: GridApi<Line<Row>>, index: number): void {
  if (index < 0 || index >= api.getDisplayedRowCount()) return;
  const column = api.getFocusedCell()?.column ?? api.getAllDisplayedColumns()[0];
  if (!column) return;
  api.ensureIndexVisible(index);
  api.setFocusedCell(index, column);
}

function extendSelection<Row>(api: GridApi<Line<Row>>, from: number, to: number): void {
  for (const index of [from, to]) api.getDisplayedRowAtIndex(index)?.setSelected(true);
  focusRow(api, to);
}

/** Copies the text of the cell in focus, unless something is marked with the mouse. */
function copyCell<Row>(event: CellKeyDownEvent<Line<Row>>): void {
  if (window.getSelection()?.toString()) return;
  void copyText(String(event.value ?? ''));
}

export interface GridKeys<Row> {
  onOpen: ((row: Row) => void) | undefined;
  onOpenTab: ((row: Row) => void) | undefined;
  actions: ((row: Row) => readonly RowAction[]) | undefined;
  selects: boolean;
}

/** Edits the row in focus: the cell that has a pen (`data-edit`), else the action that edits. */
function edit<Row>(row: Row, target: EventTarget | null, { actions }: GridKeys<Row>): boolean {
  const line = target instanceof HTMLElement ? target.closest<HTMLElement>('.ag-row') : null;
  if (press(line, '[data-edit]')) return true;
  const action = actions?.(row).find((each) => each.edits && each.blocked === undefined);
  action?.onClick();
  return action !== undefined;
}

function enter<Row>(row: Row, key: KeyboardEvent, { onOpen, onOpenTab }: GridKeys<Row>): void {
  const apart = key.ctrlKey || key.metaKey;
  if (apart && onOpenTab) onOpenTab(row);
  else onOpen?.(row);
}

/**
 * Keys inside the grid: J K rows, Shift+↑↓ range, Enter opens, with Ctrl as a tab, E and F2 edit, Ctrl+C copies.
 * ↑↓←→ and Space are the grid's own.
 */
export function onGridKey<Row>(
  event: CellKeyDownEvent<Line<Row>> | FullWidthCellKeyDownEvent<Line<Row>>,
  keys: GridKeys<Row>,
): void {
  const key = event.event instanceof KeyboardEvent ? event.event : undefined;
  if (!key || event.rowIndex === null || !('value' in event) || isTyping(key.target)) return;
  const { rowIndex, api, data } = event;
  const { selects } = keys;
  const steps: Record<string, number> = { j: 1, k: -1, ArrowDown: 1, ArrowUp: -1 };
  const step = steps[key.key];
  if (step !== undefined && key.shiftKey && selects) extendSelection(api, rowIndex, rowIndex + step);
  else if (key.key === 'j' || key.key === 'k') focusRow(api, rowIndex + (step ?? 0));
  else if (key.key === 'Enter' && data?.row && !(key.target instanceof HTMLButtonElement)) enter(data.row, key, keys);
  else if ((key.key === 'e' || key.key === 'F2') && data?.row && !key.ctrlKey && edit(data.row, key.target, keys)) {
    // The field that opened must not receive the letter that opened it.
  } else if (key.code === 'KeyC' && (key.ctrlKey || key.metaKey)) copyCell(event);
  else return;
  if (key.code !== 'KeyC') key.preventDefault();
}

const TYPING = /^(INPUT|TEXTAREA|SELECT)$/;

/** The first J, K or ↓ on the page goes into the grid, so that the keys work without a click. */
export function useFirstKey<Row>(api: RefObject<GridApi<Line<Row>> | null>, active: boolean): void {
  useEffect(() => {
    if (!active) return;
    const onKey = (event: KeyboardEvent) => {
      const { target } = event;
      if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
      if (
        !(target instanceof HTMLElement) ||
        TYPING.test(target.tagName) ||
        target.closest('.ag-root, [role="dialog"]')
      )
        return;
      if (!['j', 'k', 'ArrowDown'].includes(event.key) || !api.current) return;
      event.preventDefault();
      focusRow(api.current, api.current.getFocusedCell()?.rowIndex ?? 0);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [api, active]);
}
