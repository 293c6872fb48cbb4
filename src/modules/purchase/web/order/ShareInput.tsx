import { InputNumber } from 'antd';
import { Decimal } from '#kit/contract/decimal.ts';

interface Props {
  label: string;
  /** A share, e.g. 0.13; null: nothing is written. */
  value: string | null;
  placeholder?: string;
  /** In percent. */
  max?: string;
  disabled?: boolean;
  put: (value: string | null) => void;
}

/** A share as percent in a field, e.g. 0.13 as 13. Empty says that somebody else's share counts. */
export function ShareInput({ label, value, placeholder = '', max = '99.99', disabled = false, put }: Props) {
  return (
    <InputNumber<string>
      size="small"
      aria-label={label}
      stringMode
      controls={false}
      min="0"
      max={max}
      suffix="%"
      style={{ width: 64 }}
      disabled={disabled}
      placeholder={placeholder}
      value={value === null ? null : new Decimal(value).times(100).toFixed()}
      onChange={(percent) => put(percent === null ? null : new Decimal(percent).div(100).toDecimalPlaces(4).toFixed())}
    />
  );
}
