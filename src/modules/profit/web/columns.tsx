import { Money } from '#kit/web/cells/index.ts';
import { type ColumnOverrides, type GridColumn, gridColumns } from '#kit/web/grid/columns.ts';
import { FIGURE_KEYS } from '../contract/figures.ts';
import { type Dimension, ProfitRow } from '../contract/report.ts';
import type { DrillKey } from './composition.ts';
import type { OpenRow } from './ProfitDrawer.tsx';

/** Columns that name a row, by dimension. */
const NAMES: Record<Dimension, readonly string[]> = {
  sku: ['product'],
  msku: ['product', 'store'],
  store: ['store'],
  day: ['day'],
};
const ALL_NAMES = ['product', 'store', 'day'];

export const SORTABLE = [
  'day',
  'units',
  'orders',
  'refundUnits',
  'refundRate',
  'netSales',
  'platformNet',
  'cogs',
  'costMissing',
  'profit',
  'margin',
  'roi',
  'settledShare',
  ...FIGURE_KEYS,
];

type Open = (open: OpenRow) => void;

function drill(key: DrillKey, open: Open) {
  return {
    render: (row: ProfitRow) => {
      const amount = row[key];
      if (key === 'cogs' && amount === null && row.costMissing > 0) return <span className="warning">缺成本</span>;
      if (amount === null || amount === undefined)
        return <span className="text3">{row.fxMissing ? '缺汇率' : '—'}</span>;
      return (
        <button type="button" className="drill" onClick={() => open({ row, tab: 'lines', figure: key })}>
          <Money amount={amount} currency={row.currency} />
        </button>
      );
    },
  };
}

function result(open: Open) {
  return {
    render: (row: ProfitRow) =>
      row.profit === null ? (
        <span className="text3">{row.fxMissing ? '缺汇率' : '—'}</span>
      ) : (
        <button
          type="button"
          className="drill strong"
          onClick={() => open({ row, tab: 'composition', figure: 'sales' })}
        >
          <Money amount={row.profit} currency={row.currency} good="up" />
        </button>
      ),
  };
}

/** The columns of a dimension; every amount opens to what it is made of. */
export function reportColumns(
  dimension: Dimension,
  permissions: ReadonlySet<string> | undefined,
  open: Open,
): GridColumn<ProfitRow>[] {
  const overrides: ColumnOverrides<ProfitRow> = {
    ...Object.fromEntries(FIGURE_KEYS.map((key) => [key, drill(key, open)])),
    cogs: drill('cogs', open),
    profit: result(open),
  };
  return gridColumns(ProfitRow, overrides, permissions).filter(
    (column) => !ALL_NAMES.includes(column.key) || NAMES[dimension].includes(column.key),
  );
}
