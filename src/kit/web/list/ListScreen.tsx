import { CloseOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react';
import type { z } from 'zod';
import type { EndpointDef } from '../../contract/endpoint.ts';
import { formatInteger } from '../../contract/format.ts';
import type { Density, RowData } from '../cells/Value.tsx';
import { ColumnsDrawer } from '../grid/ColumnsDrawer.tsx';
import { type ColumnOverrides, gridColumns } from '../grid/columns.ts';
import { DataGrid, type GridHandle } from '../grid/DataGrid.tsx';
import type { RowAction } from '../grid/RowActions.tsx';
import { useColumns } from '../grid/use-columns.ts';
import { usePermissions } from '../session.ts';
import { Empty } from '../states/Empty.tsx';
import { ErrorState } from '../states/ErrorState.tsx';
import { NoMatch } from '../states/NoMatch.tsx';
import { type BatchAction, BatchBar } from './BatchBar.tsx';
import { FilterBar } from './FilterBar.tsx';
import {
  type FilterField,
  type FilterOption,
  type FilterValue,
  filterFields,
  filterText,
  isSet,
  statesOf,
} from './fields.ts';
import { ListHead, StatusTabs } from './ListHead.tsx';
import { Pager } from './Pager.tsx';
import { Toolbar } from './Toolbar.tsx';
import { useDensity } from './use-density.ts';
import { useExport } from './use-export.ts';
import { useListKeys } from './use-list-keys.ts';
import { type ListStateControl, useListState } from './use-list-state.ts';
import { useCounts, usePage } from './use-page.ts';
import { usePreticked } from './use-preticked.ts';
import { useViews } from './use-views.ts';
import { ViewMenu } from './ViewMenu.tsx';

export interface ListScreenProps<R extends z.ZodObject, F extends z.ZodObject> {
  /** Query name of the list: its column versions and row height are kept under it, e.g. "order/list". */
  name: string;
  title: string;
  /** Takes PageQuery(filter), answers Page(row). */
  endpoint: EndpointDef;
  row: R;
  filter: F;
  /** Key of a row; `id` where left out. */
  rowId?: (row: z.output<R>) => string;
  /** Filters that a first visit has. */
  defaults?: FilterValue;
  /** What every row has whatever the user filters by, e.g. the document on whose page the list stands. */
  fixed?: FilterValue;
  /** Filters that say how another one is read and narrow nothing themselves, e.g. which date a range of days means. */
  modes?: readonly string[];
  /** Choices of filters that only the server knows, by filter key. */
  options?: Readonly<Record<string, readonly FilterOption[] | undefined>>;
  /** Tabs over a state filter; `counts` takes the other filters and answers numbers by state, "all" for their sum. `apart`: no tab for all. */
  tabs?: { field: string; counts?: EndpointDef; apart?: boolean };
  columns?: ColumnOverrides<z.output<R>>;
  density?: Density;
  /** What one row is called in counts: 「共 1,284 单」. */
  unit?: string;
  onOpen?: (row: z.output<R>) => void;
  /** Opens a row as a tab of its own, with Ctrl+Enter; `onOpen` where left out. */
  onOpenTab?: (row: z.output<R>) => void;
  /** Key of the row whose drawer is open. */
  current?: string | undefined;
  /** What can be done with a row, the next step first. */
  actions?: (row: z.output<R>) => readonly RowAction[];
  actionsWidth?: number;
  batch?: readonly BatchAction<z.output<R>>[];
  /** Rows that are ticked when they are seen first, so that the obvious ones need one press; who unticks one is heard. */
  preticked?: (row: z.output<R>) => boolean;
  /** Said of the ticked rows beside their count. */
  batchSummary?: (rows: readonly z.output<R>[]) => ReactNode;
  /** Takes ExportQuery(filter), answers a file or a background task. */
  exportEndpoint?: EndpointDef;
  /** Further files of the same filter with columns of their own, e.g. for another program; they take ExportQuery(filter) too. */
  otherExports?: readonly { label: string; endpoint: EndpointDef }[];
  /** Right in the head: 导入, and the primary button last. */
  head?: ReactNode;
  /** Between filters and toolbar, e.g. a strip of figures. Receives the filters in use. */
  above?: (filter: FilterValue) => ReactNode;
  toolbar?: ReactNode;
  filterExtra?: ReactNode;
  /** Shown where there is nothing at all yet. */
  empty?: ReactNode;
  /** Left in the pager. */
  note?: ReactNode;
}

const NO_DEFAULTS: FilterValue = {};

function Chips({ fields, state }: { fields: readonly FilterField[]; state: ListStateControl }) {
  return fields
    .filter((field) => field.optional && isSet(state.filter[field.key]))
    .map((field) => (
      <span className="chip" key={field.key}>
        {field.title}：{filterText(field, state.filter[field.key])}
        <button type="button" aria-label={`清除 ${field.title}`} onClick={() => state.setFilter(field.key, undefined)}>
          <CloseOutlined />
        </button>
      </span>
    ));
}

/**
 * A list by its contract: filters from the filter schema, columns from the row schema, order, pages and totals from the
 * server, all of it remembered in the address. A screen adds only what is its own.
 */
export function ListScreen<R extends z.ZodObject, F extends z.ZodObject>(props: ListScreenProps<R, F>) {
  type Row = z.output<R>;
  const {
    name,
    title,
    endpoint,
    defaults = NO_DEFAULTS,
    fixed,
    options,
    tabs,
    unit = '条',
    batch,
    columns: overrides,
  } = props;
  const permissions = usePermissions();
  const fields = useMemo(() => filterFields(props.filter, options), [props.filter, options]);
  const own = useListState(fields, defaults);
  const state = useMemo(() => (fixed ? { ...own, filter: { ...own.filter, ...fixed } } : own), [own, fixed]);
  const views = useViews({ name, fields, defaults, state: own, opens: fixed === undefined });
  const catalogue = useMemo(() => gridColumns(props.row, overrides, permissions), [props.row, overrides, permissions]);
  const columns = useColumns(name, catalogue);
  const [density, setDensity] = useDensity(name, props.density ?? 'picture');
  const [arranging, setArranging] = useState(false);
  const [ticked, setTicked] = useState<Row[]>([]);
  const [all, setAll] = useState(false);
  const grid = useRef<GridHandle>(null);
  const box = useRef<HTMLDivElement>(null);
  const page = usePage<Row>(endpoint, state, views.ready);
  const counts = useCounts(tabs?.counts, state.filter, tabs?.field, views.ready);
  const exporting = useExport(props.exportEndpoint, state, columns.layout);
  useListKeys(box);

  const rowId = useCallback(
    (row: Row) => (props.rowId ? props.rowId(row) : String((row as RowData).id)),
    [props.rowId],
  );
  const onSelect = useCallback((rows: Row[]) => {
    setTicked(rows);
    setAll(false);
  }, []);
  const clear = useCallback(() => grid.current?.clearSelection(), []);
  const data = page.data;
  usePreticked(grid, data?.records, rowId, props.preticked);
  // What is done with ticked rows is decided by what they are now, not by what they were when they were ticked.
  const chosen = useMemo(() => {
    const now = new Map((data?.records ?? []).map((row) => [rowId(row), row]));
    return ticked.map((row) => now.get(rowId(row)) ?? row);
  }, [data, ticked, rowId]);
  const total = page.isError ? undefined : data?.total;
  const barFields = fields.filter((field) => field.key !== tabs?.field);
  // A tab that stands apart is a list of its own, not a choice among the rows of one.
  const apart = tabs?.apart ? tabs.field : undefined;
  const used = fields.filter(({ key }) => key !== apart && !props.modes?.includes(key) && isSet(state.filter[key]));

  const nothing = props.empty ?? <Empty title={`还没有${title.replace(/列表$|管理$/, '')}`} />;
  // Without a first record there is nothing to filter, arrange or count.
  const unused = data?.total === 0 && used.length === 0 && apart === undefined && !page.isError;
  const overlay = (): ReactNode => {
    if (page.isError && !page.isFetching) {
      return (
        <ErrorState error={page.error} onRetry={() => void page.refetch()}>
          {used.length > 0 && <Button onClick={state.clear}>清除筛选</Button>}
        </ErrorState>
      );
    }
    if (!data || data.records.length > 0) return null;
    // The tab a list opens with is no filter that hides anything where there is nothing under any other tab either.
    const narrowed = used.some(({ key }) => key !== tabs?.field);
    const noneAtAll = counts !== undefined && Object.values(counts).every((count) => count === 0);
    if (used.length === 0 || (!narrowed && noneAtAll)) return nothing;
    const words = used.map((field) => `${field.title} ${filterText(field, state.filter[field.key])}`);
    return <NoMatch filters={words} onClear={state.clear} />;
  };
  const tabField = tabs?.field;
  const many = fields.find((field) => field.key === tabField)?.control === 'multi';
  const tabValue = tabField ? state.filter[tabField] : undefined;

  return (
    <div className={`page-list${unused ? ' is-unused' : ''}`} ref={box}>
      <ListHead
        title={title}
        tabs={
          tabField && (
            <StatusTabs
              states={statesOf(props.filter.shape[tabField] as z.ZodType)}
              counts={counts}
              apart={tabs.apart}
              value={tabValue === undefined ? undefined : String(tabValue)}
              onChange={(value) => state.setFilter(tabField, value && many ? [value] : value)}
            />
          )
        }
      >
        {props.head}
      </ListHead>
      {unused && <div className="page-unused">{nothing}</div>}
      <FilterBar fields={barFields} state={state} onQuery={() => void page.refetch()} extra={props.filterExtra} />
      {views.ready && props.above?.(state.filter)}
      {ticked.length > 0 && batch ? (
        <BatchBar
          rows={chosen}
          total={total ?? 0}
          all={all}
          onAll={() => setAll(true)}
          filter={state.filter}
          unit={unit}
          actions={batch}
          summary={props.batchSummary?.(chosen)}
          onClear={clear}
        />
      ) : (
        <Toolbar
          left={
            <>
              {fields.length > 0 && <ViewMenu control={views} />}
              {props.toolbar}
              <Chips fields={barFields} state={state} />
            </>
          }
          asOf={data?.asOf}
          density={density}
          onDensity={setDensity}
          columns={columns.title}
          columnsChanged={columns.changed}
          onColumns={() => setArranging(true)}
          exporting={exporting.busy}
          onExport={props.exportEndpoint ? exporting.start : undefined}
          otherExports={props.otherExports?.map(({ label, endpoint }) => ({
            label,
            onClick: () => exporting.startOther(endpoint),
          }))}
          refreshing={page.isFetching}
          onRefresh={() => void page.refresh()}
        />
      )}
      <DataGrid<Row>
        ref={grid}
        columns={catalogue}
        layout={columns.layout}
        rows={data?.records}
        rowId={rowId}
        refreshing={page.isFetching}
        density={density}
        totals={data?.totals}
        totalsTitle={
          <span className="grid-total-title">
            合计 <span className="text3">{data ? `${formatInteger(data.total)} ${unit}` : ''}</span>
          </span>
        }
        {...(props.endpoint.sortable ? { sortable: props.endpoint.sortable } : {})}
        sort={state.sort}
        onSort={(sort) => state.change({ sort })}
        onLayout={columns.setLayout}
        onSelect={batch ? onSelect : undefined}
        onOpen={props.onOpen}
        onOpenTab={props.onOpenTab}
        actions={props.actions}
        {...(props.actionsWidth ? { actionsWidth: props.actionsWidth } : {})}
        current={props.current}
        overlay={overlay()}
      />
      <Pager
        total={total}
        loading={page.isPending}
        page={state.page}
        size={state.size}
        unit={unit}
        note={ticked.length > 0 ? `已选 ${ticked.length} ${unit}` : props.note}
        onChange={(next, size) => state.change({ page: next, size })}
      />
      <ColumnsDrawer
        title={title}
        catalogue={catalogue}
        control={columns}
        open={arranging}
        onClose={() => setArranging(false)}
      />
    </div>
  );
}
