import { DatePicker } from 'antd';
import dayjs from 'dayjs';

interface Props {
  id?: string;
  /** ISO instant. */
  value: unknown;
  onChange: (value: unknown) => void;
  invalid?: boolean;
}

/** When a package was sent, to the minute, by the clock of this machine; the future cannot be chosen. */
export function SentAt({ id, value, onChange, invalid = false }: Props) {
  return (
    <DatePicker
      {...(id ? { id } : {})}
      showTime={{ format: 'HH:mm' }}
      format="YYYY-MM-DD HH:mm"
      aria-label="发货时间"
      style={{ width: '100%' }}
      value={typeof value === 'string' && value !== '' ? dayjs(value) : null}
      status={invalid ? 'error' : ''}
      disabledDate={(day) => day.isAfter(dayjs(), 'day')}
      onChange={(day) => onChange(day ? day.toISOString() : undefined)}
    />
  );
}
