import { Select } from 'antd';
import { useState } from 'react';
import type { z } from 'zod';
import type { Product } from '#kit/contract/field.ts';
import { useCall } from '#kit/web/api/index.ts';
import { type FieldSetting, type FormState, SchemaForm } from '#kit/web/form/index.ts';
import { locationChoices, otherWarehouse, productChoices, warehouseChoices } from '../../contract/documents/choices.ts';
import type { WarehouseChoice } from '../../contract/documents/fields.ts';
import { StockPicker } from './StockPicker.tsx';

interface Props {
  form: FormState<z.ZodObject>;
  mayCost: boolean;
  /** The main product of an assembly, as it is called. */
  main: { id: string; product: Product } | undefined;
  /** The ends of the document as they are called: one may be out of the caller's sight. */
  ends: readonly { id: string; name: string }[];
  onMain: (main: { id: string; product: Product }) => void;
}

const ABROAD: readonly string[] = ['OVERSEAS', 'THIRD_PARTY'];
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

interface EndProps {
  id: string;
  value: unknown;
  onChange: (value: unknown) => void;
  invalid: boolean;
  own: readonly { value: string; label: string }[];
  ends: readonly { id: string; name: string }[];
}

/** One end of a transfer: a warehouse of one's own from the list, somebody else's by its whole code or name. */
function EndSelect({ id, value, onChange, invalid, own, ends }: EndProps) {
  const [text, setText] = useState('');
  const { data } = useCall(otherWarehouse, { body: { text } }, { enabled: text.trim() !== '', keep: true });
  const found = (data ?? []).map((one) => ({ value: one.id, label: one.name }));
  const known = ends.map((one) => ({ value: one.id, label: one.name }));
  const wanted = text.trim().toLowerCase();
  const options = new Map(
    [...known, ...found, ...own]
      .filter((one) => one.label.toLowerCase().includes(wanted) || found.includes(one))
      .map((one) => [one.value, one]),
  );
  return (
    <Select
      id={id}
      style={{ width: '100%' }}
      value={(value as string | undefined) ?? null}
      placeholder="请选择，或输入对方仓库的编码"
      status={invalid ? 'error' : ''}
      showSearch={{ filterOption: false, onSearch: setText }}
      notFoundContent="没有找到仓库，对方仓库请输入完整的编码或名称"
      options={[...options.values()]}
      onChange={onChange}
    />
  );
}

/** The head of a document as a form: what the kind has, with warehouses and products to choose from. */
export function HeadForm({ form, mayCost, main, ends, onMain }: Props) {
  const { data: places } = useCall(warehouseChoices, {}, { staleTime: 60_000 });
  const warehouseId = String(form.values.warehouseId ?? '');
  const twoEnds = 'toWarehouseId' in form.schema.shape;
  // The other end of such a document is abroad.
  const abroad = 'landedOn' in form.schema.shape;
  const choice = (mine: boolean, wanted: (one: WarehouseChoice) => boolean = () => true) =>
    (places ?? [])
      .filter((one) => (one.mine || !mine) && wanted(one))
      .map((one) => ({ value: one.id, label: `${one.name}（${QUALITY[one.quality] ?? ''}）` }));
  const end =
    (wanted: (one: WarehouseChoice) => boolean): NonNullable<FieldSetting['render']> =>
    ({ id, value, onChange, invalid }) => (
      <EndSelect id={id} value={value} onChange={onChange} invalid={invalid} own={choice(false, wanted)} ends={ends} />
    );
  const from = (one: WarehouseChoice) => !abroad || one.quality === 'GOOD';
  const to = (one: WarehouseChoice) => from(one) && (!abroad || ABROAD.includes(one.kind));
  const cost: FieldSetting = { hidden: !mayCost };
  const fields: Record<string, FieldSetting> = {
    warehouseId: twoEnds
      ? { span: 2, render: end(from) }
      : { options: choice(true), placeholder: '请选择仓库', span: 2 },
    toWarehouseId: { span: 2, render: end(to) },
    partner: { span: abroad ? 1 : 2 },
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
