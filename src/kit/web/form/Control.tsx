import { Input, InputNumber, Select, Switch } from 'antd';
import type { ReactNode } from 'react';
import { Decimal } from '../../contract/decimal.ts';
import { DayPicker } from './DayPicker.tsx';
import type { FormField, FormOption } from './fields.ts';

interface Props {
  field: FormField;
  id: string;
  value: unknown;
  onChange: (value: unknown) => void;
  options?: readonly FormOption[] | undefined;
  placeholder?: string | undefined;
  prefix?: ReactNode;
  disabled?: boolean | undefined;
  invalid: boolean;
}

/** A ratio is stored as "0.2015" and edited as 20.15. */
const toPercent = (value: unknown) =>
  value === undefined || value === null || value === '' ? null : new Decimal(String(value)).times(100).toFixed();
const fromPercent = (text: string | null) =>
  text === null || text === '' ? undefined : new Decimal(text).div(100).toFixed();

function Numeric({ field, id, value, onChange, placeholder, prefix, disabled, invalid }: Props) {
  const percent = field.control === 'percent';
  const asText = percent || field.control === 'decimal';
  const shown = percent
    ? toPercent(value)
    : value === undefined || value === null || value === ''
      ? null
      : String(value);
  const put = (next: string | null) => {
    if (percent) return onChange(fromPercent(next));
    if (next === null || next === '') return onChange(undefined);
    return onChange(asText ? next : Number(next));
  };
  return (
    <InputNumber<string>
      id={id}
      stringMode
      controls={false}
      style={{ width: '100%' }}
      value={shown}
      onChange={put}
      placeholder={placeholder ?? ''}
      prefix={prefix}
      suffix={percent ? '%' : undefined}
      disabled={disabled ?? false}
      status={invalid ? 'error' : ''}
      {...(field.control === 'integer' ? { precision: 0 } : {})}
    />
  );
}

function Choose({ field, id, value, onChange, options, placeholder, disabled, invalid }: Props) {
  const many = field.control === 'multi';
  const list = options ?? field.options;
  return (
    <Select
      id={id}
      {...(many ? { mode: 'multiple' as const } : {})}
      style={{ width: '100%' }}
      value={value ?? (many ? [] : null)}
      onChange={(next) => onChange(next ?? undefined)}
      options={[...list]}
      // A value is a code or an id: people never see it, not even while the names are on their way.
      labelRender={({ label }) => label ?? (list.length > 0 ? '已不可选' : '…')}
      placeholder={placeholder ?? '请选择'}
      showSearch={{ optionFilterProp: 'label' }}
      allowClear={!field.required}
      disabled={disabled ?? false}
      status={invalid ? 'error' : ''}
    />
  );
}

/** The control of one form field. */
export function Control(props: Props) {
  const { field, id, value, onChange, options, placeholder, prefix, disabled = false, invalid } = props;
  const status = invalid ? 'error' : '';
  const text = (value as string | undefined) ?? '';
  if (options && field.control === 'text') return <Choose {...props} />;
  switch (field.control) {
    case 'select':
    case 'multi':
      return <Choose {...props} />;
    case 'integer':
    case 'number':
    case 'decimal':
    case 'percent':
      return <Numeric {...props} />;
    case 'switch':
      return <Switch id={id} checked={value === true} disabled={disabled} onChange={onChange} />;
    case 'date':
      return <DayPicker id={id} value={text} disabled={disabled} invalid={invalid} onChange={onChange} />;
    case 'area':
      return (
        <Input.TextArea
          id={id}
          autoSize={{ minRows: 2, maxRows: 6 }}
          value={text}
          placeholder={placeholder}
          disabled={disabled}
          status={status}
          onChange={(event) => onChange(event.target.value)}
        />
      );
    default:
      return (
        <Input
          id={id}
          value={text}
          placeholder={placeholder}
          prefix={prefix}
          disabled={disabled}
          status={status}
          {...(field.limit ? { maxLength: field.limit } : {})}
          onChange={(event) => onChange(event.target.value)}
        />
      );
  }
}
