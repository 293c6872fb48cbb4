import { Select } from 'antd';
import type { ReactNode } from 'react';
import type { Product } from '#kit/contract/field.ts';
import { Picture } from '#kit/web/cells/index.ts';
import './purchase.css';

interface Found {
  id: string;
  product: Product;
}

interface Props<Row extends Found> {
  rows: readonly Row[] | undefined;
  loading: boolean;
  text: string;
  onText: (text: string) => void;
  placeholder: string;
  /** Shown as chosen; left out where picking adds a line. */
  value?: Found | undefined;
  /** Said at the end of each choice: a price, what is in stock. */
  hint: (row: Row) => ReactNode;
  onPick: (row: Row) => void;
}

/** Finds a product by SKU, barcode or words of its name among what the screen asked the server for. */
export function ProductPicker<Row extends Found>(props: Props<Row>) {
  const { rows, loading, text, onText, placeholder, value, hint, onPick } = props;
  const chosen = value && !rows?.some((row) => row.id === value.id) ? [value] : [];
  return (
    <Select
      className="goods-picker"
      aria-label={placeholder}
      placeholder={placeholder}
      value={value?.id ?? null}
      showSearch={{ filterOption: false, onSearch: onText, searchValue: text }}
      loading={loading}
      popupMatchSelectWidth={520}
      notFoundContent={loading ? '查找中…' : '没有找到商品'}
      options={[
        ...(rows ?? []).map((row) => ({ value: row.id, label: row.product.code, product: row.product, row })),
        ...chosen.map((one) => ({ value: one.id, label: one.product.code, product: one.product, row: undefined })),
      ]}
      optionRender={({ data }) => (
        <span className="goods-option">
          <Picture src={data.product.image} size={24} zoom={false} />
          <b className="code">{data.product.code}</b>
          <span className="ellipsis text2">{data.product.name}</span>
          <span className="spring" />
          <span className="text3">{data.row && hint(data.row)}</span>
        </span>
      )}
      onSelect={(_, { row }) => {
        if (row) onPick(row);
        onText('');
      }}
    />
  );
}
