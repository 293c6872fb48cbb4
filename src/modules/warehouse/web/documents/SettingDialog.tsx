import { useCall, useSend } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { DocumentSetting, readSetting, saveSetting } from '../../contract/documents/choices.ts';

interface Props {
  onClose: () => void;
}

/** How the company handles its documents; read by everybody, changed by who keeps the warehouses. */
export function SettingDialog({ onClose }: Props) {
  const { data } = useCall(readSetting, {}, { staleTime: 0 });
  return data ? <Loaded setting={data} onClose={onClose} /> : null;
}

function Loaded({ setting, onClose }: Props & { setting: DocumentSetting }) {
  const disabled = !useAllowed('erp:wh:base:edit');
  const form = useForm(DocumentSetting, setting);
  const send = useSend(saveSetting, {
    refreshes: [readSetting],
    onSuccess: () => notice.success('单据设置已保存'),
    quiet: true,
  });
  return (
    <FormDialog
      title="单据设置"
      open
      form={form}
      onClose={onClose}
      onSubmit={(values) => (disabled ? Promise.resolve() : send.mutateAsync({ body: values }))}
      okText={disabled ? '关闭' : '保存'}
      fields={{
        separateApprover: { disabled, help: '没有其他审核人时不限制', span: 2 },
        receiveTolerance: { disabled, help: '收货可超过应收的比例', span: 2 },
        recountShare: { disabled, help: '与差异金额都超过时须复盘' },
        recountAmount: { disabled, help: '差异数量乘以成本，人民币' },
        holdDays: { disabled, help: '到期未拣的预留自动释放，0 为不过期', span: 2 },
      }}
    />
  );
}
