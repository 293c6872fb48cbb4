import type { ReactNode } from 'react';
import { Integer, Money } from '#kit/web/cells/index.ts';
import { type ColumnOverride, type ColumnOverrides, type GridColumn, gridColumns } from '#kit/web/grid/columns.ts';
import { FIGURE_KEYS } from '../contract/figures.ts';
import { ALL_NAMES, DIMENSIONS, type Dimension, NAMES, ProfitRow } from '../contract/report.ts';
import type { DrillKey } from './composition.ts';
import type { OpenRow } from './ProfitDrawer.tsx';
import { wholeRow } from './whole.ts';

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

/** Cells of the amounts of a report: every one opens to what it is made of. */
export function opening(open: Open): ColumnOverrides<ProfitRow> {
  return {
    ...Object.fromEntries(FIGURE_KEYS.map((key) => [key, drill(key, open)])),
    cogs: drill('cogs', open),
    fees: drill('fees', open),
    units: count('units', 'sales', open),
    orders: count('orders', 'sales', open),
    refundUnits: count('refundUnits', 'refund', open),
    netSales: result('netSales', open),
    platformNet: result('platformNet', open),
    profit: result('profit', open),
  };
}

/** The columns of a dimension; every amount opens to what it is made of. */
export function reportColumns(
  dimension: Dimension,
  permissions: ReadonlySet<string> | undefined,
  open: Open,
): GridColumn<ProfitRow>[] {
  return gridColumns(ProfitRow, opening(open), permissions)
    .filter(({ key }) => !ALL_NAMES.includes(key) || NAMES[dimension].includes(key))
    .map((column) => (column.key === 'name' ? { ...column, title: DIMENSIONS[dimension] } : column));
}
