import { Button } from 'antd';
import { useState } from 'react';
import { z } from 'zod';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { Picture } from '#kit/web/cells/index.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { EDIT } from '../contract/fields.ts';
import { type ForecastRow, forecastSeries } from '../contract/forecast.ts';
import { clearOverrides, OverrideRow } from '../contract/overrides.ts';
import { ForecastChart } from './ForecastChart.tsx';
import { REFRESHES } from './refresh.ts';

const { months, accuracy } = forecastSeries.reply.shape;
const MonthRow = months.element;
const AccuracyLine = accuracy.element.extend({ origin: z.string().meta({ title: '预测日', width: 110 }) });

interface Props {
  id: string | undefined;
  onClose: () => void;
  onChange: (row: ForecastRow) => void;
}

/** One item: what it sold, what is expected week by week and month by month, what people changed, and how forecasts did. */
export function ForecastDrawer({ id, onClose, onChange }: Props) {
  const [tab, setTab] = useState('forecast');
  const mayEdit = useAllowed(EDIT);
  const { data, isError, error, refetch } = useCall(
    forecastSeries,
    { params: { id: id ?? '' } },
    { enabled: id !== undefined, keep: true },
  );
  const clear = useSend(clearOverrides, { refreshes: REFRESHES, onSuccess: () => notice.success('已撤销干预') });
  const body = () => {
    if (isError) return <ErrorState error={error} onRetry={() => void refetch()} />;
    if (!data) return null;
    if (tab === 'overrides') {
      return (
        <LineTable
          label="人工干预"
          row={OverrideRow}
          rows={data.overrides}
          none="没有干预"
          columns={{
            clearedBy: {
              render: (row) =>
                row.clearedBy ??
                (mayEdit && (
                  <button
                    type="button"
                    className="link"
                    onClick={() => clear.mutate({ body: { overrideIds: [row.id] } })}
                  >
                    撤销
                  </button>
                )),
            },
          }}
        />
      );
    }
    if (tab === 'accuracy') {
      return (
        <LineTable
          label="预测准确率"
          row={AccuracyLine}
          rows={data.accuracy}
          rowId={(row) => row.origin}
          none="还没有可以对照的预测"
        />
      );
    }
    return (
      <>
        <ForecastChart series={data} />
        <LineTable label="按月预测" row={MonthRow} rows={data.months} rowId={(row) => row.month} />
      </>
    );
  };
  const standing = data?.overrides.filter(({ clearedBy }) => clearedBy === null).length;
  return (
    <DetailDrawer
      open={id !== undefined}
      onClose={onClose}
      title={data?.row.product.name || data?.row.product.code || '销售预测'}
      subtitle={data?.row.product.code}
      picture={<Picture src={data?.row.product.image} size={28} />}
      {...(mayEdit && data ? { extra: <Button onClick={() => onChange(data.row)}>干预</Button> } : {})}
      tabs={[
        { key: 'forecast', title: '预测' },
        { key: 'overrides', title: '人工干预', ...(standing ? { count: standing } : {}) },
        { key: 'accuracy', title: '准确率' },
      ]}
      tab={tab}
      onTab={setTab}
    >
      {body()}
    </DetailDrawer>
  );
}
