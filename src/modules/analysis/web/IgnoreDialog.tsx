import { useSend } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { countIssues, type IssueRow, ignoreListingIssues, listIssues } from '../contract/issues.ts';

const Form = ignoreListingIssues.body.omit({ ids: true });

/** 忽略: issues that are known and shall not wait in the list until a day is over. */
export function IgnoreDialog({ rows, onClose }: { rows: readonly IssueRow[]; onClose: () => void }) {
  const form = useForm(Form, {});
  const send = useSend(ignoreListingIssues, {
    refreshes: [listIssues, countIssues],
    onSuccess: ({ count }) => notice.success(`已忽略 ${count} 个问题`),
  });
  return (
    <FormDialog
      title={`忽略 ${rows.length} 个问题`}
      open
      form={form}
      okText="忽略"
      onSubmit={(body) => send.mutateAsync({ body: { ...body, ids: rows.map(({ id }) => id) } })}
      onClose={onClose}
    >
      <p className="label">到期后仍未消除的问题重新待处理；亚马逊的处置不受影响。</p>
    </FormDialog>
  );
}
