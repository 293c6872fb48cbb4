import type { ReactNode } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { Card } from '#kit/web/cards/index.ts';
import { Integer, Money, Percent, Trend } from '#kit/web/cells/index.ts';
import { Legend, LineTrend } from '#kit/web/charts/index.ts';
import { adChart } from '../../contract/cards.ts';
import { useLinks } from '../links.ts';
import type { CardProps } from './props.ts';

/** Clicks, units, spend, ACoS and TACoS, spend and ACoS by day; each figure opens the campaigns. */
export function Ads({ filter }: CardProps) {
  const links = useLinks(filter);
  const query = useCall(adChart, { body: { filter } }, { keep: true });
  const { data } = query;
  const figures: { name: string; value: ReactNode; trend: ReactNode }[] = data
    ? [
        { name: '点击', value: <Integer value={data.clicks.value} />, trend: <Trend change={data.clicks.change} /> },
        {
          name: '广告销量',
          value: <Integer value={data.units.value} />,
          trend: <Trend change={data.units.change} good="up" />,
        },
        {
          name: '花费',
          value: <Money amount={data.spend.value} currency={data.currency} converted={data.converted} />,
          trend: <Trend change={data.spend.change} />,
        },
        {
          name: 'ACoS',
          value: <Percent value={data.acos.value} />,
          trend: <Trend change={data.acos.change} good="down" points />,
        },
        ...(data.tacos
          ? [
              {
                name: 'TACoS',
                value: <Percent value={data.tacos.value} />,
                trend: <Trend change={data.tacos.change} good="down" points />,
              },
            ]
          : []),
      ]
    : [];
  return (
    <Card title="广告表现" query={query} extra={<Legend items={[{ name: '花费' }, { name: 'ACoS' }]} />}>
      {data === null && <div className="card-state">无查看广告的权限</div>}
      {data && (
        <>
          <div className="home-figures is-tight">
            {figures.map(({ name, value, trend }) => (
              <div key={name}>
                <span className="label">{name}</span>
                <button type="button" className="drill strong" onClick={() => links.ads(data.range)}>
                  {value}
                </button>
                {data.clicks.value > 0 && trend}
              </div>
            ))}
          </div>
          <LineTrend
            label="广告花费与 ACoS"
            labels={data.labels.map((day) => day.slice(5))}
            series={[
              { name: '花费', values: data.spend.days, measure: { kind: 'money', currency: data.currency } },
              { name: 'ACoS', values: data.acos.days, measure: { kind: 'percent' }, axis: 'right' },
            ]}
            onPick={(index) => {
              const day = data.labels[index] ?? data.range.from;
              links.ads({ from: day, to: day });
            }}
          />
          {data.missingRates.length > 0 && (
            <span className="label home-note">缺少汇率：{data.missingRates.join('、')}，未计入</span>
          )}
        </>
      )}
    </Card>
  );
}
