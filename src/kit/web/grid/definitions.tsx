import type { ColDef, ColGroupDef, ICellRendererParams } from 'ag-grid-community';
import type { ReactNode } from 'react';
import { currencyOf, type Density, type RowData, valueNode, valueText } from '../cells/Value.tsx';
import type { GridColumn } from './columns.ts';
import { fitWidths, type LayoutColumn } from './layout.ts';
import { type Line, needsCode } from './line.ts';
import { type RowAction, RowActions } from './RowActions.tsx';

export const ACTIONS = '__actions';
export const SELECTION_WIDTH = 50;

export interface Sort {
  key: string;
  order: 'asc' | 'desc';
}

export interface DefinitionInput<Row> {
  columns: readonly GridColumn<Row>[];
  layout: readonly LayoutColumn[];
  rows: readonly Row[];
  density: Density;
  sortable: readonly string[];
  sort: Sort | undefined;
  /** Width of the grid's body in px. */
  available: number;
  /** First cell of the totals row. */
  totalsTitle: ReactNode;
  actions?: ((row: Row) => readonly RowAction[]) | undefined;
  actionsWidth: number;
}

type Def<Row> = ColDef<Line<Row>>;
type Cell<Row> = ICellRendererParams<Line<Row>>;

function placeholder(align: string): ReactNode {
  return <span className={`skeleton is-${align}`} aria-hidden="true" />;
}

function totalsCell<Row>(column: GridColumn<Row>, totals: RowData, first: ReactNode): ReactNode {
  if (column.total) return column.total(totals);
  // A total that cannot be told (several currencies) says nothing rather than a dash under every column.
  return totals[column.key] != null ? valueNode(column, totals, { density: 'dense' }) : first;
}

function renderer<Row>(column: GridColumn<Row>, density: Density, code: boolean, first: ReactNode) {
  return ({ data }: Cell<Row>): ReactNode => {
    if (!data) return null;
    if (data.totals) return totalsCell(column, data.totals, first);
    if (data.row === null) return placeholder(column.align);
    if (column.render) return column.render(data.row);
    return valueNode(column, data.row as RowData, { density, code });
  };
}

/** What the grid compares to see whether a cell has changed; the totals change with the filter too. */
function textOf<Row>(column: GridColumn<Row>, line: Line<Row> | undefined): string {
  // A cell that the screen draws may stand for several sums of the totals.
  if (line?.totals) return column.total ? JSON.stringify(line.totals) : valueText(column, line.totals);
  if (!line?.row) return '';
  return column.text ? column.text(line.row) : valueText(column, line.row as RowData);
}

/** Order and size are the server's and ours: the grid must neither compare nor guess. */
const SAME = () => 0;

/** Classes of the grid's own style sheet for numbers, ours for the middle. */
const ALIGNED = {
  left: { cellClass: '', headerClass: '' },
  right: { cellClass: 'ag-right-aligned-cell', headerClass: 'ag-right-aligned-header' },
  center: { cellClass: 'is-centered', headerClass: 'is-centered' },
};

function definition<Row>(
  column: GridColumn<Row>,
  place: LayoutColumn,
  width: number,
  input: DefinitionInput<Row>,
): Def<Row> {
  const { sort, sortable, density, rows } = input;
  const first = place.key === input.layout.find((each) => each.shown)?.key ? input.totalsTitle : null;
  const code = column.kind === 'money' && needsCode(rows as readonly RowData[], (row) => currencyOf(column, row));
  return {
    colId: column.key,
    headerName: column.title,
    ...(column.tip ? { headerTooltip: column.tip } : {}),
    ...ALIGNED[column.align],
    headerClass: [ALIGNED[column.align].headerClass, column.tip ? 'has-tip' : ''],
    width,
    minWidth: 40,
    pinned: place.pinned ?? null,
    lockPinned: true,
    sortable: sortable.includes(column.key),
    sort: sort?.key === column.key ? sort.order : null,
    comparator: SAME,
    cellRenderer: renderer(column, density, code, first),
    valueGetter: ({ data }) => textOf(column, data ?? undefined),
  };
}

function grouped<Row>(
  defs: readonly Def<Row>[],
  columns: ReadonlyMap<string, GridColumn<Row>>,
): (Def<Row> | ColGroupDef<Line<Row>>)[] {
  const out: (Def<Row> | (ColGroupDef<Line<Row>> & { children: Def<Row>[] }))[] = [];
  for (const def of defs) {
    const group = columns.get(def.colId ?? '')?.group;
    const last = out.at(-1);
    const sameSide = last && 'children' in last && last.children[0]?.pinned === def.pinned;
    if (group && sameSide && last.headerName === group) last.children.push(def);
    else out.push(group ? { groupId: `${group} ${def.colId}`, headerName: group, children: [def] } : def);
  }
  return out;
}

function actionsDefinition<Row>(input: DefinitionInput<Row>): Def<Row>[] {
  const { actions } = input;
  if (!actions) return [];
  return [
    {
      colId: ACTIONS,
      headerName: '操作',
      width: input.actionsWidth,
      pinned: 'right',
      lockPinned: true,
      lockPosition: 'right',
      resizable: false,
      sortable: false,
      cellRenderer: ({ data }: Cell<Row>) => (data?.row ? <RowActions actions={actions(data.row)} /> : null),
    },
  ];
}

/** Whether the header needs its second line. */
export function hasGroups(input: Pick<DefinitionInput<unknown>, 'columns' | 'layout'>): boolean {
  const shown = new Set(input.layout.filter((place) => place.shown).map((place) => place.key));
  return input.columns.some((column) => column.group !== undefined && shown.has(column.key));
}

/** Column definitions of the grid for a layout, wide enough to fill it. */
export function definitionsOf<Row>(input: DefinitionInput<Row>): (Def<Row> | ColGroupDef<Line<Row>>)[] {
  const columns = new Map(input.columns.map((column) => [column.key, column]));
  const places = input.layout.filter((place) => place.shown && columns.has(place.key));
  const widths = fitWidths(
    places.map((place) => ({
      key: place.key,
      width: place.width ?? columns.get(place.key)?.own ?? 100,
      fixed: place.width !== undefined || Boolean(place.pinned),
    })),
    input.available - (input.actions ? input.actionsWidth : 0),
  );
  const defs = places.flatMap((place) => {
    const column = columns.get(place.key);
    return column ? [definition(column, place, widths.get(place.key) ?? column.own, input)] : [];
  });
  return [...grouped(defs, columns), ...actionsDefinition(input)];
}
