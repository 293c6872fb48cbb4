import { useCall, useSend } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { selectTags } from '#modules/system/contract/tags.ts';
import {
  countAlerts,
  deleteAlertRule,
  listAlerts,
  RuleRow,
  readAlertRules,
  saveAlertRule,
} from '../contract/alerts.ts';

const REFRESHES = [readAlertRules, listAlerts, countAlerts];
const Form = saveAlertRule.body.omit({ version: true });
const Row = RuleRow.extend({ version: RuleRow.shape.version.meta({ title: '操作', width: 70 }) });

/** 预警设置: thresholds of the company, an account, an owner or a tag; the narrowest one counts. */
export function RulesDialog({ onClose }: { onClose: () => void }) {
  const { data } = useCall(readAlertRules, {}, { staleTime: 0 });
  const { data: tags } = useCall(selectTags, {}, { staleTime: 60_000 });
  const form = useForm(Form, { scope: 'COMPANY', enabled: true });
  const { kind, scope } = form.values;
  const chosen = data?.kinds.find((one) => one.code === kind);
  const save = useSend(saveAlertRule, {
    refreshes: REFRESHES,
    quiet: true,
    onSuccess: () => notice.success('规则已保存，正在重新检查'),
  });
  const drop = useSend(deleteAlertRule, { refreshes: REFRESHES, onSuccess: () => notice.success('规则已删除') });
  const objects = {
    ACCOUNT: data?.scopes.accounts,
    OWNER: data?.scopes.owners,
    TAG: tags?.map(({ id, name }) => ({ value: id, label: name })),
  }[String(scope)];
  const help = chosen && `${chosen.below ? '不高于' : '不低于'}时预警，默认 ${chosen.threshold} ${chosen.unit}`;
  return (
    <FormDialog
      title="预警设置"
      open
      width={760}
      form={form}
      okText="保存规则"
      fields={{
        kind: { options: data?.kinds.map(({ code, title }) => ({ value: code, label: title })) ?? [] },
        scopeId: { options: objects ?? [], hidden: scope === 'COMPANY' },
        threshold: { help },
      }}
      onSubmit={(values) =>
        save.mutateAsync({ body: { ...values, scopeId: scope === 'COMPANY' ? null : values.scopeId, version: 0 } })
      }
      onClose={onClose}
    >
      <LineTable
        label="已设置的规则"
        row={Row}
        rows={data?.rules}
        none="没有设置，全部按默认阈值"
        columns={{
          version: {
            render: ({ id, version }) => (
              <button type="button" className="link" onClick={() => drop.mutate({ body: { id, version } })}>
                删除
              </button>
            ),
          },
        }}
      />
      <p className="label">标签 › 负责人 › 店铺授权 › 全公司，范围越小越优先。</p>
    </FormDialog>
  );
}
