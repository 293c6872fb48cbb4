import { Button, Tooltip } from 'antd';
import { useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { useSend } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { EDIT } from '../contract/calculator.ts';
import { listEstimates, saveEstimate } from '../contract/estimates.ts';
import type { Calculation } from './use-calculation.ts';

const Form = saveEstimate.body.pick({ remark: true });

/** Keeps what the calculator shows for the product that was picked. */
export function SaveEstimate({ calculation }: { calculation: Calculation }) {
  const [open, setOpen] = useState(false);
  const form = useForm(Form, {});
  const { picked, typed, sites, sentPlanId } = calculation;
  const send = useSend(saveEstimate, {
    quiet: true,
    refreshes: [listEstimates],
    onSuccess: ({ countries }) => notice.success(`已保存 ${countries} 个站点的测算`),
  });
  return (
    <Allowed code={EDIT}>
      <Tooltip title={picked ? '' : '先选择产品，测算保存在产品名下'}>
        <Button type="primary" disabled={!picked} onClick={() => setOpen(true)}>
          保存测算
        </Button>
      </Tooltip>
      {picked && (
        <FormDialog
          title={`保存测算：${picked.sku}`}
          open={open}
          form={form}
          columns={1}
          fields={{ remark: { placeholder: '例如：旺季定价' } }}
          onSubmit={({ remark }) =>
            send.mutateAsync({
              body: {
                productId: picked.id,
                typed,
                sites,
                ...(remark ? { remark } : {}),
                ...(sentPlanId ? { planId: sentPlanId } : {}),
              },
            })
          }
          onClose={() => setOpen(false)}
        />
      )}
    </Allowed>
  );
}
