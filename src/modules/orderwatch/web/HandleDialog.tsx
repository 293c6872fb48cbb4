import { useSend } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { countFindings, type FindingRow, findingsOfOrder, handleFindings, listFindings } from '../contract/findings.ts';

const Form = handleFindings.body.omit({ ids: true });

/** 处理: what was done about findings. */
export function HandleDialog({ rows, onClose }: { rows: readonly FindingRow[]; onClose: () => void }) {
  const form = useForm(Form, { state: 'HANDLED' });
  const send = useSend(handleFindings, {
    refreshes: [listFindings, countFindings, findingsOfOrder],
    quiet: true,
    onSuccess: ({ changed }) => notice.success(`已处理 ${changed} 条`),
  });
  return (
    <FormDialog
      title={`处理 ${rows.length} 条异常`}
      open
      form={form}
      columns={1}
      okText="保存"
      onSubmit={(values) => send.mutateAsync({ body: { ...values, ids: rows.map(({ id }) => id) } })}
      onClose={onClose}
    />
  );
}
