import { useCall, useSend } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { FreightSetting, readFreightSetting, saveFreightSetting } from '../../contract/freight/calls.ts';
import { FREIGHT_AUDIT } from '../../contract/freight/fields.ts';
import { refreshFreight } from './shared.ts';

interface Props {
  onClose: () => void;
}

/** How the company shares freight bills; read by everybody, changed by who confirms them. */
export function SettingDialog({ onClose }: Props) {
  const { data } = useCall(readFreightSetting, {}, { staleTime: 0 });
  return data ? <Loaded setting={data} onClose={onClose} /> : null;
}

function Loaded({ setting, onClose }: Props & { setting: FreightSetting }) {
  const disabled = !useAllowed(FREIGHT_AUDIT);
  const form = useForm(FreightSetting, setting);
  const send = useSend(saveFreightSetting, {
    onSuccess: async () => {
      notice.success('头程费用设置已保存');
      await refreshFreight();
    },
    quiet: true,
  });
  return (
    <FormDialog
      title="头程费用设置"
      open
      form={form}
      onClose={onClose}
      onSubmit={(values) => (disabled ? Promise.resolve() : send.mutateAsync({ body: values }))}
      okText={disabled ? '关闭' : '保存'}
      fields={{
        base: { disabled, help: '新账单的默认值，可在账单上修改' },
        threshold: { disabled, help: '账单与预估相差超过这个比例时标为差异' },
      }}
    />
  );
}
