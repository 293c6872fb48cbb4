import { Select } from 'antd';
import { useState } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { listShipOrders } from '../../contract/order-calls.ts';
import { MAX_ORDERS } from '../../contract/quote-request/fields.ts';

interface Props {
  value: string[];
  /** Those that are picked, as far as their numbers are known. */
  known: readonly { orderId: string; order: string }[];
  onChange: (ids: string[]) => void;
}

const ASKABLE: readonly string[] = ['pending', 'held', 'picking', 'packing', 'ready'];

/** Ship orders that have not left, looked for by their number, shipment or SKU. */
export function OrderPicks({ value, known, onChange }: Props) {
  const [keyword, setKeyword] = useState('');
  const { data } = useCall(listShipOrders, { body: { filter: { keyword }, pagesize: 50 } }, { keep: true });
  const found = (data?.records ?? []).filter((row) => ASKABLE.includes(row.state));
  const names = new Map(known.map(({ orderId, order }) => [orderId, order]));
  return (
    <div className="trans-lines">
      <Select
        mode="multiple"
        aria-label="发货单"
        style={{ width: 560 }}
        placeholder="搜索未出库的发货单，须同一发货仓、同一国家"
        showSearch={{ filterOption: false, onSearch: setKeyword }}
        maxCount={MAX_ORDERS}
        value={value}
        onChange={onChange}
        labelRender={({ value: id, label }) => names.get(String(id)) ?? label ?? '…'}
        options={found.map(({ id, number, store, warehouse, boxes }) => ({
          value: id,
          label: `${number} · ${warehouse} → ${store.name}-${store.country}${boxes > 0 ? ` · ${boxes} 箱` : ''}`,
        }))}
        notFoundContent="没有可询价的发货单"
      />
    </div>
  );
}
