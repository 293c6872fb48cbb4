import { CheckCircleFilled, ExclamationCircleFilled } from '@ant-design/icons';
import { Decimal, sum } from '../../contract/decimal.ts';
import { formatInteger } from '../../contract/format.ts';
import { Money } from '../cells/Money.tsx';

interface Props {
  /** The figure that was opened, as decimal text. */
  total: string;
  /** Its lines, or their sum where the server added them up. */
  lines: readonly string[] | string;
  /** Left out where pieces or documents are counted, not money. */
  currency?: string;
  /** What was compared: 「明细合计与报表一致」. */
  text?: string;
  /** What is said where both differ. */
  off?: string;
}

/** Difference between a figure and its lines; exact, because nothing here is ever rounded. */
export function differenceOf(total: string, lines: readonly string[] | string): string {
  const added = typeof lines === 'string' ? lines : sum(lines);
  return new Decimal(total).minus(added).toFixed();
}

/** Says that a figure is the sum of its lines, 「差额 $0.00」, or by how much it is not. */
export function Proof({ total, lines, currency, text = '明细合计与报表一致', off = '明细合计与报表不一致' }: Props) {
  const difference = differenceOf(total, lines);
  const exact = new Decimal(difference).isZero();
  return (
    <span className={`proof ${exact ? 'is-exact' : 'is-off'}`} role="status">
      {exact ? <CheckCircleFilled /> : <ExclamationCircleFilled />}
      <span className="text2">{exact ? text : off}</span>
      <span>
        差额 {currency ? <Money amount={difference} currency={currency} /> : formatInteger(Number(difference))}
      </span>
    </span>
  );
}
