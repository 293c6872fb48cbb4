import { useMemo } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { Legend, LineTrend, type TrendSeries } from '#kit/web/charts/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { type ProfitScope, TrendPoint, trendProfit } from '../contract/report.ts';

/** How many of the last days no settlement proves in full. */
function unsettled(points: readonly TrendPoint[]): number {
  const settled = points.findLastIndex(({ settledShare }) => settledShare === null || Number(settledShare) >= 1);
  return points.length - 1 - settled;
}

/** 日趋势: sales and profit by day of the marketplace, as lines and as a table; dotted where not all is settled yet. */
export function TrendTab({ filter }: { filter: ProfitScope }) {
  const seesCost = useAllowed('fin:cost:view');
  const { data, isError, error, refetch } = useCall(trendProfit, { body: { filter } }, { keep: true });
  const series = useMemo((): TrendSeries[] => {
    if (!data) return [];
    const measure = { kind: 'money' as const, currency: data.currency };
    return [
      { name: '销售额', values: data.points.map((point) => point.sales), measure },
      ...(seesCost ? [{ name: '毛利润', values: data.points.map((point) => point.profit), measure }] : []),
    ];
  }, [data, seesCost]);
  if (isError) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  if (data.points.length === 0) return <div className="line-table-none">这段时间没有收支</div>;
  return (
    <>
      <div className="drill-head">
        <Legend items={series.map(({ name }) => ({ name }))} />
      </div>
      <div className="profit-chart">
        <LineTrend
          labels={data.points.map((point) => point.day.slice(5))}
          series={series}
          label="利润日趋势"
          height={240}
          unfinished={unsettled(data.points)}
          unfinishedWord="未全部结算"
        />
      </div>
      <LineTable
        label="每日利润"
        row={TrendPoint}
        rows={data.points.toReversed()}
        rowId={(point) => point.day}
        none="这段时间没有收支"
      />
    </>
  );
}
