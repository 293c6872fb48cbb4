import { Select } from 'antd';
import { useState } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { listOrders } from '../../contract/order-calls.ts';

interface Props {
  value: { id: string; number: string } | undefined;
  onPick: (order: { id: string; number: string }) => void;
}

/** Stages in which goods of an order can have come. */
const CAME = ['ordered', 'inspecting', 'replacing', 'unpaid', 'closed'] as const;

/** A placed order by its number or a SKU on it. */
export function OrderPicker({ value, onPick }: Props) {
  const [text, setText] = useState('');
  const keyword = text.trim() === '' ? {} : { keyword: [text.trim()] };
  const { data, isFetching } = useCall(
    listOrders,
    { body: { filter: { stage: [...CAME], ...keyword }, size: 20 } },
    { staleTime: 0 },
  );
  const rows = data?.records ?? [];
  return (
    <Select
      aria-label="采购单"
      placeholder="输入采购单号或 SKU"
      style={{ width: '100%' }}
      showSearch
      filterOption={false}
      loading={isFetching}
      value={value?.id ?? null}
      options={[
        ...(value && !rows.some((row) => row.id === value.id) ? [{ value: value.id, label: value.number }] : []),
        ...rows.map((row) => ({ value: row.id, label: `${row.number} · ${row.supplier}` })),
      ]}
      onSearch={setText}
      onChange={(id: string) => {
        const row = rows.find((one) => one.id === id);
        if (row) onPick({ id, number: row.number });
      }}
    />
  );
}
