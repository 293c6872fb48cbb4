import type { UseQueryResult } from '@tanstack/react-query';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Reply } from '#kit/contract/endpoint.ts';
import { formatInteger, formatPercent } from '#kit/contract/format.ts';
import { messageOf, useCall } from '#kit/web/api/index.ts';
import { type Figure, FigureStrip, StripTools } from '#kit/web/cards/index.ts';
import { Integer, Money, Sparkline, Trend } from '#kit/web/cells/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { totalProfit } from '#modules/profit/contract/report.ts';
import type { HomeFilter, kpi } from '../contract.ts';
import { useLinks } from './links.ts';

type Kpi = Reply<typeof kpi>;

interface Props {
  query: UseQueryResult<Kpi, Error>;
  filter: HomeFilter;
  /** "marketplaceId-accountId" of every site. */
  sites: readonly string[];
}

function changeOf(value: string, previous: string): string | null {
  return new Decimal(previous).isZero()
    ? null
    : new Decimal(value).minus(previous).div(new Decimal(previous).abs()).toFixed();
}

/** A change, or nothing where neither period has a value. */
function change(value: number | string, previous: number | string, of: string | null, good: 'up' = 'up') {
  return Number(value) === 0 && Number(previous) === 0 ? undefined : <Trend change={of} good={good} />;
}

function useProfit({ filter, sites, query }: Props) {
  const report = useAllowed('fin:profit:view');
  const cost = useAllowed('fin:cost:view');
  const range = query.data?.range;
  const stores = sites.filter((site) => {
    const [market = '', ...account] = site.split('-');
    const of = (list: readonly string[], id: string) => list.length === 0 || list.includes(id);
    return of(filter.marketplaceIds, market) && of(filter.accountIds, account.join('-'));
  });
  const narrowed = stores.length < sites.length;
  const currency = filter.currency === 'EUR' ? 'CNY' : filter.currency === 'auto' ? 'ORIGINAL' : filter.currency;
  const body = {
    filter: {
      ...(narrowed ? { stores } : {}),
      ...(range ? { date: { from: range.from, to: range.to } } : {}),
      currency: currency as 'CNY' | 'USD' | 'ORIGINAL',
    },
  };
  const enabled = report && cost && range !== undefined && stores.length > 0;
  return useCall(totalProfit, { body }, { enabled, keep: true }).data;
}

function salesFigures(data: Kpi, open: () => void): Figure[] {
  const { units, orders, netSales } = data;
  const figures: Figure[] = [];
  if (netSales) {
    const estimated = new Decimal(netSales.estimated);
    figures.push({
      key: 'netSales',
      label: estimated.gt(0) ? '净销售额（含预估）' : '净销售额',
      value: <Money amount={netSales.value} currency={netSales.currency} converted={netSales.converted} />,
      trend: change(netSales.value, netSales.previous, netSales.change),
      hint: netSales.presetRates.length > 0 ? '按预设汇率折算' : data.unfinished ? '比同时段' : '比上期',
      spark: <Sparkline values={netSales.spark} label="净销售额走势" />,
      onOpen: open,
    });
  }
  figures.push(
    {
      key: 'units',
      label: '销量',
      value: <Integer value={units.value} />,
      trend: change(units.value, units.previous, units.change),
      hint: `动销 ${formatInteger(data.skus)} SKU`,
      spark: <Sparkline values={units.spark} label="销量走势" />,
      onOpen: open,
    },
    {
      key: 'orders',
      label: '订单数',
      value: <Integer value={orders.value} />,
      trend: change(orders.value, orders.previous, orders.change),
      hint: orders.value > 0 ? `每单 ${(units.value / orders.value).toFixed(2)} 件` : undefined,
      spark: <Sparkline values={orders.spark} label="订单数走势" />,
      onOpen: open,
    },
  );
  if (netSales && units.value > 0) {
    const price = (value: string, count: number) => (count > 0 ? new Decimal(value).div(count).toFixed() : '0');
    const [now, before] = [price(netSales.value, units.value), price(netSales.previous, units.previous)];
    figures.push({
      key: 'asp',
      label: '件均价',
      value: <Money amount={now} currency={netSales.currency} converted={netSales.converted} />,
      trend: change(now, before, changeOf(now, before)),
      hint: '净销售额 ÷ 销量',
      onOpen: open,
    });
  }
  return figures;
}

/** The strip of key figures; each opens the rows behind it. Profit comes from the profit report's own call. */
export function Strip(props: Props) {
  const { query, filter } = props;
  const links = useLinks(filter);
  const profit = useProfit(props);
  const { data } = query;
  if (query.isError && !query.isFetching) {
    return (
      <section className="figure-strip">
        <div className="card-state" role="alert">
          <span>加载失败：{messageOf(query.error)}</span>
          <button type="button" className="link" onClick={() => void query.refetch()}>
            重试
          </button>
        </div>
        <StripTools />
      </section>
    );
  }
  if (!data) return <FigureStrip figures={undefined} count={5} />;
  const figures = salesFigures(data, () => links.orders(data.range));
  if (profit?.current.profit) {
    const { current, previous, currency, converted } = profit;
    figures.push({
      key: 'profit',
      label: '毛利润（按结算日期）',
      value: <Money amount={current.profit} currency={currency} converted={converted} good="up" />,
      trend:
        previous?.profit && current.profit ? (
          <Trend change={changeOf(current.profit, previous.profit)} good="up" />
        ) : undefined,
      hint: `毛利率 ${formatPercent(current.margin)}`,
      onOpen: () => links.profit(data.range),
    });
  }
  return <FigureStrip figures={figures} />;
}
