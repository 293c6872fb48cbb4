import { Decimal } from '#kit/contract/decimal.ts';
import { useCall } from '#kit/web/api/index.ts';
import { type Figure, FigureLine } from '#kit/web/cards/Figures.tsx';
import { Money, Percent, Trend } from '#kit/web/cells/index.ts';
import type { FilterValue } from '#kit/web/list/index.ts';
import { type ProfitSums, type ProfitTotal, totalProfit } from '../contract/report.ts';
import type { DrillKey } from './composition.ts';
import type { DrawerTabKey } from './ProfitDrawer.tsx';

/** What a figure opens: the lines of one amount, or the composition, whose every line opens in turn. */
const LINES: Partial<Record<Amount, DrillKey>> = { sales: 'sales', ads: 'ads', cogs: 'cogs' };

type Amount = Exclude<keyof ProfitSums, 'units' | 'margin'>;

const FIGURES: [key: Amount, label: string, good?: 'up' | 'down'][] = [
  ['sales', '销售额', 'up'],
  ['netSales', '净销售额', 'up'],
  ['platformFees', '平台费用', 'down'],
  ['ads', '广告费'],
  ['cogs', '采购成本'],
  ['profit', '毛利润', 'up'],
];

/** Change against the period before, by size: costs are negative, so a bigger cost is more. */
function changeOf(now: string | null, before: string | null | undefined): string | null {
  if (now === null || before === null || before === undefined) return null;
  const base = new Decimal(before);
  if (base.isZero()) return null;
  const cost = base.isNegative() && !new Decimal(now).isPositive();
  const size = (value: Decimal) => (cost ? value.abs() : value);
  return size(new Decimal(now)).minus(size(base)).div(base.abs()).toDecimalPlaces(6).toFixed();
}

type Open = (tab: DrawerTabKey, figure: DrillKey) => void;

function figuresOf({ currency, converted, current, previous }: ProfitTotal, open: Open | undefined): Figure[] {
  const opens = (figure: DrillKey | undefined) =>
    open ? { onOpen: () => open(figure ? 'lines' : 'composition', figure ?? 'sales') } : {};
  const figures = FIGURES.map(([key, label, good]): Figure => {
    const amount = current[key];
    return {
      key,
      label,
      value: (
        <Money amount={amount} currency={currency} good={key === 'profit' ? 'up' : undefined} converted={converted} />
      ),
      ...opens(LINES[key]),
      ...(previous && amount !== null ? { trend: <Trend change={changeOf(amount, previous[key])} good={good} /> } : {}),
    };
  });
  const change =
    current.margin !== null && previous?.margin != null
      ? new Decimal(current.margin).minus(previous.margin).toDecimalPlaces(6).toFixed()
      : null;
  return [
    ...figures,
    {
      key: 'margin',
      label: '毛利率',
      value: <Percent value={current.margin} good="up" />,
      ...opens(undefined),
      ...(change === null ? {} : { trend: <Trend change={change} good="up" points /> }),
    },
  ];
}

/** What the report's notices and strip are made of, under the filters in use. */
export function useTotal(filter: FilterValue) {
  return useCall(totalProfit, { body: { filter } }, { keep: true }).data;
}

/** Key figures of the period with their change against the one before; `onOpen` shows what one is made of. */
export function ReportStrip({ total, onOpen }: { total: ProfitTotal | undefined; onOpen: Open | undefined }) {
  return <FigureLine figures={total && figuresOf(total, onOpen)} />;
}
