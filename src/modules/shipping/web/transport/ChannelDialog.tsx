import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { ChannelForm } from '../../contract/transport/carrier.ts';
import { COUNTRIES } from './shared.ts';

const NEW = {
  mode: 'SEA',
  country: 'US',
  billUnit: 'KG',
  divisor: 6000,
  weightStep: '0.5',
  roundPer: 'BOX',
  minBillable: '0',
  splitRate: '0',
  breakUp: false,
  disabled: false,
};

interface Props {
  /** The channel that is changed; undefined for a new one. */
  channel: ChannelForm | undefined;
  onPut: (channel: ChannelForm) => void;
  onClose: () => void;
}

/** One channel of a carrier; it is written together with him. */
export function ChannelDialog({ channel, onPut, onClose }: Props) {
  const form = useForm(ChannelForm, channel ?? NEW);
  const byVolume = form.values.billUnit === 'CBM';
  return (
    <FormDialog
      title={channel ? '编辑渠道' : '添加渠道'}
      open
      form={form}
      columns={3}
      width={820}
      okText="确定"
      fields={{
        name: { placeholder: '如 美西海派-普船' },
        country: { options: COUNTRIES },
        zone: { span: 3, help: '区域名、仓库代码或邮编的开头，用逗号隔开；留空为全境' },
        divisor: { hidden: byVolume, help: '常用 6000 或 5000' },
        weightStep: { hidden: byVolume, help: '0 为不进位' },
        roundPer: { hidden: byVolume },
        splitRate: { hidden: byVolume, help: '50% 即半泡' },
        kgPerCbm: { hidden: !byVolume, help: '留空只看体积' },
        breakUp: { help: '高一档更便宜时按高档收' },
        minBillable: { help: byVolume ? '整票，m³' : '整票，kg' },
      }}
      onSubmit={async (values) => onPut(values)}
      onClose={onClose}
    />
  );
}
