import { Segmented, Select } from 'antd';
import { formatInteger } from '#kit/contract/format.ts';
import { useCall } from '#kit/web/api/index.ts';
import { Card, useCardChoice } from '#kit/web/cards/index.ts';
import { Country, Integer, Money, ProductCell, Trend } from '#kit/web/cells/index.ts';
import { RANKINGS, type Ranking, topGoods } from '../../contract.ts';
import { useLinks } from '../links.ts';
import type { CardProps } from './props.ts';

type Top = '5' | '10' | '20';
const TOPS = (['5', '10', '20'] as const).map((value) => ({ value, label: `TOP ${value}` }));
const CHOICES = (Object.entries(RANKINGS) as [Ranking, string][]).map(([value, label]) => ({ value, label }));

/** The SKUs that sold most, or changed most; each opens its orders. */
export function Goods({ filter }: CardProps) {
  const links = useLinks(filter);
  const [by, setBy] = useCardChoice<Ranking>('by', 'units');
  const [top, setTop] = useCardChoice<Top>('top', '10');
  const query = useCall(topGoods, { body: { filter, by, limit: Number(top) } }, { keep: true });
  const { data } = query;
  return (
    <Card
      title="商品销量排名"
      scope={filter.zone === 'beijing' && '按站点时间'}
      query={query}
      extra={
        <>
          <Segmented<Ranking> size="small" aria-label="排名依据" options={CHOICES} value={by} onChange={setBy} />
          <Select<Top> size="small" aria-label="条数" options={TOPS} value={top} onChange={setTop} />
        </>
      }
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
