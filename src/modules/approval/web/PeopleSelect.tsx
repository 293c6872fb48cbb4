import { Select } from 'antd';
import { useCall } from '#kit/web/api/index.ts';
import { readOrganisation } from '../contract/config.ts';

interface Props {
  value: readonly string[];
  onChange: (ids: string[]) => void;
  /** Whom to choose from. */
  of?: 'members' | 'roles' | 'departments';
  single?: boolean;
  label: string;
}

/** Chooses members, roles or departments of the company by name. */
export function PeopleSelect({ value, onChange, of = 'members', single = false, label }: Props) {
  const { data } = useCall(readOrganisation, {}, { staleTime: 60_000 });
  const options = (data?.[of] ?? []).map((one) => ({
    value: one.id,
    label: 'department' in one && one.department ? `${one.name}（${one.department}）` : one.name,
  }));
  const common = { 'aria-label': label, placeholder: label, options, showSearch: { optionFilterProp: 'label' } };
  return single ? (
    <Select {...common} style={{ width: '100%' }} value={value[0] ?? null} onChange={(id: string) => onChange([id])} />
  ) : (
    <Select
      {...common}
      style={{ width: '100%' }}
      mode="multiple"
      value={[...value]}
      onChange={(ids: string[]) => onChange(ids)}
    />
  );
}
