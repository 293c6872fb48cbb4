import { Select } from 'antd';
import { useState } from 'react';
import { formatMoney } from '#kit/contract/format.ts';
import { useCall } from '#kit/web/api/index.ts';
import { Picture } from '#kit/web/cells/index.ts';
import type { OrderType } from '../../contract/order.ts';
import { findGoods } from '../../contract/order-calls.ts';
import type { Goods } from './draft.ts';

interface Props {
  supplierId: string;
  type: OrderType;
  onPick: (goods: Goods) => void;
}

/** Finds a product by SKU, barcode or words of its name, and says what the supplier asks for it. */
export function GoodsPicker({ supplierId, type, onPick }: Props) {
  const [text, setText] = useState('');
  const { data, isFetching } = useCall(findGoods, { body: { text, supplierId, type } }, { keep: true });
  const placeholder = '输入 SKU、名称或条码添加商品';
  return (
    <Select
      className="goods-picker"
      aria-label={placeholder}
      placeholder={placeholder}
      value={null}
      showSearch={{ filterOption: false, onSearch: setText, searchValue: text }}
      loading={isFetching}
      popupMatchSelectWidth={520}
      notFoundContent={isFetching ? '查找中…' : '没有找到商品'}
      options={(data ?? []).map((row) => ({ value: row.id, label: row.product.code, row }))}
      optionRender={({ data: { row } }) => (
        <span className="goods-option">
          <Picture src={row.product.image} size={24} zoom={false} />
          <b className="code">{row.product.code}</b>
          <span className="ellipsis text2">{row.product.name}</span>
          <span className="spring" />
          <span className="text3">
            {row.unitPrice && row.currency ? formatMoney(row.unitPrice, row.currency) : '无报价'}
            {row.leadDays !== null && ` · ${row.leadDays} 天`}
          </span>
        </span>
      )}
      onSelect={(_, { row }) => {
        onPick(row);
        setText('');
      }}
    />
  );
}
