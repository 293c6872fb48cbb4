import { useState } from 'react';
import { formatMoney } from '#kit/contract/format.ts';
import { useCall } from '#kit/web/api/index.ts';
import type { OrderType } from '../../contract/fields.ts';
import { findGoods } from '../../contract/order-calls.ts';
import { ProductPicker } from '../ProductPicker.tsx';
import type { Draft, Goods } from './draft.ts';

interface Props {
  supplierId: string;
  type: OrderType;
  /** Lines that the order has: their products are marked, and may be picked again for another price or day. */
  lines?: readonly Draft[];
  onPick: (goods: Goods) => void;
}

function placeOf(lines: readonly Draft[], productId: string): string {
  const at = lines.findIndex((line) => line.productId === productId && !line.gift);
  return at < 0 ? '' : `已在第 ${at + 1} 行 · `;
}

/** Finds a product for a line of an order, and says what the supplier asks for it. */
export function GoodsPicker({ supplierId, type, lines = [], onPick }: Props) {
  const [text, setText] = useState('');
  const { data, isFetching } = useCall(findGoods, { body: { text, supplierId, type } }, { keep: true });
  return (
    <ProductPicker
      rows={data}
      loading={isFetching}
      text={text}
      onText={setText}
      placeholder="输入 SKU、名称或条码添加商品"
      hint={(row) => (
        <>
          {placeOf(lines, row.id)}
          {row.unitPrice && row.currency ? formatMoney(row.unitPrice, row.currency) : '无报价'}
          {row.leadDays !== null && ` · ${row.leadDays} 天`}
        </>
      )}
      onPick={onPick}
    />
  );
}
