import type { ReactNode } from 'react';
import { Integer, Money } from '#kit/web/cells/index.ts';
import { type ColumnOverride, type ColumnOverrides, type GridColumn, gridColumns } from '#kit/web/grid/columns.ts';
import { FIGURE_KEYS } from '../contract/figures.ts';
import { type Dimension, ProfitRow } from '../contract/report.ts';
import type { DrillKey } from './composition.ts';
import type { OpenRow } from './ProfitDrawer.tsx';
import { wholeRow } from './whole.ts';

/** Columns that name a row, by dimension. */
const NAMES: Record<Dimension, readonly string[]> = {
  sku: ['product'],
  msku: ['product', 'store'],
  store: ['store'],
  day: ['day'],
};
const ALL_NAMES = ['product', 'store', 'day'];

type Open = (open: OpenRow) => void;

type Draw = (row: ProfitRow) => ReactNode;

/** A cell that is drawn the same for a row and for the totals, which stand for the whole filter. */
function cell(draw: Draw): ColumnOverride<ProfitRow> {
  return {
    render: draw,
    total: (totals) => {
      const whole = wholeRow(totals);
      return whole && draw(whole);
    },
  };
}

function drill(key: DrillKey, open: Open) {
  return cell((row) => {
    const amount = row[key];
    if (key === 'cogs' && amount === null && row.costMissing > 0) return <span className="warning">缺成本</span>;
    if (amount === null || amount === undefined) return <span className="text3">{row.fxMissing ? '缺汇率' : '—'}</span>;
    return (
      <button type="button" className="drill" onClick={() => open({ row, tab: 'lines', figure: key })}>
        <Money amount={amount} currency={row.currency} />
      </button>
    );
  });
}

/** A number of pieces or orders, open to the money lines that it was counted from. */
function count(key: 'units' | 'orders' | 'refundUnits', figure: DrillKey, open: Open) {
  return cell((row) => (
    <button type="button" className="drill" onClick={() => open({ row, tab: 'lines', figure })}>
      <Integer value={row[key]} />
    </button>
  ));
}

/** A sum of figures, open to the composition, whose every line opens in turn. */
function result(key: 'netSales' | 'platformNet' | 'profit', open: Open) {
  const profit = key === 'profit';
  return cell((row) => {
    const amount = row[key];
    if (amount === null || amount === undefined) return <span className="text3">{row.fxMissing ? '缺汇率' : '—'}</span>;
    return (
      <button
        type="button"
        className={profit ? 'drill strong' : 'drill'}
        onClick={() => open({ row, tab: 'composition', figure: 'sales' })}
      >
        <Money amount={amount} currency={row.currency} {...(profit ? { good: 'up' } : {})} />
      </button>
    );
  });
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
    units: count('units', 'sales', open),
    orders: count('orders', 'sales', open),
    refundUnits: count('refundUnits', 'refund', open),
    netSales: result('netSales', open),
    platformNet: result('platformNet', open),
    profit: result('profit', open),
  };
  return gridColumns(ProfitRow, overrides, permissions).filter(
    (column) => !ALL_NAMES.includes(column.key) || NAMES[dimension].includes(column.key),
  );
}
