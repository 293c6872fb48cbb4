import { useCall, useSend } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { GradingForm, readGrading, saveGrading } from '../contract/grading.ts';
import { GRADE, supplierScorecard } from '../contract.ts';

interface Props {
  onClose: () => void;
}

/** 评级设置: read by everybody who sees suppliers, changed by who gives grades. */
export function GradingDialog({ onClose }: Props) {
  const { data } = useCall(readGrading, {}, { staleTime: 0 });
  if (!data) return null;
  const { firstQuarter, ...form } = data;
  return <Loaded setting={form} firstQuarter={firstQuarter} onClose={onClose} />;
}

function Loaded({ setting, firstQuarter, onClose }: Props & { setting: GradingForm; firstQuarter: string | null }) {
  const disabled = !useAllowed(GRADE);
  const form = useForm(GradingForm, { ...setting });
  const send = useSend(saveGrading, {
    refreshes: [readGrading, supplierScorecard],
    onSuccess: () => notice.success('评级设置已保存'),
    quiet: true,
  });
  return (
    <FormDialog
      title="评级设置"
      open
      form={form}
      columns={3}
      onClose={onClose}
      onSubmit={(values) => (disabled ? Promise.resolve() : send.mutateAsync({ body: values }))}
      okText={disabled ? '关闭' : '保存'}
      fields={{
        automatic: {
          disabled,
          span: 3,
          help: firstQuarter ? `自 ${firstQuarter} 起自动调整` : '开启后自本季度起自动调整，更早的季度只给建议',
        },
        atA: { disabled },
        atB: { disabled },
        atC: { disabled, help: '低于此分为 D 级，不能下单' },
        graceDays: { disabled, span: 3, help: '季度结束后再等几天到货和质检，之后定稿' },
      }}
    />
  );
}
