import { useCall } from '#kit/web/api/index.ts';
import { stampText } from '#kit/web/cells/index.ts';
import { LineTrend } from '#kit/web/charts/index.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import { ErrorState } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { alertHistory, FigureRow } from '../contract/alerts.ts';

/** The figures of an alert over time, against what they were held. */
export function HistoryDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, isError, error, refetch } = useCall(alertHistory, { params: { id } }, { keep: true });
  const figures = data?.figures ?? [];
  return (
    <DetailDrawer open onClose={onClose} title={data?.title ?? '预警历史'} subtitle={data?.sku}>
      {isError && <ErrorState error={error} onRetry={() => void refetch()} />}
      {figures.length > 1 && (
        <LineTrend
          label="数值走势"
          height={180}
          labels={figures.map(({ at }) => stampText(at))}
          series={[
            { name: `数值（${data?.unit ?? ''}）`, values: figures.map(({ figure }) => figure), sparse: true },
            { name: '阈值', values: figures.map(({ threshold }) => threshold), role: 'previous' },
          ]}
        />
      )}
      {!isError && <LineTable label="预警历史" row={FigureRow} rows={data?.figures} />}
    </DetailDrawer>
  );
}
