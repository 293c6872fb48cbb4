import { z } from 'zod';
import { useSend } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { type DeadRow, ignoreDeadWork, listDead } from '../../contract/quarantine.ts';

const Reason = z.object({
  reason: z.string({ error: '请填写原因' }).trim().min(1, '请填写原因').max(200).meta({ title: '原因' }),
});

/** Leaves a failed submission or notification as it is, with a reason. */
export function IgnoreDead({ row, onClose }: { row: DeadRow; onClose: () => void }) {
  const form = useForm(Reason, {});
  const send = useSend(ignoreDeadWork, {
    refreshes: [listDead],
    quiet: true,
    onSuccess: () => notice.success('已忽略'),
  });
  const kind = row.kind === 'feed' ? 'feed' : 'notice';
  return (
    <FormDialog
      title={`忽略${row.title}`}
      open
      form={form}
      okText="忽略"
      columns={1}
      onSubmit={({ reason }) => send.mutateAsync({ body: { items: [{ kind, id: row.id }], reason } })}
      onClose={onClose}
    />
  );
}
