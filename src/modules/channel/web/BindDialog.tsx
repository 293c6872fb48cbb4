import { useState } from 'react';
import { useSend } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { ProductPicker } from '#modules/product/web/index.ts';
import { BindInput, type BindingRow, bindSku } from '../contract/bindings.ts';
import { refreshSales } from './refresh.ts';

interface Props {
  rows: readonly BindingRow[];
  onClose: () => void;
}

/** 配对: which product, and how many pieces of it, one unit of SKUs of shops is, from a day on. */
export function BindDialog({ rows, onClose }: Props) {
  const [only, other] = rows;
  const first = other ? undefined : only;
  const known = first?.productId ? { id: first.productId, label: first.product?.code ?? '' } : undefined;
  const [picked, setPicked] = useState(known);
  const form = useForm(BindInput, { units: first?.units ?? 1, ...(known ? { productId: known.id } : {}) });
  const send = useSend(bindSku, {
    quiet: true,
    onSuccess: ({ bound }) => {
      notice.success(`已配对 ${bound} 个平台SKU，销量稍后更新`);
      refreshSales();
    },
  });
  return (
    <FormDialog
      title={first ? `配对 ${first.platformSku}` : `配对 ${rows.length} 个平台SKU`}
      open
      form={form}
      columns={1}
      okText="保存配对"
      fields={{
        productId: {
          render: ({ onChange }) => (
            <ProductPicker
              value={picked}
              onPick={({ id, sku, name }) => {
                setPicked({ id, label: `${sku} ${name}` });
                onChange(id);
              }}
            />
          ),
        },
        units: { help: '一件平台SKU含多少件本地产品；组合产品按其子件拆解' },
        validFrom: { help: '不填：一直有效，过去的销量也按此计算，并取代之前的配对' },
      }}
      onSubmit={(values) =>
        send.mutateAsync({
          body: { ...values, skus: rows.map(({ shopId, platformSku }) => ({ shopId, platformSku })) },
        })
      }
      onClose={onClose}
    />
  );
}
