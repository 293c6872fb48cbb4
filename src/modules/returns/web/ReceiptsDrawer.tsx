import { Button } from 'antd';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { cancelReceipt, type IncomingRow, RECEIVE, ReceiptRow, receiptsOf } from '../contract/receipts.ts';
import { INCOMING } from './refresh.ts';

/** The receipts of goods on their way; each can be taken back with its stock. */
export function ReceiptsDrawer({ row, onClose }: { row: IncomingRow | undefined; onClose: () => void }) {
  const may = useAllowed(RECEIVE);
  const { data } = useCall(receiptsOf, { query: { id: row?.id ?? '' } }, { enabled: row !== undefined });
  const cancel = useSend(cancelReceipt, {
    refreshes: INCOMING,
    onSuccess: ({ number }) => notice.success(`已撤销收货 ${number}`),
  });
  const columns = {
    cancelledBy: {
      render: (receipt: ReceiptRow) =>
        receipt.cancelledBy ??
        (may ? (
          <Button size="small" loading={cancel.isPending} onClick={() => cancel.mutate({ body: { id: receipt.id } })}>
            撤销
          </Button>
        ) : (
          '—'
        )),
    },
  };
  return (
    <DetailDrawer
      open={row !== undefined}
      onClose={onClose}
      title={`收货记录 ${row?.product.code ?? ''}`}
      subtitle={row?.tracking}
    >
      <LineTable
        label="收货记录"
        row={ReceiptRow}
        rows={data}
        rowId={(receipt) => receipt.id}
        columns={columns}
        none="还没有收货"
      />
    </DetailDrawer>
  );
}
