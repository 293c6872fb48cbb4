import { Segmented } from 'antd';
import { useState } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { Picture } from '#kit/web/cells/index.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { listingTrend, Source, TrendDay } from '../contract/trend.ts';
import { DETAIL_PATH } from './paths.ts';
import { TrendCharts } from './TrendCharts.tsx';

const RANGES = [
  { value: '30', label: '近30天' },
  { value: '60', label: '近60天' },
  { value: '90', label: '近90天' },
];

/** One listing over the wall: how it went by day, and where its figures come from. */
export function TrendDrawer({ id, onClose }: { id: string | undefined; onClose: () => void }) {
  const [tab, setTab] = useState('trend');
  const mayEdit = useAllowed('amz:listing:edit');
  const [range, setRange] = useState<'30' | '60' | '90'>('30');
  const { data, isError, error, refetch } = useCall(
    listingTrend,
    { params: { id: id ?? '' }, query: { days: range } },
    { enabled: id !== undefined, keep: true },
  );
  const body = () => {
    if (isError) return <ErrorState error={error} onRetry={() => void refetch()} />;
    if (!data) return null;
    if (tab === 'sources') {
      return (
        <LineTable
          label="数据来源"
          row={Source}
          rows={data.sources}
          rowId={(one) => one.figure}
          none="还没有读取过数据"
        />
      );
    }
    return (
      <>
        <TrendCharts trend={data} />
        <LineTable
          label="每日数据"
          row={TrendDay}
          rows={data.days.toReversed()}
          rowId={(one) => one.day}
          none="这段时间没有数据"
        />
      </>
    );
  };
  return (
    <DetailDrawer
      open={id !== undefined}
      onClose={onClose}
      title={data?.row.product.name ?? '商品趋势'}
      subtitle={data?.row.product.code}
      picture={<Picture src={data?.row.product.image} size={28} />}
      {...(data?.row.sellerSku
        ? {
            extra: (
              <>
                <TabLink to={DETAIL_PATH} title={data.row.sellerSku} query={{ id: data.row.id }}>
                  商品详情
                </TabLink>
                {mayEdit && (
                  <TabLink to="/amazon/listing/edit/form" title={data.row.sellerSku} query={{ listing: data.row.id }}>
                    编辑Listing
                  </TabLink>
                )}
              </>
            ),
          }
        : {})}
      tabs={[
        { key: 'trend', title: '趋势' },
        { key: 'sources', title: '数据来源' },
      ]}
      tab={tab}
      onTab={setTab}
      scope={
        tab === 'trend' && (
          <Segmented
            size="small"
            options={RANGES}
            value={range}
            onChange={(value) => setRange(value as typeof range)}
          />
        )
      }
    >
      {body()}
    </DetailDrawer>
  );
}
