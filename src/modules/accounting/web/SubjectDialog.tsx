import { useSend } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { applyTemplate, SubjectForm, type SubjectRow, saveSubject, TemplateForm } from '../contract/subjects.ts';
import { SUBJECT_READS } from './refresh.ts';

interface Props {
  /** The subject that is changed; undefined: a new one, below `parent` where there is one. */
  of?: SubjectRow | undefined;
  parent?: SubjectRow | undefined;
  onClose: () => void;
}

/** A subject in a form. */
export function SubjectDialog({ of, parent, onClose }: Props) {
  const below = parent && { code: parent.code, kind: parent.kind, direction: parent.direction };
  const form = useForm(SubjectForm, of ?? below ?? { kind: 'ASSET', direction: 'DEBIT' });
  const send = useSend(saveSubject, {
    refreshes: SUBJECT_READS,
    quiet: true,
    onSuccess: () => notice.success('科目已保存'),
  });
  const title = of ? `修改 ${of.code} ${of.name}` : parent ? `新增 ${parent.code} ${parent.name} 的下级` : '新增科目';
  return (
    <FormDialog
      title={title}
      open
      form={form}
      fields={{
        code: { help: parent ? `${parent.code} 后加两位，如 ${parent.code}01` : '一级 4 位，每下一级加 2 位' },
        kind: { help: '下级科目随上级' },
      }}
      onSubmit={(subject) => send.mutateAsync({ body: { subject, ...(of ? { id: of.id, version: of.version } : {}) } })}
      onClose={onClose}
    />
  );
}

/** Opens the books with the chart of accounts of the standard. */
export function TemplateDialog({ startMonth, onClose }: { startMonth: string; onClose: () => void }) {
  const form = useForm(TemplateForm, { startMonth });
  const send = useSend(applyTemplate, {
    refreshes: SUBJECT_READS,
    quiet: true,
    onSuccess: ({ count }) => notice.success(count > 0 ? `已新增 ${count} 个科目` : '科目已齐全'),
  });
  return (
    <FormDialog
      title="套用小企业会计准则科目"
      open
      form={form}
      columns={1}
      okText="套用"
      fields={{ startMonth: { placeholder: '2026-01', help: '账簿从这个月开始，如 2026-01；有凭证后不能更改' } }}
      onSubmit={(body) => send.mutateAsync({ body })}
      onClose={onClose}
    >
      <p className="label">新增缺少的一级科目和跨境电商常用的二级科目；已有的科目不变，可重复套用。</p>
    </FormDialog>
  );
}
