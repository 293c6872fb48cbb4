import { InputNumber, Select } from 'antd';
import { formatInteger } from '../../contract/format.ts';
import { placesOf, UnitLayout } from '../../contract/unit-layout.ts';
import '../boxes/boxes.css';

const LAYOUTS = Object.entries(UnitLayout.meta()?.states ?? {}).map(([value, { title }]) => ({ value, label: title }));

interface Props {
  layout: UnitLayout;
  /** Places of the first sheet that are empty already. */
  used: number;
  /** Labels in all. */
  total: number;
  onChange: (next: { layout: UnitLayout; used: number }) => void;
}

/** On which paper labels of pieces are printed, from which place on, and how many there are. */
export function LayoutBar({ layout, used, total, onChange }: Props) {
  const places = placesOf(layout);
  return (
    <div className="box-bar">
      <Select
        size="small"
        aria-label="标签纸"
        style={{ width: 230 }}
        value={layout}
        options={LAYOUTS}
        onChange={(next) => onChange({ layout: next as UnitLayout, used: 0 })}
      />
      {places > 0 && (
        <>
          <span>首页已用</span>
          <InputNumber
            size="small"
            aria-label="首页已用张数"
            min={0}
            max={places - 1}
            precision={0}
            controls={false}
            style={{ width: 56 }}
            value={used}
            onChange={(count) => onChange({ layout, used: count ?? 0 })}
          />
          <span>张</span>
        </>
      )}
      <span className="spring" />
      <span>
        共 <b className="num">{formatInteger(total)}</b> 张
      </span>
    </div>
  );
}
