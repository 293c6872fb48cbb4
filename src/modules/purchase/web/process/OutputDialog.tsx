import { useState } from 'react';
import { formatInteger } from '#kit/contract/format.ts';
import { useSend } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { outputProcess, type ProcessRow } from '../../contract/process.ts';
import { refreshProcesses } from './choices.ts';

const Form = outputProcess.body.omit({ id: true, clientId: true });

/** Pieces that came out of the work, good and spoilt; sent twice they count once. */
export function OutputDialog({ order, onClose }: { order: ProcessRow; onClose: () => void }) {
  const left = order.qty - order.done - order.scrapped;
  const [clientId] = useState(() => crypto.randomUUID());
  const form = useForm(Form, { qty: left, scrapped: 0 });
  const send = useSend(outputProcess, {
    quiet: true,
    onSuccess: async (done) => {
      notice.success(done.message);
      await refreshProcesses();
    },
  });
  return (
    <FormDialog
      title={`完工入库 ${order.number}`}
      open
      okText="登记完工"
      form={form}
      onClose={onClose}
      onSubmit={(values) => send.mutateAsync({ body: { ...values, id: order.id, clientId } })}
      fields={{
        qty: { help: `最多还可完工 ${formatInteger(left)}` },
        scrapped: { help: '损耗的用料计入合格品成本' },
        remark: { span: 2 },
      }}
    />
  );
}
