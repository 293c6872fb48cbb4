import { Select } from 'antd';
import { useState } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { locationChoices } from '../../contract/documents/choices.ts';

interface Props {
  warehouseId: string;
  label: string;
  placeholder: string;
  value: string | undefined;
  onChange: (id: string | undefined) => void;
}

/** One place of a warehouse, found by its code. */
export function PlaceSelect({ warehouseId, label, placeholder, value, onChange }: Props) {
  const [text, setText] = useState('');
  const [open, setOpen] = useState(false);
  const { data } = useCall(locationChoices, { body: { warehouseId, text } }, { enabled: open, keep: true });
  return (
    <Select
      size="small"
      aria-label={label}
      style={{ width: 120 }}
      value={value ?? null}
      placeholder={placeholder}
      allowClear
      onOpenChange={setOpen}
      showSearch={{ filterOption: false, onSearch: setText }}
      options={(data ?? []).map((one) => ({ value: one.id, label: one.code }))}
      onChange={(id: string | null | undefined) => onChange(id ?? undefined)}
    />
  );
}
