import './modules.ts';
import type {
  ColDef,
  ColumnMovedEvent,
  ColumnResizedEvent,
  GetRowIdParams,
  GridApi,
  GridState,
  SelectionColumnDef,
} from 'ag-grid-community';
import { AgGridReact } from 'ag-grid-react';
import { type ReactNode, type Ref, useImperativeHandle, useMemo, useRef } from 'react';
import type { Density, RowData } from '../cells/Value.tsx';
import { useTab } from '../tabs/scope.ts';
import { useTheme } from '../theme/preference.ts';
import type { GridColumn } from './columns.ts';
import { ACTIONS, definitionsOf, hasGroups, SELECTION_WIDTH, type Sort } from './definitions.tsx';
import { gridThemes } from './grid-theme.ts';
import { changeColumn, type LayoutColumn } from './layout.ts';
import { type Line, linesOf, placeholderLines } from './line.ts';
import { localeText } from './locale.ts';
import type { RowAction } from './RowActions.tsx';
import { onGridKey, useFirstKey } from './use-grid-keys.ts';
import { useLate } from './use-late.ts';
import { useLife } from './use-life.ts';
import { useWidth } from './use-width.ts';

export const ROW_HEIGHTS: Record<Density, number> = { dense: 36, two: 46, picture: 52 };
const HEADER = 36;
const GROUP_HEADER = 26;
const LEAF_HEADER = 32;
const TOTALS = 40;
/** As the style sheet draws it; told to the grid too, which would measure nothing where bars lie over the page. */
const SCROLLBAR = 10;
const NOT_SORTABLE: readonly string[] = [];

export interface GridHandle {
  clearSelection: () => void;
  /** Ticks rows that are there, beside those that are ticked. */
  tick: (ids: readonly string[]) => void;
}

export interface DataGridProps<Row> {
  columns: readonly GridColumn<Row>[];
  layout: readonly LayoutColumn[];
  /** Undefined until the first answer: placeholder rows of true height. */
  rows: readonly Row[] | undefined;
  rowId: (row: Row) => string;
  /** Rows are shown but newer ones are on their way: the 2 px bar. */
  refreshing?: boolean;
  density?: Density;
  totals?: RowData | undefined;
  totalsTitle?: ReactNode;
  /** Keys by which the server sorts. */
  sortable?: readonly string[];
  sort?: Sort | undefined;
  onSort?: (sort: Sort | undefined) => void;
  /** Called after the user moved or resized a column. */
  onLayout?: (layout: LayoutColumn[]) => void;
  /** Rows can be ticked. */
  onSelect?: ((rows: Row[]) => void) | undefined;
  onOpen?: ((row: Row) => void) | undefined;
  /** Opens a row as a tab of its own, with Ctrl+Enter; `onOpen` where left out. */
  onOpenTab?: ((row: Row) => void) | undefined;
  actions?: ((row: Row) => readonly RowAction[]) | undefined;
  actionsWidth?: number;
  /** The row whose drawer is open. */
  current?: string | undefined;
  /** Over the body: nothing there, nothing found, gone wrong. */
  overlay?: ReactNode;
  ref?: Ref<GridHandle>;
}

const defaultColumn: ColDef = { sortingOrder: ['desc', 'asc', null] };

const selectionColumn: SelectionColumnDef = {
  width: SELECTION_WIDTH,
  pinned: 'left',
  lockPosition: 'left',
  resizable: false,
  sortable: false,
};

function movedLayout<Row>(event: ColumnMovedEvent<Line<Row>>, layout: readonly LayoutColumn[]): LayoutColumn[] {
  const order = event.api.getAllGridColumns().map((column) => column.getColId());
  const place = (column: LayoutColumn) => {
    const at = order.indexOf(column.key);
    // A column that is not shown stays behind the shown one that it followed.
    return at < 0 ? order.length + layout.indexOf(column) : at;
  };
  return [...layout].sort((a, b) => place(a) - place(b));
}

function resizedLayout<Row>(event: ColumnResizedEvent<Line<Row>>, layout: readonly LayoutColumn[]): LayoutColumn[] {
  return (event.columns ?? (event.column ? [event.column] : [])).reduce<LayoutColumn[]>(
    (next, column) => changeColumn(next, column.getColId(), { width: column.getActualWidth() }),
    [...layout],
  );
}

function keep(kept: GridState, { rowSelection, focusedCell }: GridState): void {
  const known = { rowSelection, focusedCell };
  for (const [part, value] of Object.entries(known)) {
    if (value === undefined) delete kept[part as keyof typeof known];
    else Object.assign(kept, { [part]: value });
  }
}

/**
 * The table of the product: columns from the contract, rows, order and totals from the server. Fixed heights, both
 * themes, keyboard; it fills the box it is put in.
 */
export function DataGrid<Row>(props: DataGridProps<Row>) {
  const { columns, layout, rows, rowId, density = 'picture', sort, totals, overlay } = props;
  const { sortable = NOT_SORTABLE, actions, actionsWidth = 104, totalsTitle = null } = props;
  const theme = useTheme();
  const life = useLife();
  const tab = useTab();
  const box = useRef<HTMLDivElement>(null);
  const api = useRef<GridApi<Line<Row>> | null>(null);
  // A tab that goes to the back takes its grid down; what the user had ticked and scrolled to is put back with it.
  const kept = useRef<GridState>({});
  const selects = props.onSelect !== undefined;
  const available = useWidth(box) - SCROLLBAR - (selects ? SELECTION_WIDTH : 0);
  const waiting = useLate(rows === undefined);
  const refreshing = useLate(props.refreshing === true && rows !== undefined);
  useFirstKey(api, tab.active);
  useImperativeHandle(
    props.ref,
    () => ({
      clearSelection: () => api.current?.deselectAll(),
      tick: (ids) => {
        const nodes = ids.flatMap((id) => api.current?.getRowNode(id) ?? []);
        if (nodes.length > 0) api.current?.setNodesSelected({ nodes, newValue: true });
      },
    }),
    [],
  );

  const lines = useMemo(
    () => (rows ? linesOf(rows, rowId) : waiting ? placeholderLines<Row>() : []),
    [rows, rowId, waiting],
  );
  const defs = useMemo(
    () =>
      definitionsOf({
        columns,
        layout,
        rows: rows ?? [],
        density,
        sortable,
        sort,
        available,
        totalsTitle,
        actions,
        actionsWidth,
      }),
    [columns, layout, rows, density, sortable, sort, available, totalsTitle, actions, actionsWidth],
  );
  const bottom = useMemo<Line<Row>[]>(
    () => (totals && rows && rows.length > 0 ? [{ id: 'totals', row: null, totals }] : []),
    [totals, rows],
  );
  const twoHeaders = hasGroups({ columns: columns as readonly GridColumn<unknown>[], layout });
  const rowClassRules = useMemo(
    () => ({
      'is-current': ({ data }: { data: Line<Row> | undefined }) => data !== undefined && data.id === props.current,
    }),
    [props.current],
  );

  return (
    <div ref={box} className={`grid is-${density}`}>
      {refreshing && <div className="grid-bar" role="progressbar" aria-label="正在更新" />}
      <AgGridReact<Line<Row>>
        key={life}
        theme={gridThemes[theme]}
        rowData={lines}
        columnDefs={defs}
        getRowId={({ data }: GetRowIdParams<Line<Row>>) => data.id}
        rowHeight={ROW_HEIGHTS[density]}
        getRowHeight={({ node }) => (node.rowPinned ? TOTALS : ROW_HEIGHTS[density])}
        headerHeight={twoHeaders ? LEAF_HEADER : HEADER}
        groupHeaderHeight={GROUP_HEADER}
        pinnedBottomRowData={bottom}
        {...(selects
          ? {
              rowSelection: {
                mode: 'multiRow',
                checkboxes: ({ data }) => data?.row !== null,
                isRowSelectable: ({ data }) => data?.row != null,
                enableClickSelection: false,
              },
              selectionColumnDef: selectionColumn,
            }
          : {})}
        rowClassRules={rowClassRules}
        defaultColDef={defaultColumn}
        suppressMultiSort
        suppressDragLeaveHidesColumns
        suppressNoRowsOverlay
        enableCellTextSelection
        ensureDomOrder
        animateRows={false}
        scrollbarWidth={SCROLLBAR}
        tooltipShowDelay={400}
        localeText={localeText}
        initialState={kept.current}
        onGridPreDestroyed={(event) => {
          keep(kept.current, event.state);
          if (api.current === event.api) api.current = null;
        }}
        // The grid's own state learns of scrolling only once it has ended, which who leaves at once does not wait for.
        onBodyScroll={({ top, left }) => {
          kept.current.scroll = { top, left };
        }}
        onGridReady={(event) => {
          if (!event.api.isDestroyed()) api.current = event.api;
        }}
        onSelectionChanged={(event) =>
          props.onSelect?.(event.api.getSelectedRows().flatMap((line) => (line.row === null ? [] : [line.row])))
        }
        onSortChanged={(event) => {
          if (event.source !== 'uiColumnSorted') return;
          const by = event.api.getColumnState().find((column) => column.sort);
          props.onSort?.(by?.sort ? { key: by.colId, order: by.sort } : undefined);
        }}
        onColumnMoved={(event) => {
          if (event.finished && event.source === 'uiColumnMoved') props.onLayout?.(movedLayout(event, layout));
        }}
        onColumnResized={(event) => {
          if (event.finished && event.source === 'uiColumnResized') props.onLayout?.(resizedLayout(event, layout));
        }}
        onRowDoubleClicked={({ data }) => data?.row && props.onOpen?.(data.row)}
        onCellKeyDown={(event) =>
          onGridKey(event, { onOpen: props.onOpen, onOpenTab: props.onOpenTab, actions, selects })
        }
      />
      {overlay && (
        <div className="grid-overlay" style={{ top: twoHeaders ? GROUP_HEADER + LEAF_HEADER : HEADER }}>
          {overlay}
        </div>
      )}
    </div>
  );
}

export { ACTIONS };
