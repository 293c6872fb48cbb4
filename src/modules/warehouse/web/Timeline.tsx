import { Segmented } from 'antd';
import { useState } from 'react';
import { formatInteger } from '#kit/contract/format.ts';
import { useCall } from '#kit/web/api/index.ts';
import { Legend, LineTrend } from '#kit/web/charts/index.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { RecordRow, StockDay, stockTimeline } from '../contract/inventory.ts';
import { DocumentLink, EntriesLink, useOpenRecords } from './links.tsx';
import './warehouse.css';

const RANGES = [
  { value: 30, label: '近30天' },
  { value: 90, label: '近90天' },
  { value: 366, label: '近一年' },
];

const SHOWN = [
  'businessDate',
  'number',
  'action',
  'warehouse',
  'location',
  'status',
  'before',
  'qty',
  'after',
] as const;
const COURSE = [
  { key: 'available', name: '可用' },
  { key: 'reserved', name: '待出库' },
  { key: 'inTransit', name: '在途' },
  { key: 'other', name: '其它' },
] as const;

const signed = (pieces: number) => (pieces > 0 ? `+${formatInteger(pieces)}` : formatInteger(pieces));

/** Stock of one product by day with the documents that moved it; a day opens its entries. */
export function Timeline({ productId, warehouseId }: { productId: string; warehouseId?: string | undefined }) {
  const [days, setDays] = useState(30);
  const openRecords = useOpenRecords();
  const { data, isError, error, refetch } = useCall(
    stockTimeline,
    { query: { productId, days, ...(warehouseId ? { warehouseId } : {}) } },
    { keep: true },
  );
  if (isError) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  const ofDay = (day: string | undefined) => ({
    sku: data.product.code,
    ...(warehouseId ? { warehouses: [warehouseId] } : {}),
    ...(day ? { period: { from: day, to: day } } : {}),
  });
  return (
    <div className="warehouse-timeline">
      <div className="warehouse-bar">
        <Segmented size="small" options={RANGES} value={days} onChange={setDays} />
        <span className="spring" />
        <Legend items={COURSE} />
      </div>
      <LineTrend
        label="每日库存，数据见下表"
        labels={data.days.map((one) => one.day.slice(5))}
        series={COURSE.map(({ key, name }) => ({ name, values: data.days.map((one) => one[key]) }))}
        unfinished={1}
        height={240}
        onPick={(index) => openRecords(ofDay(data.days[index]?.day))}
      />
      <h3>期间单据</h3>
      <LineTable
        label="期间单据"
        row={RecordRow}
        rows={data.records}
        only={SHOWN}
        columns={{
          number: { render: (row) => <DocumentLink number={row.number} path={row.path} />, text: (row) => row.number },
          qty: { render: (row) => signed(row.qty), text: (row) => signed(row.qty) },
        }}
        none="这段时间没有出入库"
      />
      <h3>每日结存</h3>
      <LineTable
        label="每日结存"
        row={StockDay}
        rows={data.days.toReversed()}
        rowId={(one) => one.day}
        columns={{
          day: {
            render: (row) => <EntriesLink of={ofDay(row.day)}>{row.day}</EntriesLink>,
            text: (row) => row.day,
          },
        }}
      />
    </div>
  );
}
