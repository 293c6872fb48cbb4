import { Button, Segmented } from 'antd';
import { useState } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { Tag } from '#kit/web/cells/index.ts';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { useAllowed } from '#kit/web/session.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { SHIP } from '../../contract/fields.ts';
import { boxReceipts } from '../../contract/receipt/calls.ts';
import { BoxReceiptRow, SkuReceiptRow } from '../../contract/receipt/receipt.ts';
import { MarkDialog } from './MarkDialog.tsx';

const SHOWN = ['no', 'shipmentNo', 'trackingNo', 'weight', 'content', 'state', 'suspect', 'deliveredOn'] as const;
const VIEWS = [
  { value: 'all', label: '全部' },
  { value: 'open', label: '未收齐' },
  { value: 'suspect', label: '疑似丢失' },
] as const;
type View = (typeof VIEWS)[number]['value'];

const fits: Readonly<Record<View, (box: BoxReceiptRow) => boolean>> = {
  all: () => true,
  open: ({ packed, received }) => received < packed,
  suspect: ({ score }) => score !== null,
};

function Suspect({ box }: { box: BoxReceiptRow }) {
  if (box.conflict) return <Tag tone="trouble" title="标记与亚马逊接收数不符" />;
  if (box.score === null)
    return <span className="text3">{box.mark === 'AUTO' ? '—' : `人工：${box.updatedByName}`}</span>;
  return (
    <>
      <Tag tone="trouble" title={`疑似丢失箱 ${box.score}`} />
      <div className="text2">{box.suspect}</div>
    </>
  );
}

/** 按箱收货: Amazon's counts shared out over the boxes, which boxes seem to be lost, and what people know of them. */
export function ReceiptsTab({ id }: { id: string }) {
  const { data, isError, error, refetch } = useCall(boxReceipts, { params: { id } }, { staleTime: 0 });
  const [view, setView] = useState<View>('all');
  const [marked, setMarked] = useState<BoxReceiptRow>();
  const writes = useAllowed(SHIP);
  if (isError) return <ErrorState error={error} onRetry={() => void refetch()} text="按箱收货没有取到。" />;
  const columns: ColumnOverrides<BoxReceiptRow> = {
    suspect: { render: (box) => <Suspect box={box} />, text: ({ suspect }) => suspect },
    remark: {
      title: writes ? '备注与标记' : '备注',
      render: (box) => (
        <>
          {box.remark && <div className="text2">{box.remark}</div>}
          {writes && (
            <Button size="small" type="link" aria-label={`标记第 ${box.no} 箱`} onClick={() => setMarked(box)}>
              标记
            </Button>
          )}
        </>
      ),
    },
  };
  return (
    <>
      <LineTable
        row={SkuReceiptRow}
        rows={data?.skus}
        rowId={({ shipmentNo, msku }) => `${shipmentNo} ${msku}`}
        label="按SKU接收"
        none="还没有接收"
      />
      <div className="box-bar">
        <Segmented aria-label="箱" size="small" options={[...VIEWS]} value={view} onChange={setView} />
        <span className="text2">亚马逊只按SKU计数；各箱数量按规则分配，人工标记优先</span>
      </div>
      <LineTable
        row={BoxReceiptRow}
        rows={data?.boxes.filter(fits[view])}
        rowId={({ no }) => String(no)}
        only={[...SHOWN, 'remark']}
        columns={columns}
        label="按箱收货"
        none={view === 'all' ? '本单没有装箱数据' : '没有符合的箱'}
      />
      {marked && <MarkDialog id={id} box={marked} onClose={() => setMarked(undefined)} onDone={refetch} />}
    </>
  );
}
