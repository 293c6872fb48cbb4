import { useCall } from '#kit/web/api/index.ts';
import { LineTrend, Ring } from '#kit/web/charts/index.ts';
import { type FilterValue, ListChart, ListCharts } from '#kit/web/list/index.ts';
import { RETURN_REASONS } from '#modules/inventory/contract/events.ts';
import { Party } from '../contract/fields.ts';
import { shareReturns } from '../contract/reasons.ts';

interface Props {
  filter: FilterValue;
  /** Opens the rows of a day or of a SKU. */
  onDay: (day: string) => void;
  onSku: (sku: string) => void;
}

const HEIGHT = 190;
const REASONS: Readonly<Record<string, { title: string }>> = RETURN_REASONS;
const PARTIES: Readonly<Record<string, { title: string }>> = Party.meta()?.states ?? {};

/** Why, when and of which SKUs goods came back, and who answers for it, under the filters in use. */
export function ReturnCharts({ filter, onDay, onSku }: Props) {
  const { data } = useCall(shareReturns, { body: { filter } }, { keep: true });
  if (!data || data.total === 0) return null;
  return (
    <ListCharts>
      <ListChart title="退货原因">
        <Ring
          label="件数"
          unit="件"
          parts={data.reasons.map(({ key, quantity }) => ({
            name: REASONS[key]?.title ?? key,
            value: String(quantity),
          }))}
        />
      </ListChart>
      <ListChart title="责任方">
        <Ring
          label="件数"
          unit="件"
          parts={data.parties.map(({ key, quantity }) => ({
            name: PARTIES[key]?.title ?? '未归因',
            value: String(quantity),
          }))}
        />
      </ListChart>
      <ListChart title="每日退货件数">
        <LineTrend
          label="每日退货件数"
          labels={data.days.map(({ key }) => key.slice(5))}
          series={[{ name: '退货', values: data.days.map(({ quantity }) => quantity) }]}
          height={HEIGHT}
          onPick={(index) => onDay(data.days[index]?.key ?? '')}
        />
      </ListChart>
      <ListChart title="退货最多的SKU（帕累托）">
        <LineTrend
          label="退货最多的SKU"
          labels={data.skus.map(({ key }) => key)}
          series={[
            { name: '退货', values: data.skus.map(({ quantity }) => quantity), shape: 'bar' },
            {
              name: '累计占比',
              values: data.skus.map(({ cumulative }) => cumulative),
              measure: { kind: 'percent' },
              axis: 'right',
            },
          ]}
          height={HEIGHT}
          onPick={(index) => onSku(data.skus[index]?.key ?? '')}
        />
      </ListChart>
    </ListCharts>
  );
}
