import type { z } from 'zod';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { listCash, readForecast } from '../contract/forecast.ts';
import { CashSetting, readCashSetting, saveCashSetting } from '../contract/setting.ts';

interface Props {
  onClose: () => void;
}

/** Below what balance days are marked, and how long the bank takes. */
export function SettingDialog({ onClose }: Props) {
  const { data } = useCall(readCashSetting, {}, { staleTime: 0 });
  return data ? <Loaded setting={data} onClose={onClose} /> : null;
}

function Loaded({ setting, onClose }: Props & { setting: z.output<typeof readCashSetting.reply> }) {
  const form = useForm(CashSetting, setting);
  const send = useSend(saveCashSetting, {
    refreshes: [readCashSetting, readForecast, listCash],
    onSuccess: () => notice.success('现金流预测设置已保存'),
    quiet: true,
  });
  return (
    <FormDialog
      title="现金流预测设置"
      open
      form={form}
      onClose={onClose}
      onSubmit={(values) => send.mutateAsync({ body: { ...values, version: setting.version } })}
      okText="保存"
    />
  );
}
