import { useSend } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { type PlanRow, savePlanLine } from '../../contract/plan.ts';
import { refreshOrders, toOptions, usePurchaseChoices } from '../choices.ts';

const Form = savePlanLine.body.omit({ id: true, version: true });

/** Changes a need: pieces, day, and from whom it is bought instead of the default supplier. */
export function PlanLineDialog({ row, onClose }: { row: PlanRow; onClose: () => void }) {
  const choices = usePurchaseChoices();
  const form = useForm(Form, { qty: row.qty, needBy: row.needBy, supplierId: row.supplierId, remark: row.remark });
  const send = useSend(savePlanLine, {
    quiet: true,
    onSuccess: async () => {
      notice.success('采购规划已修改');
      await refreshOrders();
    },
  });
  return (
    <FormDialog
      title={`修改 ${row.product.code}`}
      open
      form={form}
      onClose={onClose}
      onSubmit={(values) => send.mutateAsync({ body: { ...values, id: row.id, version: row.version } })}
      fields={{
        supplierId: {
          span: 2,
          options: toOptions(choices?.suppliers) ?? [],
          placeholder: '产品的默认供应商',
        },
        remark: { span: 2 },
      }}
    />
  );
}
