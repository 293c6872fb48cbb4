import { DatePicker } from 'antd';
import dayjs from 'dayjs';

const DAY = 'YYYY-MM-DD';

interface Props {
  /** "yyyy-MM-dd"; "" or undefined is none. */
  value: string | undefined;
  onChange: (day: string | undefined) => void;
  id?: string;
  /** Name for assistive technology where no label stands for it. */
  label?: string;
  /** A day can be replaced, but not taken away. */
  required?: boolean;
  disabled?: boolean;
  invalid?: boolean;
}

/** Picks a calendar day. */
export function DayPicker({ value, onChange, id, label, required = false, disabled = false, invalid = false }: Props) {
  return (
    <DatePicker
      {...(id === undefined ? {} : { id })}
      aria-label={label}
      style={{ width: '100%' }}
      value={value ? dayjs(value) : null}
      allowClear={!required}
      disabled={disabled}
      status={invalid ? 'error' : ''}
      onChange={(day) => onChange(day ? day.format(DAY) : undefined)}
    />
  );
}
