import { formatInteger } from '#kit/contract/format.ts';
import { MOST_PARTS } from '../contract/report.ts';

/** Says so where not all rows of a figure are told. */
export function Cut({ count }: { count: number }) {
  if (count < MOST_PARTS) return null;
  return <p className="label">只列最近的 {formatInteger(MOST_PARTS)} 行；核对按全部行计算</p>;
}
