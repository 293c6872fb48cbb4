import { Select } from 'antd';
import { useState } from 'react';
import type { Product } from '#kit/contract/field.ts';
import { formatInteger } from '#kit/contract/format.ts';
import { useCall } from '#kit/web/api/index.ts';
import { Picture } from '#kit/web/cells/index.ts';
import { productChoices } from '../../contract/documents/choices.ts';
import type { StockChoice } from '../../contract/documents/fields.ts';

interface Props {
  warehouseId: string;
  /** Shown for what was chosen before. */
  value?: { id: string; product: Product } | undefined;
  onPick: (choice: StockChoice) => void;
  placeholder?: string;
}

/** Finds a product by SKU, barcode or words of its name, and says what the warehouse has of it. */
export function StockPicker({ warehouseId, value, onPick, placeholder = '输入 SKU、名称或条码添加' }: Props) {
  const [text, setText] = useState('');
  const { data, isFetching } = useCall(productChoices, { body: { text, warehouseId } }, { keep: true });
  const chosen = value && !data?.some((row) => row.id === value.id);
  return (
    <Select
      className="stock-picker"
      aria-label={placeholder}
      placeholder={placeholder}
      value={value?.id ?? null}
      showSearch={{ filterOption: false, onSearch: setText, searchValue: text }}
      loading={isFetching}
      popupMatchSelectWidth={460}
      notFoundContent={isFetching ? '查找中…' : '没有找到产品'}
      options={[
        ...(data ?? []).map((row) => ({ value: row.id, label: row.product.code, row })),
        ...(chosen ? [{ value: value.id, label: value.product.code, row: undefined }] : []),
      ]}
      optionRender={({ data: option }) => (
        <span className="stock-option">
          <Picture src={option.row?.product.image} size={24} zoom={false} />
          <b className="code">{option.label}</b>
          <span className="ellipsis text2">{option.row?.product.name}</span>
          <span className="spring" />
          {option.row && <span className="num">可用 {formatInteger(option.row.available)}</span>}
        </span>
      )}
      onSelect={(_, option) => {
        if (option.row) onPick(option.row);
        setText('');
      }}
    />
  );
}
