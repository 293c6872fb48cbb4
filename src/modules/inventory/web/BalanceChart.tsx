import { useCall } from '#kit/web/api/index.ts';
import { Legend, LineTrend } from '#kit/web/charts/index.ts';
import { type FilterValue, ListChart, ListCharts } from '#kit/web/list/index.ts';
import { chartBalances } from '../contract/ledger.ts';

const NAMES = ['可售', '不可售', '调拨在途'];

/** Closing balances by day under the filters in use; a day opens its movements. */
export function BalanceChart({ filter, onDay }: { filter: FilterValue; onDay: (day: string) => void }) {
  const { data } = useCall(chartBalances, { body: { filter } }, { keep: true });
  const days = data ?? [];
  if (days.length < 2) return null;
  return (
    <ListCharts>
      <ListChart title="期末库存走势">
        <Legend items={NAMES.map((name) => ({ name }))} />
        <LineTrend
          label="每日期末库存"
          labels={days.map(({ day }) => day.slice(5))}
          series={[
            { name: '可售', values: days.map((one) => one.sellable) },
            { name: '不可售', values: days.map((one) => one.unsellable) },
            { name: '调拨在途', values: days.map((one) => one.inTransit) },
          ]}
          height={150}
          onPick={(index) => onDay(days[index]?.day ?? '')}
        />
      </ListChart>
    </ListCharts>
  );
}
