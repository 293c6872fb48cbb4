import { useSend } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import type { Transport } from '../../contract/fields.ts';
import { PlanInput, type PlanItem, type PlanRow, savePlan } from '../../contract/plan.ts';
import { useShipChoices } from '../choices.ts';
import { refreshPlan, sendersOf } from './choices.ts';

const Form = PlanInput.pick({ qty: true, transport: true, warehouseId: true, plannedOn: true, remark: true });

interface Props {
  row: PlanRow;
  /** The item that is changed; a new one where left out. */
  item?: PlanItem | undefined;
  /** The way that the list reckons with. */
  transport: Transport;
  onClose: () => void;
}

/** What is planned of a listing: pieces, way and warehouse. */
export function PlanDialog({ row, item, transport, onClose }: Props) {
  const senders = sendersOf(useShipChoices());
  const form = useForm(Form, {
    qty: item?.qty ?? (row.suggested > 0 && row.items.length === 0 ? row.suggested : undefined),
    transport: item?.transport ?? transport,
    warehouseId: item?.warehouseId,
    plannedOn: item?.plannedOn ?? null,
    remark: item?.remark ?? '',
  });
  const send = useSend(savePlan, {
    quiet: true,
    onSuccess: async () => {
      notice.success('发货规划已保存');
      await refreshPlan();
    },
  });
  const { authid, marketplaceId, suggested } = row;
  return (
    <FormDialog
      title={`${item ? '修改计划' : '加入计划'} ${row.product.code}`}
      open
      form={form}
      onClose={onClose}
      onSubmit={(values) =>
        send.mutateAsync({
          body: {
            items: [
              {
                ...values,
                ...(item ? { id: item.id, version: item.version } : {}),
                authid,
                marketplaceId,
                msku: row.product.code,
                suggestedQty: suggested,
              },
            ],
          },
        })
      }
      fields={{
        qty: { help: `建议 ${suggested}${row.boxQty ? `，每箱 ${row.boxQty}` : ''}，可承诺 ${row.promisable}` },
        warehouseId: { options: senders },
        remark: { span: 2 },
      }}
    />
  );
}
