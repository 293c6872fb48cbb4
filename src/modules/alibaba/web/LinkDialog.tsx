import { Button, Select } from 'antd';
import { useState } from 'react';
import type { Reply } from '#kit/contract/endpoint.ts';
import type { Product } from '#kit/contract/field.ts';
import { formatInteger, formatMoney } from '#kit/contract/format.ts';
import { call, useCall, useSend } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { findGoods, purchaseChoices } from '#modules/purchase/contract/order-calls.ts';
import { type LinkRow, matchOffer, saveLink } from '../contract/index.ts';
import { refreshAlibaba, useBuyerOptions } from './refresh.ts';

const Form = saveLink.body.omit({ id: true, version: true, subject: true, spec: true, seller: true });

interface PickerProps {
  id: string;
  supplierId: string;
  value: unknown;
  known: { id: string; product: Product } | undefined;
  onChange: (id: string) => void;
}

function GoodsSelect({ id, supplierId, value, known, onChange }: PickerProps) {
  const [text, setText] = useState('');
  const { data } = useCall(findGoods, { body: { text, supplierId } }, { keep: true });
  const found = [...(known ? [known] : []), ...(data ?? []).filter((row) => row.id !== known?.id)];
  return (
    <Select
      id={id}
      style={{ width: '100%' }}
      placeholder="输入 SKU 或名称"
      value={(value as string | undefined) ?? null}
      showSearch={{ filterOption: false, onSearch: setText }}
      options={found.map((row) => ({ value: row.id, label: `${row.product.code} ${row.product.name}` }))}
      onChange={onChange}
    />
  );
}

/** Says which offer of a supplier a product is; the offer is asked for at the platform, so that nobody types variants. */
export function LinkDialog({ row, onClose }: { row: LinkRow | undefined; onClose: () => void }) {
  const buyers = useBuyerOptions();
  const { data: choices } = useCall(purchaseChoices, {}, { staleTime: 60_000 });
  const [offer, setOffer] = useState<Reply<typeof matchOffer>>();
  const form = useForm(Form, row ? { ...row } : { specId: '', piecesPerUnit: 1 });
  const save = useSend(saveLink, {
    quiet: true,
    onSuccess: async () => {
      notice.success('1688商品对应已保存');
      await refreshAlibaba();
    },
  });
  const look = async () => {
    const buyerId = buyers?.[0]?.value;
    if (!buyerId) return notice.warning('请先授权1688账号');
    const found = await call(matchOffer, { body: { buyerId, offerId: String(form.values.offerId ?? '') } }, {});
    setOffer(found);
    if (found.skus[0]) form.set('specId', found.skus[0].specId);
  };
  const skus = offer?.skus ?? [];
  const specs = skus.map((sku) => ({
    value: sku.specId,
    label: `${sku.spec || '默认'}　${formatMoney(sku.price, 'CNY')}　库存 ${formatInteger(sku.stock)}`,
  }));
  const kept = row && skus.length === 0 ? [{ value: row.specId, label: row.spec || '默认' }] : specs;
  return (
    <FormDialog
      title={row ? '修改1688商品对应' : '新增1688商品对应'}
      open
      form={form}
      onClose={onClose}
      onSubmit={(values) =>
        save.mutateAsync({
          body: {
            ...values,
            ...(row ? { id: row.id, version: row.version } : {}),
            subject: offer?.subject ?? row?.subject ?? '',
            seller: offer?.seller ?? row?.seller ?? '',
            spec: skus.find((sku) => sku.specId === values.specId)?.spec ?? row?.spec ?? '',
          },
        })
      }
      fields={{
        supplierId: {
          placeholder: '请选择供应商',
          options: (choices?.suppliers ?? []).map(({ id, name }) => ({ value: id, label: name })),
        },
        productId: {
          render: ({ id, value, onChange }) => (
            <GoodsSelect
              id={id}
              supplierId={String(form.values.supplierId ?? '')}
              value={value}
              known={row && { id: row.productId, product: row.product }}
              onChange={onChange}
            />
          ),
        },
        offerId: {
          help: offer
            ? `${offer.subject}（${offer.seller}，起批 ${offer.minimum}${offer.unit}）`
            : '商品链接中 offer 后的数字',
        },
        specId: { options: kept, placeholder: '先查询商品' },
        piecesPerUnit: { help: `1${offer?.unit ?? '单位'} = 多少件` },
      }}
    >
      <Button onClick={() => void look().catch(() => undefined)}>查询1688商品</Button>
    </FormDialog>
  );
}
