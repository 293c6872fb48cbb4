import { useRef } from 'react';
import { formatMoney } from '#kit/contract/format.ts';
import { useSend, uuid } from '#kit/web/api/index.ts';
import { FormDialog, ReasonDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { CostForm, reloadFreight, setBatchCost } from '../contract/batch.ts';
import type { BatchRow } from '../contract/batches.ts';
import { Component } from '../contract/fields.ts';
import { refreshBatches } from './refresh.ts';

interface Props {
  row: BatchRow;
  onClose: () => void;
}

async function say({ number, toLayers, variance }: { number: string; toLayers: string; variance: string }) {
  notice.success(`${number}：计入库存 ${formatMoney(toLayers, 'CNY')}，成本差异 ${formatMoney(variance, 'CNY')}`);
  await refreshBatches();
}

/** 修改成本: a new sum for one part of a batch's cost, in all or a piece. */
export function CostDialog({ row, onClose }: Props) {
  const form = useForm(CostForm, { component: 'purchase', by: 'TOTAL' });
  const clientId = useRef(uuid());
  const send = useSend(setBatchCost, { quiet: true });
  const part = Component.safeParse(form.values.component).data ?? 'purchase';
  const before = row[part] ?? '0';
  return (
    <FormDialog
      title={`修改成本：${row.msku}（${row.number}）`}
      open
      form={form}
      okText="修改"
      fields={{
        value: { help: `当前总额 ${formatMoney(before, 'CNY')}，共 ${row.shipped} 件` },
        reason: { span: 2 },
      }}
      onSubmit={async (values) => {
        await say(await send.mutateAsync({ body: { ...values, id: row.id, before, clientId: clientId.current } }));
      }}
      onClose={onClose}
    />
  );
}

/** 重算运费: the first leg as the bills of the ship order have it now. */
export function FreightDialog({ row, onClose }: Props) {
  const clientId = useRef(uuid());
  const send = useSend(reloadFreight, { quiet: true });
  return (
    <ReasonDialog
      title={`重算运费：${row.msku}（${row.number}）`}
      okText="重算"
      onSend={async (reason) => {
        await say(await send.mutateAsync({ body: { id: row.id, reason, clientId: clientId.current } }));
      }}
      onClose={onClose}
    >
      头程成本改为发货单已确认物流账单的分摊额；手工改过的头程成本不再保留。
    </ReasonDialog>
  );
}
