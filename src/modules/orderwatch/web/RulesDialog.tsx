import { useCall, useSend } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { readWatchRules, saveWatchRule, WatchRule } from '../contract/findings.ts';

const Form = saveWatchRule.body.omit({ version: true });

/** 异常规则: from which figure on an order is odd. A row that is chosen comes into the form. */
export function RulesDialog({ onClose }: { onClose: () => void }) {
  const { data } = useCall(readWatchRules, {}, { staleTime: 0 });
  const form = useForm(Form, { enabled: true });
  const chosen = data?.find(({ kind }) => kind === form.values.kind);
  const save = useSend(saveWatchRule, {
    refreshes: [readWatchRules],
    quiet: true,
    onSuccess: () => notice.success('规则已保存，正在重新检查'),
  });
  return (
    <FormDialog
      title="异常规则"
      open
      width={820}
      form={form}
      okText="保存规则"
      fields={{
        threshold: { help: chosen && `${chosen.help}，不低于阈值（${chosen.unit}）时为异常；默认 ${chosen.usual}` },
      }}
      onSubmit={(values) => save.mutateAsync({ body: { ...values, version: chosen?.version ?? 0 } })}
      onClose={onClose}
    >
      <LineTable
        label="规则"
        row={WatchRule}
        rows={data}
        rowId={({ kind }) => kind}
        onOpen={({ kind, threshold, enabled }) => form.reset({ kind, threshold, enabled })}
      />
      <p className="label">双击一行修改；保存后重新检查最近 60 天的订单。</p>
    </FormDialog>
  );
}
