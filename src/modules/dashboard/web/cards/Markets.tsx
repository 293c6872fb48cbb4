import { useCall } from '#kit/web/api/index.ts';
import { Card } from '#kit/web/cards/index.ts';
import { Country, Trend } from '#kit/web/cells/index.ts';
import { Ring } from '#kit/web/charts/index.ts';
import { marketPie } from '../../contract.ts';
import { useLinks } from '../links.ts';
import type { CardProps } from './props.ts';

/** Units by marketplace: ring and ranked list; a part opens its orders. */
export function Markets({ filter }: CardProps) {
  const links = useLinks(filter);
  const query = useCall(marketPie, { body: { filter } }, { keep: true });
  const { data } = query;
  return (
    <Card title="市场销量" query={query}>
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
