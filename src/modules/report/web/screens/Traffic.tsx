import { ComparedScreen } from '#kit/web/list/index.ts';
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
const MEASURES = [
  { key: 'sessions', title: '访问次数', kind: 'integer', good: 'up', chart: true },
  { key: 'pageViews', title: '浏览次数', kind: 'integer', good: 'up' },
  { key: 'featured', title: '购物车比例', kind: 'percent', good: 'up' },
  { key: 'units', title: '销量', kind: 'integer', good: 'up', chart: true },
  { key: 'items', title: '订单项', kind: 'integer', good: 'up' },
  { key: 'conversion', title: '商品转化率', kind: 'percent', good: 'up', chart: true },
  { key: 'trafficSales', title: '销售额', kind: 'money', good: 'up', chart: true },
] as const;

/** 流量报表: how many came to look at each product, and how many bought; by day, or a period against another one. */
export default function Traffic() {
  const sites = useSiteOptions();
  return (
    <ComparedScreen
      rows={{
        name: 'report/traffic',
        title: '流量报表',
        unit: '行',
        endpoint: traffic.list,
        exportEndpoint: traffic.export,
        row: TrafficRow,
        filter: TrafficFilter,
        options: { sites },
        empty: EMPTY,
      }}
      sums={{
        name: 'report/trafficSum',
        unit: '个商品',
        endpoint: trafficSums.list,
        exportEndpoint: trafficSums.export,
        trend: trafficSums.trend,
        row: TrafficSumRow,
        filter: TrafficSumFilter,
        measures: MEASURES,
        step: 'day',
        drill: (row) => ({ keyword: row.product.code }),
      }}
    />
  );
}
