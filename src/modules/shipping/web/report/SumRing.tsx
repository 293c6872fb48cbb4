import { Segmented } from 'antd';
import { useCall } from '#kit/web/api/index.ts';
import { Ring } from '#kit/web/charts/index.ts';
import type { FilterValue } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { COST } from '../../contract/freight/fields.ts';
import { listShipSums, type ShipSumFilter } from '../../contract/report/summary.ts';
import '../shipping.css';

export type RingMeasure = 'shipped' | 'received' | 'orders' | 'freight' | 'value';

const COSTS: readonly RingMeasure[] = ['freight', 'value'];

const MEASURES: { value: RingMeasure; label: string; unit: string }[] = [
  { value: 'shipped', label: '实际发货', unit: '件' },
  { value: 'received', label: '实际接收', unit: '件' },
  { value: 'orders', label: '票数', unit: '票' },
  { value: 'freight', label: '运费', unit: '元' },
  { value: 'value', label: '货值', unit: '元' },
];
/** So many groups are drawn; the smallest of them are one part. */
const MOST = 100;

interface Props {
  filter: FilterValue;
  measure: RingMeasure;
  onMeasure: (measure: RingMeasure) => void;
}

/** Shares of the groups of 发货统计 in a figure that the reader picks. */
export function SumRing({ filter, measure, onMeasure }: Props) {
  const seesCost = useAllowed(COST);
  const { data } = useCall(
    listShipSums,
    { body: { pagesize: MOST, currentpage: 1, sort: measure, order: 'desc', filter: filter as ShipSumFilter } },
    { keep: true },
  );
  const options = MEASURES.filter(({ value }) => seesCost || !COSTS.includes(value));
  const unit = MEASURES.find(({ value }) => value === measure)?.unit ?? '';
  const parts = (data?.records ?? []).flatMap((row) => {
    const value = row[measure];
    return value === null || Number(value) <= 0 ? [] : [{ name: row.name, value: String(value) }];
  });
  if (parts.length === 0) return null;
  return (
    <div className="ship-sum-ring">
      <Segmented size="small" options={options} value={measure} onChange={onMeasure} />
      <Ring
        label="发货统计占比"
        parts={parts}
        unit={unit}
        {...(COSTS.includes(measure) ? { measure: { kind: 'money', currency: 'CNY' } } : {})}
      />
    </div>
  );
}
