import { useCall } from '#kit/web/api/index.ts';
import { CompareCharts, changeColumns, type FilterValue, ListScreen, useView } from '#kit/web/list/index.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import {
  TrafficFilter,
  TrafficRow,
  TrafficSumFilter,
  TrafficSumRow,
  traffic,
  trafficSums,
} from '../../contract/reports.ts';

const EMPTY = (
  <Empty title="还没有流量报表" text="授权店铺后自动获取亚马逊报告，也可以在「上传报表」上传下载好的报告文件。" />
);
const TABS = { field: 'view', apart: true };
const MODES = ['view', 'compare'];
const COLUMNS = changeColumns<TrafficSumRow>(
  ['sessions', 'pageViews', 'featured', 'units', 'items', 'conversion', 'trafficSales'],
  'up',
);
const MEASURES = [
  { key: 'sessions', title: '访问次数', kind: 'integer' },
  { key: 'units', title: '销量', kind: 'integer' },
  { key: 'conversion', title: '商品转化率', kind: 'percent' },
  { key: 'trafficSales', title: '销售额', kind: 'money' },
] as const;

function Charts({ filter, onDay }: { filter: FilterValue; onDay: (day: string) => void }) {
  const { data } = useCall(trafficSums.trend, { body: { filter } }, { keep: true });
  return <CompareCharts trend={data} measures={MEASURES} step="day" onDay={onDay} />;
}

/** 流量报表: how many came to look at each product, and how many bought; by day, or a period against another one. */
export default function Traffic() {
  const sites = useSiteOptions();
  const [view, go] = useView('rows');
  const common = { title: '流量报表', options: { sites }, tabs: TABS, empty: EMPTY };
  if (view === 'compare') {
    return (
      <ListScreen
        {...common}
        key="compare"
        name="report/trafficSum"
        unit="个商品"
        endpoint={trafficSums.list}
        exportEndpoint={trafficSums.export}
        row={TrafficSumRow}
        filter={TrafficSumFilter}
        defaults={{ view: 'rows', compare: 'previous' }}
        modes={MODES}
        columns={COLUMNS}
        above={(filter) => <Charts filter={filter} onDay={(day) => go('rows', { dates: `${day}~${day}` })} />}
        onOpen={(row) => go('rows', { skus: row.product.code })}
      />
    );
  }
  return (
    <ListScreen
      {...common}
      key="rows"
      name="report/traffic"
      unit="行"
      endpoint={traffic.list}
      exportEndpoint={traffic.export}
      row={TrafficRow}
      filter={TrafficFilter}
      defaults={{ view: 'rows' }}
      modes={MODES}
    />
  );
}
