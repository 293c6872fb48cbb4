import { useCall } from '#kit/web/api/index.ts';
import { Card, useCardChoice } from '#kit/web/cards/index.ts';
import { Legend, LineTrend } from '#kit/web/charts/index.ts';
import { salesChart } from '../../contract.ts';
import { useLinks } from '../links.ts';
import type { CardProps } from './props.ts';

/** Units, orders and returns over the period, each to be hidden, the period before dashed, the running day dotted; a day opens its orders. */
export function SalesTrend({ filter }: CardProps) {
  const links = useLinks(filter);
  const query = useCall(salesChart, { body: { filter } }, { keep: true });
  const { data } = query;
  const open = (data?.unfinished ?? 0) > 0;
  const days = data?.grain === 'day';
  const [off, setOff] = useCardChoice<string>('off', '');
  const isOff = (name: string) => off.split(',').includes(name);
  const toggle = (name: string) => {
    const others = off.split(',').filter((each) => each && each !== name);
    setOff((isOff(name) ? others : [...others, name]).join(','));
  };
  return (
    <Card
      title="销售趋势"
      query={query}
      extra={
        <Legend
          onToggle={toggle}
          items={[
            { name: '销量', off: isOff('销量') },
            { name: '订单', off: isOff('订单') },
            ...(data?.returns ? [{ name: '退货', off: isOff('退货') }] : []),
            { name: '上期销量', line: 'dashed', off: isOff('上期销量') },
            ...(open ? [{ name: '今日未满', line: 'dotted' as const }] : []),
          ]}
        />
      }
    >
      {data && (
        <LineTrend
          label="销量、订单与退货"
          labels={data.labels.map((label) => (days ? label.slice(5) : label))}
          unfinished={data.unfinished}
          series={[
            { name: '销量', values: data.units, off: isOff('销量') },
            { name: '订单', values: data.orders, off: isOff('订单') },
            ...(data.returns ? [{ name: '退货', values: data.returns, off: isOff('退货') }] : []),
            { name: '上期销量', values: data.previousUnits, role: 'previous', off: isOff('上期销量') },
          ]}
          onPick={(index) => {
            const day = days ? (data.labels[index] ?? data.range.from) : data.range.from;
            links.orders({ from: day, to: day });
          }}
        />
      )}
    </Card>
  );
}
