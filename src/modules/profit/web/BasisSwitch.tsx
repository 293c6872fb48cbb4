import { Segmented, Tooltip } from 'antd';
import { BASES, type Basis } from '../contract/report.ts';

const OPTIONS = Object.entries(BASES).map(([value, label]) => ({ value: value as Basis, label }));

/** Whether money that came after its month was closed counts where it is booked, or where it belongs. */
export function BasisSwitch({ value, onChange }: { value: Basis | undefined; onChange: (basis: Basis) => void }) {
  return (
    <Tooltip title="入账：已关账月份不变，迟到的收支计入其后的月份；归属：计入发生的月份">
      <Segmented size="small" aria-label="期间口径" options={OPTIONS} value={value ?? 'BOOKED'} onChange={onChange} />
    </Tooltip>
  );
}
