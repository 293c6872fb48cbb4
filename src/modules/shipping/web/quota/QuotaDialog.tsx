import { call } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { saveQuota } from '../../contract/quota/calls.ts';
import { QuotaForm, type QuotaRow, unitOf } from '../../contract/quota/fields.ts';
import { toOptions, useShipChoices } from '../choices.ts';
import { refreshQuotas } from './shared.ts';

interface Props {
  /** The room that is corrected; undefined for a new one. */
  quota: QuotaRow | undefined;
  /** Month of a new one, yyyy-MM. */
  month: string;
  onClose: () => void;
}

const valuesOf = ({ accountId, marketplaceId, storageType, month, entered, unit, remark }: QuotaRow) => ({
  authid: accountId,
  marketplaceId,
  storageType,
  month,
  room: entered,
  unit,
  remark,
});

/** 仓容额度 as Amazon states it in Seller Central. */
export function QuotaDialog({ quota, month, onClose }: Props) {
  const choices = useShipChoices();
  const form = useForm(QuotaForm, quota ? valuesOf(quota) : { storageType: 'STANDARD', month });
  const sites = choices?.stores.find(({ id }) => id === form.values.authid)?.sites ?? [];
  // The unit follows the site, until somebody chooses another one.
  const set = (key: string, value: unknown) => {
    form.set(key, value);
    const site = sites.find(({ marketplaceId }) => key === 'marketplaceId' && marketplaceId === value);
    if (site) form.set('unit', unitOf(site.country));
    if (key === 'authid') form.set('marketplaceId', undefined);
  };
  const fixed = quota !== undefined;
  return (
    <FormDialog
      title={quota ? '编辑仓容额度' : '新增仓容额度'}
      open
      form={{ ...form, set }}
      fields={{
        authid: { options: toOptions(choices?.stores), disabled: fixed },
        marketplaceId: {
          options: sites.map(({ marketplaceId, country }) => ({ value: marketplaceId, label: country })),
          disabled: fixed,
          help: '欧盟各站点共用一个额度',
        },
        storageType: { disabled: fixed },
        month: { placeholder: '如 2026-01', disabled: fixed },
        room: { help: '卖家后台显示的额度，不含申请获批的部分' },
        unit: { help: '美国站为立方英尺' },
        remark: { span: 2 },
      }}
      onSubmit={async (written) => {
        const known = quota ? { id: quota.id, version: quota.version } : {};
        await call(saveQuota, { body: { ...written, ...known } }, { quiet: true });
        notice.success('仓容额度已保存');
        await refreshQuotas();
      }}
      onClose={onClose}
    />
  );
}
