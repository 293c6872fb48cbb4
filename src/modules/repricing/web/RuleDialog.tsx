import { useEffect } from 'react';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { ruleDetail, saveRule } from '../contract/rules.ts';
import { DEFAULTS } from '../contract/settings.ts';
import { REFRESHES } from './refreshes.ts';

const Form = saveRule.body.omit({ id: true });

/** A rule in a form: an id changes that one, `copy` begins a new one with its settings, 'new' with the usual ones. */
export function RuleDialog({ of, onClose }: { of: { id?: string; copy?: boolean } | undefined; onClose: () => void }) {
  const form = useForm(Form, { ...DEFAULTS, name: '' });
  const { reset } = form;
  const { data } = useCall(
    ruleDetail,
    { params: { id: of?.id ?? '' } },
    { enabled: of?.id !== undefined, staleTime: 0 },
  );
  const ready = of !== undefined && (of.id === undefined || data?.id === of.id);
  const copy = of?.copy === true;
  useEffect(() => {
    if (!ready) return;
    if (!data || of?.id === undefined) reset({ ...DEFAULTS, name: '' });
    else reset({ ...data, name: copy ? `${data.name} 副本` : data.name });
  }, [ready, data, of?.id, copy, reset]);
  const send = useSend(saveRule, {
    quiet: true,
    refreshes: REFRESHES,
    onSuccess: () => notice.success('规则已保存'),
  });
  const known = of?.id === undefined || copy || !data ? {} : { id: data.id, version: data.version };
  return (
    <FormDialog
      title={of?.id === undefined || copy ? '新建智能调价规则' : '修改智能调价规则'}
      open={ready}
      width={860}
      columns={3}
      form={form}
      fields={{
        name: { span: 3 },
        excludedSellers: { span: 3 },
        weekdays: { help: '站点时间，留空为每天' },
        minPositive: { help: '0 为不限' },
        dailyDrop: { help: '0 为不限' },
      }}
      onSubmit={(values) => send.mutateAsync({ body: { ...values, ...known } })}
      onClose={onClose}
    />
  );
}
