import { Segmented } from 'antd';
import { type ReactNode, useMemo, useState } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { Picture } from '#kit/web/cells/index.ts';
import { Legend, LineTrend, type TrendSeries } from '#kit/web/charts/index.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import { ErrorState } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { LostSpell, RankDay, rankDetail } from '../contract/ranks.ts';
import { ALERTS_PATH, DETAIL_PATH } from './paths.ts';
import './analysis.css';

type Range = '30' | '60' | '90';
const RANGES: { value: Range; label: string }[] = [
  { value: '30', label: '近30天' },
  { value: '60', label: '近60天' },
  { value: '90', label: '近90天' },
];
type Kind = 'classRank' | 'groupRank';
const KINDS: { value: Kind; label: string }[] = [
  { value: 'classRank', label: '小类' },
  { value: 'groupRank', label: '大类' },
];

interface ChartProps {
  days: readonly RankDay[];
  series: readonly TrendSeries[];
  label: string;
  none: string;
  inverted?: 'left';
  /** Left of the legend: what is shown. */
  children?: ReactNode;
}

function DayChart({ days, series, label, none, inverted, children }: ChartProps) {
  const labels = useMemo(() => days.map(({ day }) => day.slice(5)), [days]);
  const known = series.some(({ values }) => values.some((value) => value !== null));
  return (
    <div className="drawer-section">
      <div className="rank-chart-head">
        {children}
        {known && <Legend items={series.map(({ name }) => ({ name }))} />}
      </div>
      {known ? (
        <LineTrend
          labels={labels}
          series={series}
          label={label}
          {...(inverted ? { inverted } : {})}
          unfinished={1}
          height={200}
        />
      ) : (
        <p className="label">{none}</p>
      )}
    </div>
  );
}

/** A rank by day over what was sold, better is up; and the Buy Box by day, as it was read and as Amazon says. */
function Charts({ days }: { days: readonly RankDay[] }) {
  const [kind, setKind] = useState<Kind>('classRank');
  const [ranks, boxes] = useMemo(() => {
    const of = (key: keyof RankDay) => days.map((one) => one[key]);
    const percent = { kind: 'percent' as const };
    return [
      [
        { name: kind === 'classRank' ? '小类排名' : '大类排名', values: of(kind), sparse: true },
        { name: '销量', values: of('units'), shape: 'bar', axis: 'right' },
      ],
      [
        { name: '占有率(采样)', values: of('share'), measure: percent, shape: 'bar' },
        { name: '占有率(官方)', values: of('official'), measure: percent, sparse: true },
      ],
    ] satisfies TrendSeries[][];
  }, [days, kind]);
  return (
    <>
      <DayChart days={days} series={ranks ?? []} label="排名与销量" none="这段时间没有排名与销量" inverted="left">
        <Segmented size="small" options={KINDS} value={kind} onChange={setKind} />
      </DayChart>
      <DayChart days={days} series={boxes ?? []} label="购物车占有率" none="这段时间没有读取过竞争报价与购物车比例" />
    </>
  );
}

/** One listing of 排名与购物车: rank against sales, the Buy Box by day, and when it was lost to whom. */
export function RankDrawer({ id, onClose }: { id: string | undefined; onClose: () => void }) {
  const [tab, setTab] = useState('days');
  const [range, setRange] = useState<Range>('30');
  const { data, isError, error, refetch } = useCall(
    rankDetail,
    { params: { id: id ?? '' }, query: { days: range } },
    { enabled: id !== undefined, keep: true },
  );
  const body = () => {
    if (isError) return <ErrorState error={error} onRetry={() => void refetch()} />;
    if (!data) return null;
    if (tab === 'lost') {
      return (
        <LineTable
          label="失去购物车"
          row={LostSpell}
          rows={data.lost}
          rowId={(row) => row.from}
          none="近90天没有失去过购物车"
          columns={{ to: { render: ({ to }) => (to === null ? '至今' : undefined) } }}
        />
      );
    }
    return (
      <>
        <Charts days={data.days} />
        <LineTable label="每日数据" row={RankDay} rows={data.days.toReversed()} rowId={({ day }) => day} />
      </>
    );
  };
  return (
    <DetailDrawer
      open={id !== undefined}
      onClose={onClose}
      title={data?.row.product.name ?? '排名与购物车'}
      subtitle={data?.row.product.code}
      picture={<Picture src={data?.row.product.image} size={28} />}
      {...(data
        ? {
            extra: (
              <>
                <TabLink to={DETAIL_PATH} title={data.sellerSku} query={{ id: data.row.id, tab: 'offers' }}>
                  竞争报价
                </TabLink>
                <TabLink to="/amazon/listing/repricing" title="智能调价">
                  智能调价
                </TabLink>
                <TabLink to={ALERTS_PATH} title="预警中心" query={{ 'f.keyword': data.sellerSku }}>
                  预警
                </TabLink>
              </>
            ),
          }
        : {})}
      tabs={[
        { key: 'days', title: '每日' },
        { key: 'lost', title: '失去购物车', ...(data ? { count: data.lost.length } : {}) },
      ]}
      tab={tab}
      onTab={setTab}
      scope={tab === 'days' && <Segmented size="small" options={RANGES} value={range} onChange={setRange} />}
    >
      {body()}
    </DetailDrawer>
  );
}
