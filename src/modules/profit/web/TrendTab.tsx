import { useMemo } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { LineTrend, type TrendSeries } from '#kit/web/charts/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { type ProfitFilter, trendProfit } from '../contract/report.ts';

/** 日趋势: sales, profit and pieces by day of the marketplace. */
export function TrendTab({ filter }: { filter: ProfitFilter }) {
  const seesCost = useAllowed('fin:cost:view');
  const { data, isError, error, refetch } = useCall(trendProfit, { body: { filter } }, { keep: true });
  const series = useMemo((): TrendSeries[] => {
    if (!data) return [];
    const measure = { kind: 'money' as const, currency: data.currency };
    return [
      { name: '销售额', values: data.points.map((point) => point.sales), measure },
      ...(seesCost ? [{ name: '毛利润', values: data.points.map((point) => point.profit), measure }] : []),
      {
        name: '销量',
        values: data.points.map((point) => point.units),
        measure: { kind: 'integer' as const },
        shape: 'bar' as const,
        axis: 'right' as const,
      },
    ];
  }, [data, seesCost]);
  if (isError) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  if (data.points.length === 0) return <div className="line-table-none">这段时间没有收支</div>;
  return (
    <div className="profit-chart">
      <LineTrend
        labels={data.points.map((point) => point.day.slice(5))}
        series={series}
        label="利润日趋势"
        height={240}
      />
    </div>
  );
}
