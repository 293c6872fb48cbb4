import { Money } from '#kit/web/cells/index.ts';
import type { ColumnOverride, ColumnOverrides } from '#kit/web/grid/columns.ts';
import { FIGURE_KEYS } from '../contract/figures.ts';
import type { SettledRow } from '../contract/settled.ts';

const AMOUNTS = [...FIGURE_KEYS, 'netSales', 'platformNet', 'cogs', 'profit'] as const;

/** An amount, or why it is not known. */
function amount(key: (typeof AMOUNTS)[number]): ColumnOverride<SettledRow> {
  return {
    render: (row) => {
      const value = row[key];
      if (value != null) {
        return <Money amount={value} currency={row.currency} {...(key === 'profit' ? { good: 'up' } : {})} />;
      }
      if (key === 'cogs' && row.costMissing > 0) return <span className="warning">缺成本</span>;
      return <span className="text3">{row.fxMissing ? '缺汇率' : '—'}</span>;
    },
    text: (row) => row[key] ?? '',
  };
}

export const SETTLED_COLUMNS: ColumnOverrides<SettledRow> = Object.fromEntries(
  AMOUNTS.map((key) => [key, amount(key)]),
);
