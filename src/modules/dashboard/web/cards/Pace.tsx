import { formatInteger } from '#kit/contract/format.ts';
import { useCall } from '#kit/web/api/index.ts';
import { Card } from '#kit/web/cards/index.ts';
import { Country, Integer, Trend } from '#kit/web/cells/index.ts';
import { compare } from '../../contract.ts';
import { useLinks } from '../links.ts';
import type { CardProps } from './props.ts';

/** Today against yesterday and last week up to the same time of each site. */
export function Pace({ filter }: CardProps) {
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
    <Card title="销量对比" scope="同时段 · 各站点时间" query={query}>
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
