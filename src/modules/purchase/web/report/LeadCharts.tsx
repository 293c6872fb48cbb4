import { useCall } from '#kit/web/api/index.ts';
import { Bars, Legend, LineTrend, type TrendSeries } from '#kit/web/charts/index.ts';
import { type FilterValue, ListChart, ListCharts } from '#kit/web/list/index.ts';
import { type Leg, leadCharts, legTitle } from '../../contract/lead.ts';

/** Legs that a line stands for: together they are the whole way. */
const SHOWN: readonly Leg[] = ['approve', 'order', 'produce', 'transport', 'inspect', 'total'];
const HEIGHT = 200;

interface Props {
  filter: FilterValue;
  onMonth: (month: string) => void;
}

/** How the legs go month by month, and over how many days the pieces are spread; a month opens its orders. */
export function LeadCharts({ filter, onMonth }: Props) {
  const { data } = useCall(leadCharts, { body: { filter } }, { keep: true });
  if (!data || data.months.length === 0) return null;
  const series = SHOWN.map((leg): TrendSeries => {
    const values = data.months.map((month) => month[leg]);
    return { name: legTitle(leg).replace('（天）', ''), values, measure: { kind: 'days' }, sparse: true };
  }).filter(({ values }) => values.some((value) => value !== null));
  return (
    <ListCharts>
      <ListChart title="各环节平均天数，按下单月份" wide>
        <Legend items={series.map(({ name }) => ({ name }))} />
        <LineTrend
          label="各环节平均天数"
          labels={data.months.map(({ month }) => month)}
          series={series}
          height={HEIGHT}
          onPick={(index) => onMonth(data.months[index]?.month ?? '')}
        />
      </ListChart>
      <ListChart title="下单到到货的天数，按到货数量">
        <Bars label="到货数量" bars={data.spread.map(({ name, qty }) => ({ name, value: qty }))} height={HEIGHT + 24} />
      </ListChart>
    </ListCharts>
  );
}
