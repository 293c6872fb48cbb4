import { useRef } from 'react';
import { formatMoney } from '#kit/contract/format.ts';
import { cacheKey, call, queryClient, uuid } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { addLayerCost, CostForm, listRevaluations } from '../contract/costs.ts';
import { type LayerRow, listLayers } from '../contract/inventory.ts';

/** 成本补录: a cost that came late, for the pieces of one layer. */
export function CostDialog({ row, onClose }: { row: LayerRow; onClose: () => void }) {
  const form = useForm(CostForm, { component: 'firstLeg', final: true });
  const clientId = useRef(uuid());
  return (
    <FormDialog
      title={`补录成本：${row.product.code}（${row.number}）`}
      open
      form={form}
      okText="补录"
      fields={{
        amount: { help: `这批共 ${row.qtyIn} 件的总额，人民币；冲减填负数` },
        final: { help: '暂估转为已结' },
        reason: { span: 2 },
      }}
      onSubmit={async (values) => {
        const body = { ...values, layerId: row.id, clientId: clientId.current };
        const options = { quiet: true, idempotencyKey: clientId.current };
        const { number, toLayers, variance } = await call(addLayerCost, { body }, options);
        notice.success(`${number}：计入库存 ${formatMoney(toLayers, 'CNY')}，成本差异 ${formatMoney(variance, 'CNY')}`);
        for (const each of [listLayers, listRevaluations]) {
          await queryClient.invalidateQueries({ queryKey: cacheKey(each) });
        }
      }}
      onClose={onClose}
    />
  );
}
