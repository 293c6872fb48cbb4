import { useEffect } from 'react';
import { cacheKey, call, queryClient, uuid } from '#kit/web/api/index.ts';
import { FormDialog, type FormOption, useForm } from '#kit/web/form/index.ts';
import { listWarehouses, saveWarehouse, WarehouseForm, type WarehouseRow, warehouseChoices } from '../contract/base.ts';

interface Props {
  /** The warehouse to change; undefined for a new one. */
  row: WarehouseRow | undefined;
  open: boolean;
  addresses: readonly FormOption[];
  onClose: () => void;
}

function valuesOf(row: WarehouseRow | undefined) {
  if (!row) return { kind: 'LOCAL', quality: 'GOOD', country: 'CN' };
  const { name, code, kind, quality, country, addressId, remark } = row;
  return { name, code, kind, quality, country, addressId, remark, group: row.group ?? undefined };
}

/** Adds or changes a warehouse. */
export function WarehouseDialog({ row, open, addresses, onClose }: Props) {
  const form = useForm(WarehouseForm, valuesOf(undefined));
  const { reset } = form;
  useEffect(() => {
    if (open) reset(valuesOf(row));
  }, [open, row, reset]);
  return (
    <FormDialog
      title={row ? '编辑仓库' : '新增仓库'}
      open={open}
      form={form}
      fields={{
        group: { help: '同一地点的仓位填相同的仓库名', placeholder: '例如 深圳仓' },
        quality: { help: '决定仓位能存放的库存状态' },
        addressId: { options: addresses },
        country: { help: '两位国家代码' },
      }}
      onSubmit={async (values) => {
        const known = row ? { id: row.id, version: row.version } : {};
        await call(saveWarehouse, { body: { ...values, ...known } }, { quiet: true, idempotencyKey: uuid() });
        for (const each of [listWarehouses, warehouseChoices]) {
          await queryClient.invalidateQueries({ queryKey: cacheKey(each) });
        }
      }}
      onClose={onClose}
    />
  );
}
