import { useCall } from '#kit/web/api/index.ts';
import { Legend, LineTrend } from '#kit/web/charts/index.ts';
import { type FilterValue, ListChart, ListCharts } from '#kit/web/list/index.ts';
import { priceChart } from '../../contract/price-trend.ts';

const HEIGHT = 200;

/** What one product cost month by month, a line for each supplier; nothing where several products are listed. */
export function PriceChart({ filter }: { filter: FilterValue }) {
  const { data } = useCall(priceChart, { body: { filter } }, { keep: true });
  if (!data) return null;
  const series = data.suppliers.map(({ name, prices }) => ({
    name,
    values: prices,
    measure: { kind: 'money' as const, currency: 'CNY' },
    sparse: true,
  }));
  return (
    <ListCharts>
      <ListChart title={`${data.sku} 采购均价（人民币），按下单月份`} wide>
        <Legend items={series.map(({ name }) => ({ name }))} />
        <LineTrend label="采购均价" labels={data.months} series={series} height={HEIGHT} />
      </ListChart>
    </ListCharts>
  );
}
