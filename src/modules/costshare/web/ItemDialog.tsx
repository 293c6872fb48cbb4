import { useSend } from '#kit/web/api/index.ts';
import { companyDay } from '#kit/web/day.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import { ItemForm, type ItemRow, saveItemFee } from '../contract/item.ts';
import { useTypeOptions } from './fee-types.ts';
import { refreshCosts } from './refresh.ts';

/** What a form begins with: a cost as it stands, or a new one of today. */
function startOf(row: ItemRow | undefined) {
  if (!row) return { day: companyDay(), currency: 'CNY' };
  const { storeKey: store, sku, feeType, day, currency, amount, remark } = row;
  return { store, sku, feeType, day, currency, amount, remark };
}

/** A cost of one SKU on one day: booked at once, changed as one mirror and one new booking. */
export function ItemDialog({ row, onClose }: { row?: ItemRow | undefined; onClose: () => void }) {
  const form = useForm(ItemForm, startOf(row));
  const sites = useSiteOptions();
  const types = useTypeOptions();
  const send = useSend(saveItemFee, { quiet: true });
  // A name that was stopped stays with the costs that have it.
  const own = row && types.every(({ value }) => value !== row.feeType) ? [row.feeType] : [];
  return (
    <FormDialog
      title={row ? '修改其他成本' : '添加其他成本'}
      okText="保存"
      open
      form={form}
      fields={{
        store: { options: sites ?? [] },
        feeType: { options: [...types, ...own.map((name) => ({ value: name, label: name }))] },
        amount: { help: '计入当日该 SKU 的利润' },
        remark: { span: 2 },
      }}
      onSubmit={async (values) => {
        const body = { ...values, ...(row ? { id: row.id, version: row.version } : {}) };
        notice.success((await send.mutateAsync({ body })).message);
        await refreshCosts();
      }}
      onClose={onClose}
    />
  );
}
