import { Button, Input, Modal, Select, Switch } from 'antd';
import { useEffect, useState } from 'react';
import { plainDecimal } from '#kit/contract/decimal.ts';
import { ApiError, useSend } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { listProducts, type ProductDetail, productDetail } from '../../contract/material.ts';
import { priceHistory, productTiers, savePrices } from '../../contract/parts.ts';
import { type EditColumn, EditTable, type Line } from '../edit/EditTable.tsx';

const COLUMNS: EditColumn[] = [
  { key: 'minQty', title: '起订数量', kind: 'integer' },
  { key: 'unitPrice', title: '单价', kind: 'decimal' },
];
const FIRST: Line[] = [{ minQty: 1, unitPrice: null }];

/** 更新报价: a new price list of one supplier from today on; the old ones stay in the history. */
export function PricesDialog({
  product,
  open,
  onClose,
}: {
  product: ProductDetail;
  open: boolean;
  onClose: () => void;
}) {
  const [supplierId, setSupplierId] = useState<string>();
  const [currency, setCurrency] = useState('CNY');
  const [taxIncluded, setTax] = useState(false);
  const [tiers, setTiers] = useState<Line[]>(FIRST);
  const supply = product.supplies.find((one) => one.supplierId === supplierId);
  useEffect(() => {
    if (open) setSupplierId(product.supplies[0]?.supplierId);
  }, [open, product.supplies]);
  useEffect(() => {
    setCurrency(supply?.prices?.currency ?? 'CNY');
    setTax(supply?.prices?.taxIncluded ?? false);
    setTiers(
      supply?.prices?.tiers?.map((tier) => ({ minQty: tier.minQty, unitPrice: plainDecimal(tier.unitPrice) })) ?? FIRST,
    );
  }, [supply]);
  const save = useSend(savePrices, {
    quiet: true,
    refreshes: [productDetail, productTiers, priceHistory, listProducts],
    onSuccess: () => {
      notice.success('报价已更新');
      onClose();
    },
  });
  const submit = async (confirmed: boolean) => {
    if (!supplierId) return;
    const rows = tiers.map((tier) => ({ minQty: Number(tier.minQty), unitPrice: String(tier.unitPrice ?? '') }));
    const body = { productId: product.id, supplierId, currency, taxIncluded, tiers: rows, confirmed };
    await save.mutateAsync({ body }).catch((error: unknown) => {
      if (error instanceof ApiError && error.message.includes('请确认')) {
        Modal.confirm({ title: error.message, okText: '按此保存', onOk: () => submit(true) });
      } else if (error instanceof ApiError) notice.error(error.message);
    });
  };
  return (
    <Modal
      title={`更新报价 ${product.sku}`}
      open={open}
      okText="保存报价"
      confirmLoading={save.isPending}
      onOk={() => void submit(false)}
      onCancel={onClose}
    >
      <div className="import-kinds">
        <Select
          aria-label="供应商"
          style={{ width: 200 }}
          value={supplierId ?? null}
          onChange={setSupplierId}
          options={product.supplies.map((one) => ({ value: one.supplierId, label: one.supplier }))}
        />
        <Input
          aria-label="币种"
          style={{ width: 80, marginInline: 8 }}
          maxLength={3}
          value={currency}
          onChange={(event) => setCurrency(event.target.value.toUpperCase())}
        />
        <Switch checkedChildren="含税" unCheckedChildren="未税" checked={taxIncluded} onChange={setTax} />
      </div>
      <EditTable
        label="档价"
        columns={COLUMNS}
        lines={tiers}
        onChange={setTiers}
        add={
          <Button size="small" onClick={() => setTiers([...tiers, { minQty: null, unitPrice: null }])}>
            添加一档
          </Button>
        }
      />
    </Modal>
  );
}
