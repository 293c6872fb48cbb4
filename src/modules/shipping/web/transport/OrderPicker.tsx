import { Select } from 'antd';
import { useState } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { listShipOrders, shipOrderDetail } from '../../contract/order-calls.ts';

interface Props {
  value: string | null;
  onChange: (id: string | null) => void;
}

/** A ship order with boxes, looked for by its number, shipment or SKU. */
export function OrderPicker({ value, onChange }: Props) {
  const [keyword, setKeyword] = useState('');
  const { data } = useCall(listShipOrders, { body: { filter: { keyword }, pagesize: 20 } }, { keep: true });
  const one = useCall(shipOrderDetail, { params: { id: value ?? '' } }, { enabled: value !== null });
  const rows = data?.records.filter((row) => row.boxes > 0) ?? [];
  const chosen = one.data?.order;
  const shown = chosen && !rows.some((row) => row.id === chosen.id) ? [chosen, ...rows] : rows;
  return (
    <Select
      aria-label="发货单"
      style={{ width: 360 }}
      placeholder="搜索已装箱的发货单"
      showSearch={{ filterOption: false, onSearch: setKeyword }}
      allowClear
      value={value}
      labelRender={({ label }) => label ?? '…'}
      onChange={(id?: string) => onChange(id ?? null)}
      options={shown.map(({ id, number, store, boxes }) => ({
        value: id,
        label: `${number} · ${store.name}-${store.country} · ${boxes} 箱`,
      }))}
      notFoundContent="没有已装箱的发货单"
    />
  );
}
