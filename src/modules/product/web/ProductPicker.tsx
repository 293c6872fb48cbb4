import './product.css';
import { Select } from 'antd';
import { useState } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { Picture } from '#kit/web/cells/index.ts';
import type { Kind } from '../contract/fields.ts';
import { findProducts } from '../contract/material.ts';

export interface Picked {
  id: string;
  sku: string;
  name: string;
  image: string | null;
}

interface Props {
  /** Shown for a product that was chosen before. */
  value?: { id: string; label: string } | undefined;
  kinds?: readonly Kind[];
  onPick: (product: Picked) => void;
  placeholder?: string;
}

/** Finds a product by the beginning of its SKU or barcode or by words of its name. */
export function ProductPicker({ value, kinds, onPick, placeholder = '输入 SKU、名称或条码' }: Props) {
  const [text, setText] = useState('');
  const body = { text, ...(kinds ? { kinds: [...kinds] } : {}) };
  const { data, isFetching } = useCall(findProducts, { body }, { keep: true });
  return (
    <Select
      className="product-picker"
      aria-label={placeholder}
      placeholder={placeholder}
      value={value?.id ?? null}
      showSearch={{ filterOption: false, onSearch: setText, searchValue: text }}
      loading={isFetching}
      notFoundContent={isFetching ? '查找中…' : '没有找到产品'}
      options={[
        ...(data ?? []).map((row) => ({ value: row.id, label: `${row.sku} ${row.name}`, row })),
        ...(value && !data?.some((row) => row.id === value.id)
          ? [{ value: value.id, label: value.label, row: undefined }]
          : []),
      ]}
      optionRender={({ data: option }) => (
        <span className="picker-option">
          <Picture src={option.row?.image} size={24} zoom={false} />
          <span className="ellipsis">{option.label}</span>
        </span>
      )}
      onSelect={(_, option) => {
        if (option.row) onPick(option.row);
        setText('');
      }}
    />
  );
}
