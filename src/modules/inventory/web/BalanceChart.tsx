import { useCall } from '#kit/web/api/index.ts';
import { Card } from '#kit/web/cards/index.ts';
import { LineTrend } from '#kit/web/charts/index.ts';
import type { FilterValue } from '#kit/web/list/index.ts';
import { chartBalances } from '../contract/ledger.ts';

/** Closing balances by day under the filters in use. */
export function BalanceChart({ filter, onDay }: { filter: FilterValue; onDay: (day: string) => void }) {
  const { data } = useCall(chartBalances, { body: { filter } }, { keep: true });
  const days = data ?? [];
  if (days.length < 2) return null;
  return (
    <Card title="期末库存走势">
      <LineTrend
        label="每日期末库存"
        labels={days.map(({ day }) => day)}
        series={[
          { name: '可售', values: days.map((one) => one.sellable) },
          { name: '不可售', values: days.map((one) => one.unsellable) },
          { name: '调拨在途', values: days.map((one) => one.inTransit) },
        ]}
        height={200}
        onPick={(index) => onDay(days[index]?.day ?? '')}
      />
    </Card>
  );
}
