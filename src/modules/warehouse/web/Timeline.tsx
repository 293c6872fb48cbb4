import { Segmented } from 'antd';
import { useState } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { LineTrend } from '#kit/web/charts/index.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { RecordRow, StockDay, stockTimeline } from '../contract/inventory.ts';
import { DocumentLink } from './links.tsx';
import './warehouse.css';

const RANGES = [
  { value: 30, label: '近30天' },
  { value: 90, label: '近90天' },
  { value: 366, label: '近一年' },
];

const SHOWN = ['at', 'number', 'action', 'warehouse', 'location', 'status', 'before', 'qty', 'after'] as const;

/** Stock of one product by day with the documents that moved it. */
export function Timeline({ productId, warehouseId }: { productId: string; warehouseId?: string | undefined }) {
  const [days, setDays] = useState(30);
  const { data, isError, error, refetch } = useCall(
    stockTimeline,
    { query: { productId, days, ...(warehouseId ? { warehouseId } : {}) } },
    { keep: true },
  );
  if (isError) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  const of = (key: 'available' | 'reserved' | 'inTransit' | 'other') => data.days.map((day) => day[key]);
  return (
    <div className="warehouse-timeline">
      <div className="warehouse-bar">
        <Segmented size="small" options={RANGES} value={days} onChange={setDays} />
      </div>
      <LineTrend
        label="每日库存，数据见下表"
        labels={data.days.map((day) => day.day)}
        series={[
          { name: '可用', values: of('available') },
          { name: '待出库', values: of('reserved') },
          { name: '在途', values: of('inTransit') },
          { name: '其它', values: of('other') },
        ]}
        unfinished={1}
        height={240}
      />
      <h3>期间单据</h3>
      <LineTable
        label="期间单据"
        row={RecordRow}
        rows={data.records}
        only={SHOWN}
        columns={{
          number: { render: (row) => <DocumentLink number={row.number} path={row.path} />, text: (row) => row.number },
        }}
        none="这段时间没有出入库"
      />
      <h3>每日结存</h3>
      <LineTable label="每日结存" row={StockDay} rows={data.days.toReversed()} rowId={(day) => day.day} />
    </div>
  );
}
