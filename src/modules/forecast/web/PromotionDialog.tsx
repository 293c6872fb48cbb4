import { Select } from 'antd';
import { useSend } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import { listPromotionDays, PromotionForm, type PromotionRow, savePromotion } from '../contract/promotions.ts';

/** A promotion in a form: `of` is the one that is changed, else a new one. */
export function PromotionDialog({ of, onClose }: { of?: PromotionRow | undefined; onClose: () => void }) {
  const sites = useSiteOptions();
  const form = useForm(PromotionForm, of ? { ...of, expected: of.expected ?? '' } : { kind: 'deal', skus: [] });
  const send = useSend(savePromotion, {
    refreshes: [listPromotionDays],
    quiet: true,
    onSuccess: () => notice.success('已保存，下次计算预测时生效'),
  });
  return (
    <FormDialog
      title={of ? `修改 ${of.name}` : '新增促销活动'}
      open
      form={form}
      fields={{
        site: { options: sites ?? [], span: 1 },
        expected: { placeholder: '按历史同类活动', help: '活动期间销量是平时的几倍' },
        skus: {
          span: 2,
          help: '不填为该站点全部商品；可粘贴多个，用逗号、空格或换行分隔',
          render: ({ id, value, onChange }) => (
            <Select
              id={id}
              mode="tags"
              style={{ width: '100%' }}
              open={false}
              suffixIcon={null}
              maxTagCount={12}
              tokenSeparators={[',', '，', ' ', '\n', '\t']}
              placeholder="MSKU"
              value={Array.isArray(value) ? value.map(String) : []}
              onChange={onChange}
            />
          ),
        },
      }}
      onSubmit={(promotion) =>
        send.mutateAsync({ body: { promotion, ...(of ? { id: of.id, version: of.version } : {}) } })
      }
      onClose={onClose}
    />
  );
}
