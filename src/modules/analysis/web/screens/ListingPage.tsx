import { Segmented } from 'antd';
import { type ReactNode, useState } from 'react';
import { metaOf } from '#kit/contract/columns.ts';
import { formatInteger, formatMoney, formatPercent } from '#kit/contract/format.ts';
import { useCall } from '#kit/web/api/index.ts';
import type { Figure } from '#kit/web/cards/Figures.tsx';
import { State, StoreName } from '#kit/web/cells/index.ts';
import { DocumentScreen } from '#kit/web/document/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { useTab } from '#kit/web/tabs/scope.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { ListingState, listingDetail } from '#modules/listing/contract.ts';
import { IssueTable, OffersTab, Overview } from '#modules/listing/web/index.ts';
import { EventKind, listingTimeline, listingTrend, Source, TimelineEvent, TrendDay } from '../../contract/trend.ts';
import { CoverState, type WallRow } from '../../contract/wall.ts';
import { TrendCharts } from '../TrendCharts.tsx';
import '../analysis.css';

type Range = '30' | '60' | '90';
const RANGES: { value: Range; label: string }[] = [
  { value: '30', label: '近30天' },
  { value: '60', label: '近60天' },
  { value: '90', label: '近90天' },
];

const known = <T,>(value: T | null, show: (value: T) => ReactNode): ReactNode => (value === null ? '—' : show(value));

function figuresOf(row: WallRow, last: TrendDay | undefined): Figure[] {
  const money = (amount: string) => formatMoney(amount, row.currency);
  return [
    { key: 'price', label: '售价', value: known(row.price, money) },
    { key: 'featured', label: '购物车价', value: known(last?.featuredPrice ?? null, money) },
    { key: 'share', label: '7日购物车比例', value: known(row.featured7, formatPercent) },
    { key: 'rank', label: '小类排名', value: known(last?.classRank ?? null, formatInteger) },
    {
      key: 'units',
      label: '7 / 30日销量',
      value: `${known(row.units7, formatInteger)} / ${known(row.units30, formatInteger)}`,
    },
    { key: 'conversion', label: '7日转化率', value: known(row.conversion7, formatPercent) },
    {
      key: 'cover',
      label: '可售天数',
      value: known(row.coverDays, (days) => (
        <>
          {days} {row.coverState && <State value={row.coverState} states={metaOf(CoverState).states} />}
        </>
      )),
    },
  ];
}

/** 动态: what happened to the listing, and who did it. */
function Timeline({ id }: { id: string }) {
  const { data } = useCall(listingTimeline, { params: { id }, query: { days: '90' } });
  return (
    <LineTable
      label="商品动态"
      row={TimelineEvent}
      rows={data?.events ?? []}
      rowId={(_, index) => String(index)}
      none="近 90 天没有变化"
      columns={{ kind: { render: ({ kind }) => <State value={kind} states={metaOf(EventKind).states} /> } }}
    />
  );
}

/** 商品详情: price, Buy Box, rank, offers, issues and all that happened to one listing, on one page. */
export default function ListingPage() {
  const tab = useTab();
  const id = new URLSearchParams(tab.address.split('?')[1]).get('id') ?? '';
  const [range, setRange] = useState<Range>('30');
  const trend = useCall(listingTrend, { params: { id }, query: { days: range } }, { enabled: id !== '', keep: true });
  const mayListing = useAllowed('amz:listing:view');
  const mayEdit = useAllowed('amz:listing:edit');
  const listing = useCall(listingDetail, { params: { id } }, { enabled: id !== '' && mayListing }).data;
  const { data } = trend;
  const bar = (
    <div className="listing-page-bar">
      <Segmented size="small" options={RANGES} value={range} onChange={setRange} />
    </div>
  );
  return (
    <DocumentScreen
      number={data?.row.sellerSku ?? data?.row.product.code}
      state={data?.row.state ? metaOf(ListingState).states?.[data.row.state] : undefined}
      subject={
        data && (
          <>
            <StoreName store={data.row.store} /> · {data.row.asin} · {data.row.product.name}
          </>
        )
      }
      head={
        mayEdit &&
        listing &&
        listing.goneAt === null && (
          <TabLink to="/amazon/listing/edit/form" title={listing.sellerSku} query={{ listing: id }}>
            编辑Listing
          </TabLink>
        )
      }
      figures={data && figuresOf(data.row, data.days.at(-1))}
      tabs={
        data
          ? [
              {
                key: 'trend',
                title: '趋势',
                content: (
                  <>
                    {bar}
                    <TrendCharts trend={data} />
                    <LineTable
                      label="每日数据"
                      row={TrendDay}
                      rows={data.days.toReversed()}
                      rowId={(one) => one.day}
                      none="这段时间没有数据"
                    />
                  </>
                ),
              },
              ...(listing
                ? [
                    { key: 'offers', title: '竞争报价', content: <OffersTab id={id} /> },
                    {
                      key: 'issues',
                      title: '问题',
                      count: listing.issues.length,
                      content: <IssueTable issues={listing.issues} />,
                    },
                  ]
                : []),
              { key: 'timeline', title: '动态', content: <Timeline id={id} /> },
              ...(listing ? [{ key: 'facts', title: '商品资料', content: <Overview listing={listing} /> }] : []),
              {
                key: 'sources',
                title: '数据来源',
                content: (
                  <LineTable
                    label="数据来源"
                    row={Source}
                    rows={data.sources}
                    rowId={(one) => one.figure}
                    none="还没有读取过数据"
                  />
                ),
              },
            ]
          : []
      }
      error={trend.error}
      onRetry={() => void trend.refetch()}
    />
  );
}
