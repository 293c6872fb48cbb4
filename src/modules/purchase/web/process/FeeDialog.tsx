import { formatMoney } from '#kit/contract/format.ts';
import { useSend } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { type ProcessRow, requestProcessFee } from '../../contract/process.ts';
import { refreshProcesses } from './choices.ts';

const Form = requestProcessFee.body.omit({ id: true });

/** Asks finance to pay the processor; `left` is what may still be asked for, CNY. */
export function FeeDialog({ order, left, onClose }: { order: ProcessRow; left: string; onClose: () => void }) {
  const form = useForm(Form, { amount: left });
  const send = useSend(requestProcessFee, {
    quiet: true,
    onSuccess: async (done) => {
      notice.success(done.message);
      await refreshProcesses();
    },
  });
  return (
    <FormDialog
      title={`请款 ${order.number}`}
      open
      okText="提交请款"
      form={form}
      onClose={onClose}
      onSubmit={(values) => send.mutateAsync({ body: { ...values, id: order.id } })}
      fields={{ amount: { help: `剩余可请 ${formatMoney(left, 'CNY')}` }, remark: { span: 2 } }}
    />
  );
}
