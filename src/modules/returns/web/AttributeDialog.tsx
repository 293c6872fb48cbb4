import { useSend } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { shareReturns } from '../contract/reasons.ts';
import { attribute, type ReturnRow, returns } from '../contract/returns.ts';

const Form = attribute.body.omit({ ids: true });

/** 归因: who answers for one return or for many. */
export function AttributeDialog({ rows, onClose }: { rows: readonly ReturnRow[]; onClose: () => void }) {
  const [only] = rows;
  const one = rows.length === 1 ? only : undefined;
  const form = useForm(Form, one?.party ? { party: one.party, note: one.note ?? '' } : {});
  const send = useSend(attribute, {
    refreshes: [returns.list, shareReturns],
    quiet: true,
    onSuccess: ({ changed }) => notice.success(`已归因 ${changed} 条退货`),
  });
  return (
    <FormDialog
      title={one ? `退货归因 ${one.orderId}` : `归因 ${rows.length} 条退货`}
      open
      form={form}
      onSubmit={(judgement) => send.mutateAsync({ body: { ids: rows.map(({ id }) => id), ...judgement } })}
      onClose={onClose}
    />
  );
}
