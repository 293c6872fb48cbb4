import { useState } from 'react';
import { call, uuid } from '#kit/web/api/index.ts';
import { companyDay } from '#kit/web/day.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { addCard } from '../../contract/transport/calls.ts';
import { CardForm, CardInput, type ChannelRow } from '../../contract/transport/price.ts';
import { type FeeDraft, FeeLines, type TierDraft, TierLines } from './CardLines.tsx';
import { refreshCarriers } from './shared.ts';

const Lines = CardInput.pick({ tiers: true, fees: true });

/** 新增价卡: a new version of a channel's prices, beginning with those that it has. */
export function CardDialog({ channel, onClose }: { channel: ChannelRow; onClose: () => void }) {
  const { card } = channel;
  const { currency = 'CNY', fuel = '0', minCharge = '0' } = card ?? {};
  const form = useForm(CardForm, { validFrom: companyDay(), currency, fuel, minCharge });
  const [tiers, setTiers] = useState<TierDraft[]>(card?.tiers ?? [{ from: null, to: null, price: null }]);
  const [fees, setFees] = useState<FeeDraft[]>(card?.fees ?? []);
  return (
    <FormDialog
      title={`新增价卡 · ${channel.name}`}
      open
      form={form}
      columns={3}
      width={720}
      fields={{ remark: { span: 3 }, validFrom: { help: '从这天起替代之前的价卡' } }}
      onSubmit={async (values) => {
        const lines = Lines.safeParse({
          tiers: tiers.map(({ from, to, price }) => ({ from: from ?? '', to, price: price ?? '' })),
          fees: fees.map((fee) => ({ ...fee, amount: fee.amount ?? '' })),
        });
        if (!lines.success) {
          const [issue] = lines.error.issues;
          const at = issue?.path[1];
          const words =
            typeof at === 'number' ? `${issue?.path[0] === 'tiers' ? '阶梯' : '费用'}第 ${at + 1} 行：` : '';
          notice.error(`${words}${issue?.message}`);
          throw lines.error;
        }
        const body = { ...values, ...lines.data, channelId: channel.id };
        const { added, seq } = await call(addCard, { body }, { quiet: true, idempotencyKey: uuid() });
        if (added) notice.success(`已新增第 ${seq} 版价卡`);
        else notice.warning('与最新一版价卡相同，没有新增');
        await refreshCarriers();
      }}
      onClose={onClose}
    >
      <TierLines unit={channel.billUnit === 'CBM' ? 'm³' : 'kg'} tiers={tiers} onChange={setTiers} />
      <FeeLines fees={fees} onChange={setFees} />
    </FormDialog>
  );
}
