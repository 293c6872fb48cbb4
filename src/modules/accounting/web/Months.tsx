import { DatePicker } from 'antd';
import dayjs from 'dayjs';

interface Props {
  from: string;
  to: string;
  onChange: (from: string, to: string) => void;
}

/** The months that a ledger is read for, "yyyy-MM". */
export function Months({ from, to, onChange }: Props) {
  return (
    <DatePicker.RangePicker
      picker="month"
      allowClear={false}
      value={[dayjs(`${from}-01`), dayjs(`${to}-01`)]}
      onChange={(range) => {
        const [first, last] = range ?? [];
        if (first && last) onChange(first.format('YYYY-MM'), last.format('YYYY-MM'));
      }}
    />
  );
}
