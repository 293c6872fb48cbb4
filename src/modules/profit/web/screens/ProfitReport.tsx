import '../profit.css';
import { Segmented } from 'antd';
import { useMemo, useState } from 'react';
import { formatInteger } from '#kit/contract/format.ts';
import { dateText } from '#kit/web/cells/index.ts';
import { ColumnsDrawer } from '#kit/web/grid/ColumnsDrawer.tsx';
import { DataGrid } from '#kit/web/grid/DataGrid.tsx';
import { useColumns } from '#kit/web/grid/use-columns.ts';
import { lastDays } from '#kit/web/last-days.ts';
import { FilterBar } from '#kit/web/list/FilterBar.tsx';
import { filterFields, ListHead, Pager } from '#kit/web/list/index.ts';
import { Toolbar } from '#kit/web/list/Toolbar.tsx';
import { useDensity } from '#kit/web/list/use-density.ts';
import { useExport } from '#kit/web/list/use-export.ts';
import { useListState } from '#kit/web/list/use-list-state.ts';
import { usePage } from '#kit/web/list/use-page.ts';
import { usePermissions } from '#kit/web/session.ts';
import { Empty, ErrorState } from '#kit/web/states/index.ts';
import { useStoreOptions } from '#modules/settlement/web/index.ts';
import {
  DIMENSIONS,
  type Dimension,
  exportProfit,
  listProfit,
  ProfitFilter,
  type ProfitRow,
} from '../../contract/report.ts';
import { BasisSwitch } from '../BasisSwitch.tsx';
import { reportColumns } from '../columns.tsx';
import { CURRENCIES } from '../currencies.ts';
import { DimensionTabs } from '../DimensionTabs.tsx';
import { type OpenRow, ProfitDrawer } from '../ProfitDrawer.tsx';
import { Quality } from '../Quality.tsx';
import { ReportStrip, useTotal } from '../ReportStrip.tsx';
import { wholeRow } from '../whole.ts';

const UNITS: Record<Dimension, string> = {
  sku: '个 SKU',
  msku: '个 MSKU',
  asin: '个 ASIN',
  parent: '个父 ASIN',
  brand: '个品牌',
  category: '个品类',
  owner: '人',
  store: '个店铺',
  day: '天',
  month: '个月',
};
/** Rows of these take their listings as they belong today, by owner on each day. */
const TODAY: Partial<Record<Dimension, string>> = {
  parent: '按现父ASIN',
  brand: '按现品牌',
  category: '按现品类',
  owner: '按当日负责人',
};

const NOTHING = <Empty title="这段时间没有利润数据" text="结算与账务交易同步后自动计算；也可以换一个日期范围。" />;

/** 利润报表: profit by SKU, what SKUs belong to, store, day or month, every figure open to the lines it is made of. */
export default function ProfitReport() {
  const stores = useStoreOptions();
  const permissions = usePermissions();
  const fields = useMemo(() => filterFields(ProfitFilter, { stores }), [stores]);
  const [defaults] = useState(() => ({ dimension: 'sku', currency: 'CNY', basis: 'BOOKED', date: lastDays(30) }));
  const state = useListState(fields, defaults);
  const filter = state.filter as ProfitFilter;
  const dimension = filter.dimension ?? 'sku';
  const [open, setOpen] = useState<OpenRow>();
  const [arranging, setArranging] = useState(false);
  const page = usePage<ProfitRow>(listProfit, state);
  const catalogue = useMemo(() => reportColumns(dimension, permissions, setOpen), [dimension, permissions]);
  const name = `profit/report/${dimension}`;
  const columns = useColumns(name, catalogue);
  const [density, setDensity] = useDensity(name, 'picture');
  const exporting = useExport(exportProfit, state, columns.layout);
  const total = useTotal(state.filter);
  const rows = page.data?.records;
  const whole = wholeRow(page.data?.totals);
  const count = page.isError ? undefined : page.data?.total;
  const bar = fields.filter((field) => !['dimension', 'currency', 'basis'].includes(field.key));
  const overlay =
    page.isError && !page.isFetching ? (
      <ErrorState error={page.error} onRetry={() => void page.refetch()} />
    ) : rows?.length === 0 ? (
      NOTHING
    ) : null;
  return (
    <div className="page-list">
      <ListHead
        title="利润报表"
        tabs={
          <DimensionTabs
            value={dimension}
            onChange={(value) => state.change({ filter: { ...state.filter, dimension: value }, sort: undefined })}
          />
        }
      />
      <FilterBar
        fields={bar}
        state={state}
        onQuery={() => void page.refetch()}
        extra={
          <>
            <BasisSwitch value={filter.basis} onChange={(value) => state.setFilter('basis', value)} />
            <Segmented
              size="small"
              aria-label="币种"
              options={CURRENCIES}
              value={filter.currency ?? 'CNY'}
              onChange={(value) => state.setFilter('currency', value)}
            />
          </>
        }
      />
      <ReportStrip total={total} onOpen={whole && ((tab, figure) => setOpen({ row: whole, tab, figure }))} />
      <Toolbar
        left={
          <>
            <Quality total={total} />
            {TODAY[dimension] && <span className="label">{TODAY[dimension]}</span>}
            {total?.settledUntil && <span className="label">发生口径 · 结算至 {dateText(total.settledUntil)}</span>}
          </>
        }
        asOf={page.data?.asOf}
        density={density}
        onDensity={setDensity}
        columns={columns.title}
        columnsChanged={columns.changed}
        onColumns={() => setArranging(true)}
        exporting={exporting.busy}
        onExport={permissions === undefined || permissions.has('fin:profit:export') ? exporting.start : undefined}
        refreshing={page.isFetching}
        onRefresh={() => void page.refresh()}
      />
      <DataGrid<ProfitRow>
        columns={catalogue}
        layout={columns.layout}
        rows={rows}
        rowId={(row) => row.id}
        refreshing={page.isFetching}
        density={density}
        totals={page.data?.totals}
        totalsTitle={
          <span className="grid-total-title">
            合计{' '}
            <span className="text3">
              {count === undefined ? '' : `筛选结果 ${formatInteger(count)} ${UNITS[dimension]}`}
            </span>
          </span>
        }
        sortable={listProfit.sortable}
        sort={state.sort}
        onSort={(sort) => state.change({ sort })}
        onLayout={columns.setLayout}
        onOpen={(row) => setOpen({ row, tab: 'composition', figure: 'sales' })}
        current={open?.row.id}
        overlay={overlay}
      />
      <Pager
        total={count}
        page={state.page}
        size={state.size}
        unit={UNITS[dimension].trim()}
        note="金额点开可看构成"
        onChange={(next, size) => state.change({ page: next, size })}
      />
      <ColumnsDrawer
        title={`利润报表 · ${DIMENSIONS[dimension]}`}
        catalogue={catalogue}
        control={columns}
        open={arranging}
        onClose={() => setArranging(false)}
      />
      <ProfitDrawer open={open} rows={rows ?? []} filter={filter} onChange={setOpen} />
    </div>
  );
}
