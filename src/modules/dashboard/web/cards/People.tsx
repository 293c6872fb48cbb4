import { formatInteger } from '#kit/contract/format.ts';
import { useCall } from '#kit/web/api/index.ts';
import { Card } from '#kit/web/cards/index.ts';
import { Integer, Money, Person, Trend } from '#kit/web/cells/index.ts';
import { personRank } from '../../contract/cards.ts';
import { useLinks } from '../links.ts';
import type { CardProps } from './props.ts';

/** Who sold how much; a number opens the products that he answers for. */
export function People({ filter }: CardProps) {
  const links = useLinks(filter);
  const query = useCall(personRank, { body: { filter } }, { keep: true });
  const { data } = query;
  const missing = data?.missingRates.length ? ` · 缺少汇率 ${data.missingRates.join('、')}` : '';
  return (
    <Card
      title="销售业绩排名"
      scope={data && `按负责人 · ${data.currency}${filter.zone === 'beijing' ? ' · 按站点时间' : ''}${missing}`}
      query={query}
    >
      {data?.rows.length === 0 && <div className="card-state">这段时间没有销量</div>}
      <ol className="card-list is-lined is-scrolled home-people">
        {data?.rows.map((row, index) => (
          <li key={row.id ?? 'nobody'}>
            <span className="num text3 home-rank">{index + 1}</span>
            {row.id ? <Person name={row.name} /> : <span className="text2">{row.name}</span>}
            <span className="label">{formatInteger(row.skus)} SKU</span>
            <span className="spring" />
            {row.sales !== null && (
              <span className="home-money">
                <Money amount={row.sales} currency={data.currency} converted />
              </span>
            )}
            <button type="button" className="drill strong home-units" onClick={() => links.products(row.id)}>
              <Integer value={row.units} />
            </button>
            <span className="home-change">
              {row.change === null && row.previous > 0 ? (
                '—'
              ) : (
                <Trend change={row.salesChange ?? row.change} good="up" />
              )}
            </span>
          </li>
        ))}
      </ol>
    </Card>
  );
}
