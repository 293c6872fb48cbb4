import { useCall } from '#kit/web/api/index.ts';
import { Bars, LineTrend } from '#kit/web/charts/index.ts';
import { type FilterValue, ListChart, ListCharts } from '#kit/web/list/index.ts';
import { RETURN_REASONS, shareReturns } from '../contract/events.ts';
import { wordOf } from './facts.tsx';

interface Props {
  filter: FilterValue;
  onReason: (reason: string) => void;
  onDay: (day: string) => void;
}

/** More reasons than these are read in the list. */
const MOST = 8;
const HEIGHT = 190;

/** Why and when goods came back, under the filters in use; a reason and a day open their rows. */
export function ReturnCharts({ filter, onReason, onDay }: Props) {
  const { data } = useCall(shareReturns, { body: { filter } }, { keep: true });
  if (!data || data.reasons.length === 0) return null;
  const reasons = data.reasons.slice(0, MOST);
  return (
    <ListCharts>
      <ListChart title="退货原因">
        <Bars
          flat
          label="件数"
          bars={reasons.map(({ reason, quantity }) => ({ name: wordOf(RETURN_REASONS, reason), value: quantity }))}
          height={HEIGHT}
          onPick={(index) => onReason(reasons[index]?.reason ?? '')}
        />
      </ListChart>
      <ListChart title="每日退货件数" wide>
        <LineTrend
          label="每日退货件数"
          labels={data.days.map(({ day }) => day.slice(5))}
          series={[{ name: '退货', values: data.days.map((one) => one.quantity) }]}
          height={HEIGHT}
          onPick={(index) => onDay(data.days[index]?.day ?? '')}
        />
      </ListChart>
    </ListCharts>
  );
}
