import { useCall, useSend } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { APPROVE } from '../contract/requests.ts';
import { FinanceSetting, readSetting, saveSetting } from '../contract/setting.ts';

interface Props {
  onClose: () => void;
}

/** How requests are paid; read by everybody, changed by who approves. */
export function SettingDialog({ onClose }: Props) {
  const { data } = useCall(readSetting, {}, { staleTime: 0 });
  return data ? <Loaded setting={data} onClose={onClose} /> : null;
}

function Loaded({ setting, onClose }: Props & { setting: FinanceSetting }) {
  const disabled = !useAllowed(APPROVE);
  const form = useForm(FinanceSetting, setting);
  const send = useSend(saveSetting, {
    refreshes: [readSetting],
    onSuccess: () => notice.success('请款设置已保存'),
    quiet: true,
  });
  return (
    <FormDialog
      title="请款设置"
      open
      form={form}
      onClose={onClose}
      onSubmit={(values) => (disabled ? Promise.resolve() : send.mutateAsync({ body: values }))}
      okText={disabled ? '关闭' : '保存'}
      fields={{ separatePayer: { disabled, help: '没有其他付款人时不限制', span: 2 } }}
    />
  );
}
