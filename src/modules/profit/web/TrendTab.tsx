import { useMemo } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { Legend, LineTrend, type TrendSeries } from '#kit/web/charts/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { type ProfitFilter, TrendPoint, trendProfit } from '../contract/report.ts';

/** 日趋势: sales and profit by day of the marketplace, as lines and as a table. */
export function TrendTab({ filter }: { filter: ProfitFilter }) {
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
