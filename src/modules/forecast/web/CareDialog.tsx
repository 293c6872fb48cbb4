import { z } from 'zod';
import { useSend } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { Model } from '../contract/fields.ts';
import type { ForecastRow } from '../contract/forecast.ts';
import { saveCare } from '../contract/overrides.ts';
import { REFRESHES } from './refresh.ts';

const CareForm = z.object({
  lockedModel: Model.optional().meta({ ...Model.meta(), title: '固定模型', tip: '不选则由回测择优' }),
  references: z
    .string()
    .trim()
    .max(400, '参考品不能超过400个字符')
    .optional()
    .meta({ title: '参考品MSKU', tip: '同一库存池，多个用逗号分隔，最多 5 个；新品按它们的上市曲线预测' }),
});

/** Which model items keep and which products new ones are like. */
export function CareDialog({ rows, onClose }: { rows: readonly ForecastRow[]; onClose: () => void }) {
  const form = useForm(CareForm, {});
  const send = useSend(saveCare, {
    refreshes: REFRESHES,
    quiet: true,
    onSuccess: ({ changed }) => notice.success(`已保存 ${changed} 个商品，下次计算时生效`),
  });
  return (
    <FormDialog
      title={`${rows.length} 个商品的模型与参考品`}
      open
      form={form}
      columns={1}
      onSubmit={({ lockedModel, references = '' }) =>
        send.mutateAsync({
          body: {
            ids: rows.map(({ id }) => id),
            lockedModel: lockedModel ?? null,
            referenceSkus: references.split(/[,，\s]+/).filter((sku) => sku !== ''),
          },
        })
      }
      onClose={onClose}
    />
  );
}
