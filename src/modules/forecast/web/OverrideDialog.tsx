import { useSend } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import type { ForecastRow } from '../contract/forecast.ts';
import { OverrideForm, saveOverride } from '../contract/overrides.ts';
import { REFRESHES } from './refresh.ts';

/** 干预: sells so many a day, so much of the model, or so many in all of some days. */
export function OverrideDialog({ rows, onClose }: { rows: readonly ForecastRow[]; onClose: () => void }) {
  const form = useForm(OverrideForm, { mode: 'PCT' });
  const send = useSend(saveOverride, {
    refreshes: REFRESHES,
    quiet: true,
    onSuccess: ({ changed }) => notice.success(`已干预 ${changed} 个商品的预测`),
  });
  const [only] = rows;
  return (
    <FormDialog
      title={rows.length === 1 ? `干预预测 ${only?.product.code ?? ''}` : `干预 ${rows.length} 个商品的预测`}
      open
      form={form}
      onSubmit={(override) => send.mutateAsync({ body: { ids: rows.map(({ id }) => id), override } })}
      onClose={onClose}
    >
      <p className="label">
        每天销量：每天卖多少件，0 表示不卖；按比例：1.2 为模型的 120%；区间总量：按周规律分摊到每一天，已售部分会扣除。
      </p>
    </FormDialog>
  );
}
