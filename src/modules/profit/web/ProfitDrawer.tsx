import { Decimal } from '#kit/contract/decimal.ts';
import { Picture } from '#kit/web/cells/index.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import { Proof } from '#kit/web/proof/Proof.tsx';
import type { ProfitFilter, ProfitRow } from '../contract/report.ts';
import { Composition } from './Composition.tsx';
import { Contribution } from './Contribution.tsx';
import { compositionOf, type DrillKey } from './composition.ts';
import { DrillTab } from './DrillTab.tsx';
import { TrendTab } from './TrendTab.tsx';
import { rowFilter } from './whole.ts';

export type DrawerTabKey = 'composition' | 'trend' | 'contribution' | 'lines';

/** The row that is open, and what of it. */
export interface OpenRow {
  row: ProfitRow;
  tab: DrawerTabKey;
  figure: DrillKey;
}

interface Props {
  open: OpenRow | undefined;
  rows: readonly ProfitRow[];
  filter: ProfitFilter;
  onChange: (open: OpenRow | undefined) => void;
}

const TABS = [
  { key: 'composition', title: '利润构成' },
  { key: 'trend', title: '日趋势' },
  { key: 'contribution', title: 'SKU贡献' },
  { key: 'lines', title: '费用行' },
];

function titleOf(row: ProfitRow): string {
  if (row.store && !row.product) return `${row.store.name} ${row.store.country}`;
  return row.product?.name ?? row.name ?? row.day ?? row.month ?? '筛选结果合计';
}

/** Says that the lines of the composition are the result of the row. */
function RowProof({ row }: { row: ProfitRow }) {
  const result = row.profit ?? row.platformNet;
  if (row.fxMissing || result === null) return null;
  const amounts = compositionOf(row)
    .filter((line) => row.profit != null || line.key !== 'cogs')
    .map((line) => line.amount);
  const lines = amounts.reduce((sum, amount) => sum.plus(amount), new Decimal(0)).toFixed();
  return <Proof total={result} lines={lines} currency={row.currency} text="明细合计与报表一致" />;
}

/** One row of the report in full: 构成, 趋势, 贡献, 费用行; ↑↓ goes to the next row. */
export function ProfitDrawer({ open, rows, filter, onChange }: Props) {
  const row = open?.row;
  const at = row ? rows.findIndex((one) => one.id === row.id) : -1;
  const step = (by: number) => {
    const next = at < 0 ? undefined : rows[at + by];
    return open && next ? () => onChange({ ...open, row: next }) : undefined;
  };
  const period = filter.date ? `${filter.date.from ?? ''} 至 ${filter.date.to ?? ''}` : '近 30 天';
  return (
    <DetailDrawer
      open={open !== undefined}
      onClose={() => onChange(undefined)}
      title={row ? titleOf(row) : ''}
      subtitle={row?.product?.code}
      picture={row?.product && <Picture src={row.product.image} size={40} />}
      tabs={row && row.sku === null ? TABS : TABS.filter(({ key }) => key !== 'contribution')}
      tab={open?.tab ?? 'composition'}
      onTab={(tab) => open && onChange({ ...open, tab: tab as DrawerTabKey })}
      scope={
        row &&
        `${row.store ? `${row.store.name} ${row.store.country} · ` : ''}${row.day ?? row.month ?? period} · 发生口径 · ${row.currency}`
      }
      onPrev={step(-1)}
      onNext={step(1)}
      stepLabel="切换"
      foot={row && <RowProof row={row} />}
    >
      {open?.tab === 'composition' && (
        <Composition row={open.row} onOpen={(figure) => onChange({ ...open, tab: 'lines', figure })} />
      )}
      {open?.tab === 'trend' && <TrendTab filter={rowFilter(filter, open.row)} />}
      {open?.tab === 'contribution' && <Contribution filter={rowFilter(filter, open.row)} />}
      {open?.tab === 'lines' && (
        <DrillTab
          row={open.row}
          filter={filter}
          figure={open.figure}
          onFigure={(figure) => onChange({ ...open, figure })}
        />
      )}
    </DetailDrawer>
  );
}
