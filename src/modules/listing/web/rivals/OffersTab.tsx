import { Segmented } from 'antd';
import { useMemo, useState } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { Money, stampText, Tag, When } from '#kit/web/cells/index.ts';
import { Legend, LineTrend, type TrendSeries } from '#kit/web/charts/index.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import './rivals.css';
import { BookPoint, listingOffers, MarketOffer } from '../../contract/rivals.ts';

const RANGES = [
  { value: '7', label: '近7天' },
  { value: '30', label: '近30天' },
  { value: '90', label: '近90天' },
];
type Range = '7' | '30' | '90';
const SOURCES = { notice: '报价变化通知', poll: '定时读取' } as const;

/** Price, featured price and lowest price at each change; spans in which the listing was featured lie grey behind them. */
function Past({ past, currency }: { past: readonly BookPoint[]; currency: string }) {
  const labels = useMemo(() => past.map((one) => stampText(one.asOf)), [past]);
  const series = useMemo((): TrendSeries[] => {
    const measure = { kind: 'money' as const, currency };
    return [
      { name: '本店售价', values: past.map((one) => one.ownPrice), measure },
      { name: '购物车价', values: past.map((one) => one.featuredPrice), measure },
      { name: '最低价', values: past.map((one) => one.lowestPrice), measure },
    ];
  }, [past, currency]);
  const events = useMemo(
    () =>
      past.flatMap((one, index) =>
        one.ownFeatured
          ? [{ from: labels[index] ?? '', to: labels[index + 1] ?? labels[index] ?? '', name: '购物车' }]
          : [],
      ),
    [past, labels],
  );
  return (
    <>
      <div className="offers-head">
        <Legend items={series.map(({ name }) => ({ name }))} />
      </div>
      <LineTrend labels={labels} series={series} label="报价与购物车历史" events={events} height={220} />
    </>
  );
}

/** 竞争报价: who else sells the product, who has the Buy Box, and how that moved. */
export function OffersTab({ id }: { id: string }) {
  const [range, setRange] = useState<Range>('30');
  const { data, isError, error, refetch } = useCall(
    listingOffers,
    { params: { id }, query: { days: range } },
    { keep: true },
  );
  if (isError) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  const { asOf, source, currency, offers, offerCount, past } = data;
  const money = (amount: string) => <Money amount={amount} currency={currency} />;
  return (
    <>
      <div className="offers-head label">
        {asOf === null || source === null ? (
          '还没有读取过报价'
        ) : (
          <>
            共 {offerCount} 个全新报价，截至 <When at={asOf} />
            ，来自{SOURCES[source]}
          </>
        )}
      </div>
      <LineTable
        label="当前报价"
        row={MarketOffer}
        rows={offers}
        rowId={(one, index) => `${one.sellerId} ${index}`}
        none="没有卖家在售"
        columns={{
          sellerId: {
            render: (row) => (
              <>
                <span className="code">{row.sellerId}</span> {row.own && <Tag tone="running" title="本店" />}
              </>
            ),
          },
          fba: { title: '配送', render: (row) => (row.fba ? 'FBA' : 'FBM') },
          landed: { render: (row) => money(row.landed) },
          price: { render: (row) => money(row.price) },
          shipping: { render: (row) => money(row.shipping) },
          featured: { render: (row) => (row.featured ? <Tag tone="done" title="购物车" /> : '—') },
        }}
      />
      <div className="offers-head">
        <Segmented size="small" options={RANGES} value={range} onChange={(value) => setRange(value as Range)} />
      </div>
      {past.length > 1 && <Past past={past} currency={currency} />}
      <LineTable
        label="报价变化"
        row={BookPoint}
        rows={past.toReversed()}
        rowId={(one, index) => `${one.asOf} ${index}`}
        none="这段时间没有变化"
      />
    </>
  );
}
