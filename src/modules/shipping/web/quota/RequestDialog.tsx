import { call } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { requestQuota } from '../../contract/quota/calls.ts';
import { type QuotaRow, RequestForm, RoomUnit } from '../../contract/quota/fields.ts';
import { refreshQuotas } from './shared.ts';

/** 申请额度: notes what Amazon was asked for in Seller Central. */
export function RequestDialog({ quota, onClose }: { quota: QuotaRow; onClose: () => void }) {
  const form = useForm(RequestForm, {});
  const unit = RoomUnit.meta()?.states?.[quota.unit]?.title ?? quota.unit;
  return (
    <FormDialog
      title="申请额度"
      open
      form={form}
      fields={{
        wanted: { help: `在现有额度上增加，单位 ${unit}` },
        fee: { help: `愿意支付的最高预留费合计，${quota.currency}` },
        remark: { span: 2 },
      }}
      onSubmit={async (values) => {
        await call(requestQuota, { body: { ...values, id: quota.id } }, { quiet: true });
        notice.success('申请已登记');
        await refreshQuotas();
      }}
      onClose={onClose}
    />
  );
}
