import { Select } from 'antd';
import { useState } from 'react';
import type { z } from 'zod';
import type { Product } from '#kit/contract/field.ts';
import { useCall } from '#kit/web/api/index.ts';
import { type FieldSetting, type FormState, SchemaForm } from '#kit/web/form/index.ts';
import { locationChoices, productChoices, warehouseChoices } from '../../contract/documents/choices.ts';
import { StockPicker } from './StockPicker.tsx';

interface Props {
  form: FormState<z.ZodObject>;
  mayCost: boolean;
  /** The main product of an assembly, as it is called. */
  main: { id: string; product: Product } | undefined;
  onMain: (main: { id: string; product: Product }) => void;
}

const QUALITY: Record<string, string> = { GOOD: '正品', QC: '待检', DEFECTIVE: '次品' };

/** Several products to count; none is all of them. */
function ProductsSelect({
  warehouseId,
  value,
  onChange,
}: {
  warehouseId: string;
  value: unknown;
  onChange: (value: unknown) => void;
}) {
  const [text, setText] = useState('');
  const { data } = useCall(productChoices, { body: { text, warehouseId } }, { keep: true });
  return (
    <Select
      mode="multiple"
      aria-label="盘点产品"
      style={{ width: '100%' }}
      placeholder="全部产品"
      maxTagCount={6}
      value={(value as string[] | undefined) ?? []}
      showSearch={{ filterOption: false, onSearch: setText }}
      options={(data ?? []).map((row) => ({ value: row.id, label: `${row.product.code} ${row.product.name}` }))}
      onChange={onChange}
    />
  );
}

/** Several places to count; none is all of them. */
function LocationsSelect({
  warehouseId,
  value,
  onChange,
}: {
  warehouseId: string;
  value: unknown;
  onChange: (value: unknown) => void;
}) {
  const [text, setText] = useState('');
  const { data } = useCall(
    locationChoices,
    { body: { warehouseId, text } },
    { enabled: warehouseId !== '', keep: true },
  );
  return (
    <Select
      mode="multiple"
      aria-label="盘点库位"
      style={{ width: '100%' }}
      placeholder="全部库位"
      maxTagCount={10}
      value={(value as string[] | undefined) ?? []}
      showSearch={{ filterOption: false, onSearch: setText }}
      options={(data ?? []).map((row) => ({ value: row.id, label: row.code }))}
      onChange={onChange}
    />
  );
}

/** The head of a document as a form: what the kind has, with warehouses and products to choose from. */
export function HeadForm({ form, mayCost, main, onMain }: Props) {
  const { data: places } = useCall(warehouseChoices, {}, { staleTime: 60_000 });
  const warehouseId = String(form.values.warehouseId ?? '');
  const twoEnds = 'toWarehouseId' in form.schema.shape;
  const choice = (mine: boolean) =>
    (places ?? [])
      .filter((one) => one.mine || !mine)
      .map((one) => ({ value: one.id, label: `${one.name}（${QUALITY[one.quality] ?? ''}）` }));
  const cost: FieldSetting = { hidden: !mayCost };
  const fields: Record<string, FieldSetting> = {
    warehouseId: { options: choice(!twoEnds), placeholder: '请选择仓库', span: 2 },
    toWarehouseId: { options: choice(false), placeholder: '请选择仓库', span: 2 },
    partner: { span: 2 },
    freight: cost,
    otherFee: cost,
    feeSplit: cost,
    remark: { span: 6 },
    productId: {
      span: 2,
      render: () => <StockPicker warehouseId={warehouseId} value={main} placeholder="选择主产品" onPick={onMain} />,
    },
    products: {
      span: 6,
      render: ({ value, onChange }) => <ProductsSelect warehouseId={warehouseId} value={value} onChange={onChange} />,
    },
    locations: {
      span: 6,
      render: ({ value, onChange }) => <LocationsSelect warehouseId={warehouseId} value={value} onChange={onChange} />,
    },
  };
  return <SchemaForm form={form} columns={6} fields={fields} />;
}
