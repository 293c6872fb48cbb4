import { z } from 'zod';
import { useSend } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { countAside, ignoreAside, listAside } from '../../contract/quarantine.ts';

const Reason = z.object({
  reason: z.string({ error: '请填写原因' }).trim().min(1, '请填写原因').max(200).meta({ title: '原因' }),
});

/** Rows are left out for good only with a reason. */
export function IgnoreDialog({ ids, onClose }: { ids: readonly string[]; onClose: () => void }) {
  const form = useForm(Reason, {});
  const send = useSend(ignoreAside, {
    refreshes: [listAside, countAside],
    quiet: true,
    onSuccess: ({ count }) => notice.success(`已忽略 ${count} 行`),
  });
  return (
    <FormDialog
      title={`忽略 ${ids.length} 行`}
      open
      form={form}
      okText="忽略"
      columns={1}
      onSubmit={({ reason }) => send.mutateAsync({ body: { ids: [...ids], reason } })}
      onClose={onClose}
    />
  );
}
