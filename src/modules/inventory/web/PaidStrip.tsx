import { sum } from '#kit/contract/decimal.ts';
import { formatInteger } from '#kit/contract/format.ts';
import { useCall } from '#kit/web/api/index.ts';
import { type Figure, FigureLine } from '#kit/web/cards/Figures.tsx';
import { Money } from '#kit/web/cells/index.ts';
import type { FilterValue } from '#kit/web/list/index.ts';
import { PAID_REASONS, sumReimbursements } from '../contract/events.ts';
import { wordOf } from './facts.tsx';

interface Sum {
  reason: string;
  count: number;
  quantity: number;
  amount: string | null;
  currency: string;
}

/** One figure per currency, then the largest reasons; a reason opens its rows. */
function figuresOf(sums: readonly Sum[], onReason: (reason: string) => void): Figure[] {
  const byCurrency = [...Map.groupBy(sums, ({ currency }) => currency)];
  const totals = byCurrency.map(([currency, list]) => ({
    key: `total ${currency}`,
    label: `${currency} 合计`,
    value: (
      <Money
        amount={list.some((one) => one.amount === null) ? null : sum(list.map((one) => one.amount ?? '0'))}
        currency={currency}
      />
    ),
    hint: `${formatInteger(list.reduce((total, one) => total + one.count, 0))} 笔`,
  }));
  const reasons = sums.slice(0, 5).map((one) => ({
    key: `${one.currency} ${one.reason}`,
    label: wordOf(PAID_REASONS, one.reason),
    value: <Money amount={one.amount} currency={one.currency} />,
    hint: `${formatInteger(one.quantity)} 件`,
    onOpen: () => onReason(one.reason),
  }));
  return [...totals, ...reasons];
}

/** What Amazon paid under the filters in use. */
export function PaidStrip({ filter, onReason }: { filter: FilterValue; onReason: (reason: string) => void }) {
  const { data } = useCall(sumReimbursements, { body: { filter } }, { keep: true });
  return <FigureLine figures={data && figuresOf(data, onReason)} />;
}
