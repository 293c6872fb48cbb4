import { Segmented } from 'antd';
import { useState } from 'react';
import { formatInteger } from '#kit/contract/format.ts';
import { useCall } from '#kit/web/api/index.ts';
import { Card } from '#kit/web/cards/index.ts';
import { Country, Integer, Money, ProductCell, Trend } from '#kit/web/cells/index.ts';
import { Legend, LineTrend, Ring } from '#kit/web/charts/index.ts';
import { compare, type HomeFilter, marketPie, RANKINGS, type Ranking, salesChart, topGoods } from '../contract.ts';
import { useLinks } from './links.ts';

export const CARD_HEIGHT = 292;
/** Ten products under the head of their card. */
export const GOODS_HEIGHT = 456;

interface Props {
  filter: HomeFilter;
}

/** Units and orders over the period, the period before dashed, the running day dotted; a day opens its orders. */
export function SalesTrend({ filter }: Props) {
  const links = useLinks(filter);
  const query = useCall(salesChart, { body: { filter } }, { keep: true });
  const { data } = query;
  const open = (data?.unfinished ?? 0) > 0;
  const days = data?.grain === 'day';
  return (
    <Card
      title="销售趋势"
      span={8}
      height={CARD_HEIGHT}
      query={query}
      extra={
        <Legend
          items={[
            { name: '销量' },
            { name: '订单' },
            { name: '上期销量', line: 'dashed' },
            ...(open ? [{ name: '今日未满', line: 'dotted' as const }] : []),
          ]}
        />
      }
    >
      {data && (
        <LineTrend
          label="销量与订单"
          labels={data.labels.map((label) => (days ? label.slice(5) : label))}
          unfinished={data.unfinished}
          series={[
            { name: '销量', values: data.units },
            { name: '订单', values: data.orders },
            { name: '上期销量', values: data.previousUnits, role: 'previous' },
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

/** Today against yesterday and last week up to the same time of each site. */
export function Pace({ filter }: Props) {
  const links = useLinks(filter);
  const query = useCall(compare, { body: { filter } }, { keep: true, every: 60_000 });
  const { data } = query;
  const others = data && [
    { name: '昨日同时段', ...data.yesterday, change: data.vsYesterday },
    { name: '前日同时段', ...data.dayBefore, change: undefined },
    { name: '上周同日同时段', ...data.lastWeek, change: data.vsLastWeek },
    { name: '昨日全天', ...data.yesterdayAll, change: undefined },
  ];
  return (
    <Card title="今日对比" scope="同时段 · 各站点时间" span={4} height={CARD_HEIGHT} query={query}>
      {data && (
        <>
          <div className="home-pace">
            <button type="button" className="drill home-big" onClick={() => links.today()}>
              <Integer value={data.today.units} />
            </button>
            <span className="label">件 · {formatInteger(data.today.orders)} 单</span>
            <span className="spring" />
            {data.sites.slice(0, 3).map((site) => (
              <button
                key={site.marketplaceId}
                type="button"
                className="drill home-site"
                title={`截至 ${site.until}`}
                onClick={() => links.today(site.marketplaceId)}
              >
                <Country code={site.country} /> <Integer value={site.today} />
              </button>
            ))}
          </div>
          <ul className="card-list is-lined is-spread">
            {others?.map((row) => (
              <li key={row.name}>
                <span>{row.name}</span>
                <span className="spring" />
                <span className="label">{formatInteger(row.orders)} 单</span>
                <span className="num strong home-units">{formatInteger(row.units)}</span>
                <span className="home-change">
                  {row.change === undefined ? null : row.units === 0 && data.today.units === 0 ? (
                    '—'
                  ) : (
                    <Trend change={row.change} good="up" />
                  )}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  );
}

/** Units by marketplace: ring and ranked list; a part opens its orders. */
export function Markets({ filter }: Props) {
  const links = useLinks(filter);
  const query = useCall(marketPie, { body: { filter } }, { keep: true });
  const { data } = query;
  return (
    <Card title="市场销量" span={4} height={CARD_HEIGHT} query={query}>
      {data && data.units === 0 ? (
        <div className="card-state">这段时间没有销量</div>
      ) : (
        data && (
          <Ring
            label="销量"
            unit="件"
            parts={data.markets
              .filter((market) => market.units > 0)
              .map((market) => ({
                name: market.name,
                value: String(market.units),
                title: <Country code={market.country} />,
                trend: <Trend change={market.change} good="up" />,
              }))}
            onPick={(name) => {
              const market = data.markets.find((one) => one.name === name);
              if (market) links.orders(data.range, { marketplaceId: market.marketplaceId });
            }}
          />
        )
      )}
    </Card>
  );
}

const CHOICES = (Object.entries(RANKINGS) as [Ranking, string][]).map(([value, label]) => ({ value, label }));

/** The ten SKUs that sold most, or changed most; each opens its orders. */
export function Goods({ filter }: Props) {
  const links = useLinks(filter);
  const [by, setBy] = useState<Ranking>('units');
  const query = useCall(topGoods, { body: { filter, by } }, { keep: true });
  const { data } = query;
  return (
    <Card
      title="商品销量排名"
      scope={filter.zone === 'beijing' ? '按站点时间' : 'TOP 10'}
      span={7}
      height={GOODS_HEIGHT}
      query={query}
      extra={<Segmented<Ranking> size="small" aria-label="排名依据" options={CHOICES} value={by} onChange={setBy} />}
    >
      {data?.rows.length === 0 && <div className="card-state">这段时间没有符合条件的商品</div>}
      <ol className="card-list is-lined home-goods">
        {data?.rows.map((row, index) => (
          <li key={row.id}>
            <span className="num text3 home-rank">{index + 1}</span>
            <ProductCell product={row.product} size={36} />
            <Country code={row.store.country} />
            {row.netSales !== null && (
              <span className="home-money">
                <Money amount={row.netSales} currency={row.currency} />
              </span>
            )}
            <button
              type="button"
              className="drill strong home-units"
              onClick={() => links.orders(data.range, { ...row, sku: row.product.code })}
            >
              <Integer value={row.units} />
            </button>
            <span className="home-change">
              {row.change === null && row.previous > 0 ? '—' : <Trend change={row.change} good="up" />}
            </span>
            <span className="label home-stock" title="FBA 可售">
              可售 {formatInteger(row.fulfillable)}
            </span>
          </li>
        ))}
      </ol>
    </Card>
  );
}
