import { useCall, useSend } from '#kit/web/api/index.ts';
import { FormDialog, ReasonDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { type IncomingRow, ReceiptForm, receiptPlaces, receiveIncoming, settleIncoming } from '../contract/receipts.ts';
import type { Working } from './receiving.ts';
import { INCOMING } from './refresh.ts';

interface Props {
  row: IncomingRow;
  onClose: () => void;
}

const choices = (places: readonly { id: string; name: string }[] | undefined) =>
  (places ?? []).map(({ id, name }) => ({ value: id, label: name }));
const only = (places: readonly { id: string }[] | undefined) => (places?.length === 1 ? places[0]?.id : undefined);

interface FormProps extends Props {
  places: { good: { id: string; name: string }[]; repair: { id: string; name: string }[] };
}

function ReceiptFormDialog({ row, onClose, places }: FormProps) {
  const form = useForm(ReceiptForm, {
    good: row.difference,
    repair: 0,
    scrap: 0,
    warehouseId: only(places.good),
    repairWarehouseId: only(places.repair),
  });
  const send = useSend(receiveIncoming, {
    refreshes: INCOMING,
    quiet: true,
    onSuccess: ({ number }) => notice.success(`已收货，单号 ${number}`),
  });
  return (
    <FormDialog
      title={`登记收货 ${row.product.code}`}
      open
      form={form}
      okText="收货"
      columns={6}
      fields={{
        good: { span: 2 },
        repair: { span: 2 },
        scrap: { span: 2 },
        warehouseId: { span: 3, options: choices(places.good) },
        repairWarehouseId: { span: 3, options: choices(places.repair) },
        remark: { span: 6 },
      }}
      onSubmit={(receipt) => send.mutateAsync({ body: { id: row.id, ...receipt } })}
      onClose={onClose}
    >
      <p className="label">
        发出 {row.sent} 件，已收 {row.received}{' '}
        件。良品计入可用库存，待返修计入次品库存，报废不计库存；套装按配对拆成产品。
      </p>
    </FormDialog>
  );
}

/** 登记收货: how many pieces of each grade came, and where they are put. */
function ReceiptDialog(props: Props) {
  const { data } = useCall(receiptPlaces, {});
  return data ? <ReceiptFormDialog {...props} places={data} /> : null;
}

/** 标记差异: what is missing will not come, and why. */
function SettleDialog({ row, onClose }: Props) {
  const send = useSend(settleIncoming, {
    refreshes: INCOMING,
    quiet: true,
    onSuccess: ({ difference }) => notice.success(`已标记差异 ${difference} 件`),
  });
  return (
    <ReasonDialog
      title={`标记差异 ${row.product.code}`}
      okText="标记"
      onSend={(reason) => send.mutateAsync({ body: { id: row.id, reason } })}
      onClose={onClose}
    >
      还差 {row.difference} 件没有收到。标记后不再等待；之后又收到的仍可登记。
    </ReasonDialog>
  );
}

/** The dialog of whatever is being worked on. */
export function ReceivingDialog({ working, onClose }: { working: Working | undefined; onClose: () => void }) {
  if (!working) return null;
  const Dialog = working.what === 'receive' ? ReceiptDialog : SettleDialog;
  return <Dialog row={working.row} onClose={onClose} />;
}
