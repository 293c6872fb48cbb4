import { useState } from 'react';
import type { Product } from '#kit/contract/field.ts';
import { formatInteger } from '#kit/contract/format.ts';
import { useCall } from '#kit/web/api/index.ts';
import { processGoods } from '../../contract/process.ts';
import { ProductPicker } from '../ProductPicker.tsx';

export interface StockChoice {
  id: string;
  product: Product;
  available: number;
}

interface Props {
  warehouseId: string;
  placeholder: string;
  value?: { id: string; product: Product } | undefined;
  onPick: (choice: StockChoice) => void;
}

/** Finds a product for a process order, and says what the warehouse has of it. */
export function StockPicker({ warehouseId, placeholder, value, onPick }: Props) {
  const [text, setText] = useState('');
  const { data, isFetching } = useCall(processGoods, { body: { text, warehouseId } }, { keep: true });
  return (
    <ProductPicker
      rows={data}
      loading={isFetching}
      text={text}
      onText={setText}
      placeholder={placeholder}
      value={value}
      hint={(row) => `可用 ${formatInteger(row.available)}`}
      onPick={onPick}
    />
  );
}
