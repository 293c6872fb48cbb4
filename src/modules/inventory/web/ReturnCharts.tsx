import { useCall } from '#kit/web/api/index.ts';
import { Card } from '#kit/web/cards/index.ts';
import { LineTrend, Ring } from '#kit/web/charts/index.ts';
import type { FilterValue } from '#kit/web/list/index.ts';
import { RETURN_REASONS, shareReturns } from '../contract/events.ts';
import { wordOf } from './facts.tsx';
import './facts.css';

interface Props {
  filter: FilterValue;
  onReason: (reason: string) => void;
}

/** Why and when goods came back, under the filters in use; a reason opens its rows. */
export function ReturnCharts({ filter, onReason }: Props) {
  const { data } = useCall(shareReturns, { body: { filter } }, { keep: true });
  if (!data || data.reasons.length === 0) return null;
  const byName = new Map(data.reasons.map(({ reason }) => [wordOf(RETURN_REASONS, reason), reason]));
  return (
    <div className="fact-charts">
      <Card title="退货原因">
        <Ring
          label="退货原因"
          unit="件"
          parts={data.reasons.map(({ reason, quantity }) => ({
            name: wordOf(RETURN_REASONS, reason),
            value: String(quantity),
          }))}
          onPick={(name) => onReason(byName.get(name) ?? name)}
        />
      </Card>
      <Card title="退货走势">
        <LineTrend
          label="每日退货件数"
          labels={data.days.map(({ day }) => day)}
          series={[{ name: '退货', values: data.days.map((one) => one.quantity) }]}
          height={190}
        />
      </Card>
    </div>
  );
}
