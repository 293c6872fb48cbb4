import { useSend } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import type { Transport } from '../../contract/fields.ts';
import { PlanInput, type PlanRow, savePlan } from '../../contract/plan.ts';
import { useShipChoices } from '../choices.ts';
import { refreshPlan, sendersOf } from './choices.ts';

const Form = PlanInput.pick({ transport: true, warehouseId: true, plannedOn: true });

interface Props {
  rows: readonly PlanRow[];
  transport: Transport;
  onClose: () => void;
}

/** Plans what is suggested for ticked rows, all from one warehouse and by one way. */
export function BatchDialog({ rows, transport, onClose }: Props) {
  const senders = sendersOf(useShipChoices());
  const form = useForm(Form, { transport, plannedOn: null });
  const send = useSend(savePlan, {
    quiet: true,
    onSuccess: async () => {
      notice.success(`已按建议计划 ${rows.length} 行`);
      await refreshPlan();
    },
  });
  const total = rows.reduce((sum, row) => sum + row.suggested, 0);
  return (
    <FormDialog
      title="按建议加入计划"
      open
      form={form}
      onClose={onClose}
      onSubmit={(values) =>
        send.mutateAsync({
          body: {
            items: rows.map(({ authid, marketplaceId, product, suggested }) => ({
              ...values,
              authid,
              marketplaceId,
              msku: product.code,
              qty: suggested,
              suggestedQty: suggested,
              remark: '',
            })),
          },
        })
      }
      fields={{ warehouseId: { options: senders } }}
    >
      <p className="label">
        {rows.length} 行共 {total} 件，建议量按「{form.schema.shape.transport.meta()?.title}」筛选的备货天数计算。
      </p>
    </FormDialog>
  );
}
