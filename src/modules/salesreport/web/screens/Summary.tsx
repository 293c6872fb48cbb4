import { NOT_APPLICABLE } from '#kit/contract/format.ts';
import { useCall } from '#kit/web/api/index.ts';
import { Trend } from '#kit/web/cells/index.ts';
import type { ColumnOverrides } from '#kit/web/grid/index.ts';
import { type FilterValue, ListScreen } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { EXPORT } from '../../contract/fields.ts';
import {
  type SummaryFilter as Asked,
  chartSummary,
  exportSummary,
  listSummary,
  SummaryFilter,
  type SummaryGroup,
  SummaryRow,
} from '../../contract/summary.ts';
import { useAsked, useSalesOptions } from '../asked.ts';
import { NoSales } from '../NoSales.tsx';
import { FULLNESS, PeriodCharts } from '../PeriodCharts.tsx';
import '../salesreport.css';

const DEFAULTS = { group: 'all', grain: 'week', currency: 'auto' };
const MODES = ['group', 'grain', 'currency'];
const DETAILS = '/amazon/sales/details';
const CHANGES: ColumnOverrides<SummaryRow> = Object.fromEntries(
  (['unitsPrevious', 'unitsYear', 'salesPrevious', 'salesYear'] as const).map((key) => [
    key,
    {
      render: (row: SummaryRow) =>
        row[key] == null ? <span className="text3">{NOT_APPLICABLE}</span> : <Trend change={row[key]} good="up" />,
      text: (row: SummaryRow) => row[key] ?? '',
    },
  ]),
);
const COLUMNS = { ...CHANGES, fullness: FULLNESS };

/** How the details of a group are asked for, beside its period and the filter in use. */
function groupQuery(group: SummaryGroup, key: string): Record<string, string> {
  if (key === '') return {};
  const filter = { owner: 'f.owners', category: 'f.categories', parent: 'f.parents' }[group as string];
  return filter ? { [filter]: key } : {};
}

/** The filter in use as the address of another list carries it. */
function kept(address: string): Record<string, string | readonly string[]> {
  const search = new URLSearchParams(address.split('?')[1] ?? '');
  const names = [...new Set(search.keys())].filter(
    (name) => name.startsWith('f.') && !['f.group', 'f.dates'].includes(name),
  );
  return Object.fromEntries(names.map((name) => [name, search.getAll(name)]));
}

function Charts({ filter, onPick }: { filter: FilterValue; onPick: (from: string, to: string) => void }) {
  const { data } = useCall(chartSummary, { body: { filter: filter as Asked } }, { keep: true });
  return <PeriodCharts chart={data} bars unit={filter.grain === 'month' ? '月' : '周'} onPick={onPick} />;
}

/** 周/月汇总: what sold in each week or month, in all or by group, with its change against the last one and the last year. */
export default function Summary() {
  const tab = useTab();
  const options = useSalesOptions();
  const { group = 'all' } = useAsked(SummaryFilter, options, DEFAULTS) as Asked;
  const mayExport = useAllowed(EXPORT);
  const open = (from: string, to: string, key = '') => {
    const by = group === 'all' || group === 'owner' || group === 'category' ? 'msku' : group;
    const query = {
      ...kept(tab.address),
      'f.by': by,
      'f.grain': 'day',
      'f.dates': `${from}~${to}`,
      ...groupQuery(group, key),
    };
    tab.open(DETAILS, { title: '销量详情', query });
  };
  return (
    <ListScreen
      name="salesreport/summary"
      title="周/月汇总"
      unit="行"
      density="dense"
      endpoint={listSummary}
      {...(mayExport ? { exportEndpoint: exportSummary } : {})}
      row={SummaryRow}
      filter={SummaryFilter}
      defaults={DEFAULTS}
      modes={MODES}
      options={options}
      tabs={{ field: 'group', apart: true }}
      columns={COLUMNS}
      above={(filter) => <Charts filter={filter} onPick={open} />}
      onOpen={({ from, to, key }) => open(from, to, key)}
      note="站点日；周从周一开始；点一行看销量详情"
      empty={<NoSales />}
    />
  );
}
