import { Select } from 'antd';
import { formatInteger } from '#kit/contract/format.ts';
import { type OverTreatment, TREATMENTS } from '../../contract/surplus.ts';

interface Props {
  code: string;
  /** Pieces beyond what may come; nothing is asked below one. */
  beyond: number;
  value: OverTreatment | undefined;
  onChange: (value: OverTreatment) => void;
}

const OPTIONS = Object.entries(TREATMENTS).map(([value, label]) => ({ value: value as OverTreatment, label }));

/** What becomes of the pieces of a line that came beyond what may come. */
export function TreatmentSelect({ code, beyond, value, onChange }: Props) {
  if (beyond < 1) return <span className="text3">—</span>;
  return (
    <Select<OverTreatment>
      size="small"
      aria-label={`${code} 超收处理`}
      placeholder={`超收 ${formatInteger(beyond)} 件`}
      style={{ width: 124 }}
      value={value ?? null}
      options={OPTIONS}
      onChange={onChange}
    />
  );
}
