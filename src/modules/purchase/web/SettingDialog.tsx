import { useCall, useSend } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { APPROVE } from '../contract/fields.ts';
import { PurchaseSetting, readSetting, saveSetting } from '../contract/setting.ts';

interface Props {
  onClose: () => void;
}

/** How the company buys; read by everybody, changed by who approves. */
export function SettingDialog({ onClose }: Props) {
  const { data } = useCall(readSetting, {}, { staleTime: 0 });
  return data ? <Loaded setting={data} onClose={onClose} /> : null;
}

function Loaded({ setting, onClose }: Props & { setting: PurchaseSetting }) {
  const disabled = !useAllowed(APPROVE);
  const form = useForm(PurchaseSetting, setting);
  const send = useSend(saveSetting, {
    refreshes: [readSetting],
    onSuccess: () => notice.success('采购设置已保存'),
    quiet: true,
  });
  return (
    <FormDialog
      title="采购设置"
      open
      form={form}
      onClose={onClose}
      onSubmit={(values) => (disabled ? Promise.resolve() : send.mutateAsync({ body: values }))}
      okText={disabled ? '关闭' : '保存'}
      fields={{
        separateApprover: { disabled, help: '没有其他审核人时不限制', span: 2 },
        receiveTolerance: { disabled, help: '到货可超过订购的比例，下单时确定' },
        priceRise: { disabled, help: '高于近3次均价的比例' },
        changeTolerance: { disabled, help: '变更后总额的增幅' },
      }}
    />
  );
}
