import { formatInteger } from '#kit/contract/format.ts';
import { useSend } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { decideSurplus, type SurplusRow } from '../../contract/surplus.ts';
import { placesOf, refreshOrders, usePurchaseChoices } from '../choices.ts';

const Form = decideSurplus.body.omit({ id: true, version: true });

/** Decides about pieces that are held: they come into stock, payable or free, or go back to the supplier. */
export function DecideDialog({ surplus, onClose }: { surplus: SurplusRow; onClose: () => void }) {
  const qc = placesOf(usePurchaseChoices(), 'QC');
  const form = useForm(Form, { decision: 'payable', reason: '' });
  const send = useSend(decideSurplus, {
    quiet: true,
    onSuccess: async (done) => {
      notice.success(done.message);
      await refreshOrders();
    },
  });
  return (
    <FormDialog
      title={`处理超收 ${surplus.number}：${surplus.product?.code ?? ''} ${formatInteger(surplus.qty)} 件`}
      open
      okText="确认处理"
      form={form}
      onClose={onClose}
      onSubmit={(values) => send.mutateAsync({ body: { ...values, id: surplus.id, version: surplus.version } })}
      fields={{
        decision: { help: '接收的货生成到货单；退回的货不影响库存和应付', span: 2 },
        inspect: { help: '仅接收时有效' },
        inspectAt: { options: qc },
        trackingNo: { help: '仅退回时有效' },
        reason: { span: 2 },
      }}
    />
  );
}
