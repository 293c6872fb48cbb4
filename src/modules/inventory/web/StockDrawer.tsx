import { Segmented } from 'antd';
import { useState } from 'react';
import { metaOf } from '#kit/contract/columns.ts';
import { formatInteger } from '#kit/contract/format.ts';
import { useCall } from '#kit/web/api/index.ts';
import { Picture, State, StoreName, When } from '#kit/web/cells/index.ts';
import { FactColumns, Facts } from '#kit/web/document/index.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import { ErrorState } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { type StockRow, StockState, stockTimeline, type TimelineDay, TimelineDay as TimelineRow } from '../contract.ts';
import { StockChart } from './StockChart.tsx';

function Now({ row }: { row: StockRow }) {
  const pieces = (label: string, value: number | null, strong = false) => ({
    label,
    value: formatInteger(value),
    strong,
  });
  return (
    <FactColumns>
      <Facts
        title="在库"
        facts={[
          pieces('可售', row.fulfillable),
          pieces('预留', row.reserved),
          pieces('不可售', row.unsellable),
          pieces('调查中', row.researching),
          pieces('合计', row.onHand, true),
        ]}
      />
      <Facts
        title="预留"
        facts={[
          pieces('买家订单', row.reservedCustomer),
          pieces('调拨', row.reservedTransfer),
          pieces('处理中', row.reservedProcessing),
          pieces('合计', row.reserved, true),
        ]}
      />
      <Facts
        title="在途"
        facts={[
          pieces('待发货', row.inboundWorking),
          pieces('已发货', row.inboundShipped),
          pieces('接收中', row.inboundReceiving),
          pieces('合计', row.inbound, true),
        ]}
      />
      <Facts
        title="状态"
        facts={[
          { label: '店铺', value: <StoreName store={row.store} /> },
          { label: '状态', value: <State value={row.state} states={metaOf(StockState).states} /> },
          pieces('30日销量', row.units30),
          { label: '可售天数', value: row.coverDays ?? '—' },
          { label: '更新时间', value: <When at={row.lastUpdatedAt} /> },
        ]}
      />
    </FactColumns>
  );
}

/** Days that were read, newest first. */
function readDays(days: readonly TimelineDay[]): TimelineDay[] {
  return days.filter((day) => day.total !== null).toReversed();
}

/** The first day of a range of so many days that ends with `to`. */
function firstDay(to: string, days: number): string {
  return new Date(Date.parse(`${to}T00:00:00Z`) - (days - 1) * 86_400_000).toISOString().slice(0, 10);
}

const FEWEST_DAYS = 14;

/** Without the days before the first reading, so that a young store's chart is not one grey field. */
function known(days: readonly TimelineDay[]): readonly TimelineDay[] {
  const first = days.findIndex((day) => day.total !== null);
  return days.slice(Math.max(0, Math.min(first, days.length - FEWEST_DAYS)));
}

const RANGES = [
  { value: 30, label: '近30天' },
  { value: 90, label: '近90天' },
];

/** One SKU over the list: its pieces now, and by day. */
export function StockDrawer({ id, onClose }: { id: string | undefined; onClose: () => void }) {
  const [tab, setTab] = useState('timeline');
  const [range, setRange] = useState(90);
  const { data, isError, error, refetch } = useCall(
    stockTimeline,
    { query: { id: id ?? '' } },
    { enabled: id !== undefined, keep: true },
  );
  const last = data?.days.at(-1)?.day;
  const days = data && last ? known(data.days.filter((day) => day.day >= firstDay(last, range))) : [];
  const body = () => {
    if (isError) return <ErrorState error={error} onRetry={() => void refetch()} />;
    if (!data) return null;
    if (tab === 'now') return <Now row={data.row} />;
    return (
      <>
        <StockChart days={days} />
        <LineTable
          label="每日库存"
          row={TimelineRow}
          rows={readDays(days)}
          rowId={(day) => day.day}
          none="还没有库存快照"
        />
      </>
    );
  };
  return (
    <DetailDrawer
      open={id !== undefined}
      onClose={onClose}
      title={data?.row.product.name || data?.row.sellerSku || 'FBA库存'}
      subtitle={data?.row.sellerSku}
      picture={<Picture src={data?.row.product.image} size={28} />}
      tabs={[
        { key: 'timeline', title: '库存走势' },
        { key: 'now', title: '当前库存' },
      ]}
      tab={tab}
      onTab={setTab}
      scope={tab === 'timeline' && <Segmented size="small" options={RANGES} value={range} onChange={setRange} />}
    >
      {body()}
    </DetailDrawer>
  );
}
