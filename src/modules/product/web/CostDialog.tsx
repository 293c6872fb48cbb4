import { useEffect } from 'react';
import { cacheKey, call, queryClient, uuid } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { costHistory, countCosts, listCosts, saveCost } from '../contract.ts';

/** A cost from a day on; for a SKU that is not there yet also its name. */
export function CostDialog({ open, sku, onClose }: { open: boolean; sku?: string; onClose: () => void }) {
  const form = useForm(saveCost.body, { sku: sku ?? '' });
  const { reset } = form;
  useEffect(() => {
    // Every opening begins empty, for the SKU that is shown.
    if (open) reset({ sku: sku ?? '' });
  }, [open, sku, reset]);
  return (
    <FormDialog
      title="新增采购成本"
      open={open}
      form={form}
      fields={{
        sku: { disabled: sku !== undefined },
        unitCost: { prefix: '¥', help: '每件，人民币' },
        validFrom: { help: '留空：首次录入一直有效，之后为更正当前成本' },
        name: { hidden: sku !== undefined },
      }}
      onSubmit={async (body) => {
        await call(saveCost, { body }, { quiet: true, idempotencyKey: uuid() });
        const old = [listCosts, countCosts, costHistory];
        await Promise.all(old.map((each) => queryClient.invalidateQueries({ queryKey: cacheKey(each) })));
      }}
      onClose={onClose}
    />
  );
}
