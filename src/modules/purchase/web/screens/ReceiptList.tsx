import { useState } from 'react';
import { call } from '#kit/web/api/index.ts';
import { ReasonDialog } from '#kit/web/form/index.ts';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { EXPORT, RECEIVE, REVERSE } from '../../contract/fields.ts';
import { purchaseOrder } from '../../contract/order.ts';
import {
  countReceipts,
  exportReceipts,
  listReceipts,
  ReceiptFilter,
  ReceiptRow,
  reverseReceipt,
} from '../../contract/receipt.ts';
import { placesOf, refreshOrders, toOptions, usePurchaseChoices } from '../choices.ts';
import { InspectDialog } from '../receipt/InspectDialog.tsx';

const COLUMNS: ColumnOverrides<ReceiptRow> = {
  order: {
    render: (row) => (
      <TabLink to={purchaseOrder.detail} title={row.order} query={{ id: row.orderId }}>
        {row.order}
      </TabLink>
    ),
    text: (row) => row.order,
  },
};

/** 到货与质检: what came from suppliers, and what of it still waits for its inspection. */
export default function ReceiptList() {
  const tab = useTab();
  const choices = usePurchaseChoices();
  const [inspecting, setInspecting] = useState<ReceiptRow>();
  const [reversing, setReversing] = useState<ReceiptRow>();
  const mayExport = useAllowed(EXPORT);
  const mayReceive = useAllowed(RECEIVE);
  const mayReverse = useAllowed(REVERSE);
  const open = (row: ReceiptRow) => tab.open(purchaseOrder.detail, { title: row.order, query: { id: row.orderId } });
  const reverse = async (reason: string) => {
    if (!reversing) return;
    const done = await call(reverseReceipt, { body: { id: reversing.id, reason } }, { quiet: true });
    notice.success(done.message);
    await refreshOrders();
  };
  return (
    <>
      <ListScreen
        name="purchase/receipts"
        title="到货与质检"
        unit="单"
        endpoint={listReceipts}
        {...(mayExport ? { exportEndpoint: exportReceipts } : {})}
        row={ReceiptRow}
        filter={ReceiptFilter}
        options={{ supplier: toOptions(choices?.suppliers), warehouse: placesOf(choices, 'GOOD') }}
        tabs={{ field: 'state', counts: countReceipts }}
        columns={COLUMNS}
        onOpen={open}
        actions={(row) => [
          ...(mayReceive && row.state === 'inspecting' ? [{ label: '质检', onClick: () => setInspecting(row) }] : []),
          { label: '采购单', onClick: () => open(row) },
          ...(mayReverse && row.state !== 'reversed'
            ? [{ label: '撤销到货', danger: true, onClick: () => setReversing(row) }]
            : []),
        ]}
        empty={<Empty title="还没有到货" text="货到后在采购单中登记到货；送检的货在这里登记质检结果。" />}
      />
      {inspecting && <InspectDialog receipt={inspecting} onClose={() => setInspecting(undefined)} />}
      {reversing && (
        <ReasonDialog
          title={`撤销到货 ${reversing.number}`}
          okText="撤销到货"
          onSend={reverse}
          onClose={() => setReversing(undefined)}
        >
          库存和应付按原样冲回；已使用的库存不能撤销。
        </ReasonDialog>
      )}
    </>
  );
}
