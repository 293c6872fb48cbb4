import { formatInteger } from '#kit/contract/format.ts';
import type { PlanItem, PlanRow } from '../../contract/plan.ts';
import { wayName } from './choices.ts';

const words = (item: PlanItem) => `${wayName(item.transport)} · ${item.warehouse}`;

/** What is planned of a row, with its way and warehouse; pressing it changes it. */
export function PlannedCell({ row, onEdit }: { row: PlanRow; onEdit?: (() => void) | undefined }) {
  const [first, second] = row.items;
  if (!first) return <span className="text3">—</span>;
  const text = (
    <>
      <span className="num">{formatInteger(row.planned ?? 0)}</span>
      <span className="text3">{second ? `拆为 ${row.items.length} 项` : words(first)}</span>
    </>
  );
  return onEdit && !second ? (
    <button type="button" className="ship-planned link" aria-label={`修改 ${row.product.code} 计划`} onClick={onEdit}>
      {text}
    </button>
  ) : (
    <span className="ship-planned" title={row.items.map((item) => `${words(item)} ${item.qty}`).join('；')}>
      {text}
    </span>
  );
}
