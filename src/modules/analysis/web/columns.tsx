import { Tooltip } from 'antd';
import type { ReactNode } from 'react';
import { Decimal } from '#kit/contract/decimal.ts';
import { formatInteger, formatPercent } from '#kit/contract/format.ts';
import { Tag } from '#kit/web/cells/index.ts';
import type { ColumnOverrides } from '#kit/web/grid/index.ts';
import type { WallRow } from '../contract/wall.ts';

const NONE = <span className="text3">—</span>;

/** A figure of a stock that several sites share: it is the whole stock's, and counted once in sums. */
function shared(row: WallRow, value: ReactNode): ReactNode {
  if (row.sharedBy < 2) return value;
  return (
    <Tooltip title={`${row.sharedBy} 个站点共用这份库存，合计只算一次`}>
      <span className={row.leads ? undefined : 'text3'}>{value}</span>
    </Tooltip>
  );
}

const stockCell = (field: 'fulfillable' | 'sellable' | 'inbound') => ({
  render: (row: WallRow) => (row[field] === null ? NONE : shared(row, formatInteger(row[field]))),
  text: (row: WallRow) => String(row[field] ?? ''),
});
const daysCell = (field: 'coverDays' | 'transitDays') => ({
  render: (row: WallRow) => (row[field] === null ? NONE : shared(row, row[field])),
  text: (row: WallRow) => row[field] ?? '',
});

/** What ads cost over sales: without any sales there is no ratio, and that is said. */
const spentCell = (field: 'acos7' | 'acoas7', sales: 'adSales7' | 'sales7') => {
  const wasted = (row: WallRow) =>
    row[field] === null && Number(row.adSpend7 ?? 0) > 0 && Number(row[sales] ?? 0) === 0;
  return {
    render: (row: WallRow) => {
      if (wasted(row)) return <Tag tone="trouble" title="有花费无销售" />;
      return row[field] === null ? NONE : formatPercent(row[field]);
    },
    text: (row: WallRow) => (wasted(row) ? '有花费无销售' : (row[field] ?? '')),
  };
};

/** Cells of the wall that are not drawn by the kind of their field alone. */
export const COLUMNS: ColumnOverrides<WallRow> = {
  // Two places are enough to compare by; the whole figure is in the tip and in files.
  avgDaily: {
    render: ({ avgDaily }) =>
      avgDaily === null ? NONE : <span title={avgDaily}>{new Decimal(avgDaily).toFixed(2)}</span>,
    text: ({ avgDaily }) => avgDaily ?? '',
  },
  fulfillable: stockCell('fulfillable'),
  sellable: stockCell('sellable'),
  inbound: stockCell('inbound'),
  coverDays: daysCell('coverDays'),
  transitDays: daysCell('transitDays'),
  acos7: spentCell('acos7', 'adSales7'),
  acoas7: spentCell('acoas7', 'sales7'),
  tags: {
    render: (row) => (row.tags.length === 0 ? NONE : row.tags.map((tag) => tag.name).join('、')),
    text: (row) => row.tags.map((tag) => tag.name).join('、'),
  },
};
