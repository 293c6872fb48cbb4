import { Button } from 'antd';
import { useState } from 'react';
import { metaOf } from '#kit/contract/columns.ts';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { Picture, State } from '#kit/web/cells/index.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import { notice } from '#kit/web/notice.tsx';
import { Banner, ErrorState } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { refreshMcf } from '../contract/create.ts';
import { type McfDetail, McfEvent, McfLine, McfPackage, mcfDetail } from '../contract/orders.ts';
import { KNOWN_THERE, McfState } from '../contract/states.ts';
import { McfFacts } from './McfFacts.tsx';
import { REFRESHES } from './refresh.ts';
import './mcf.css';

/** Packages with where each is. */
function Parcels({ order }: { order: McfDetail }) {
  if (order.parcels.length === 0) return <LineTable label="包裹" row={McfPackage} rows={[]} none="还没有发货" />;
  return order.parcels.map((parcel) => (
    <section key={parcel.id} className="mcf-parcel">
      <LineTable label={`包裹 ${parcel.tracking ?? parcel.id}`} row={McfPackage} rows={[parcel]} />
      <LineTable label={`轨迹 ${parcel.tracking ?? parcel.id}`} row={McfEvent} rows={parcel.events} none="还没有轨迹" />
    </section>
  ));
}

/** One order over the list: its lines, its packages on their way, fees and recipient. */
export function McfDrawer({ id, onClose }: { id: string | undefined; onClose: () => void }) {
  const [tab, setTab] = useState('packages');
  const { data, isError, error, refetch } = useCall(
    mcfDetail,
    { params: { id: id ?? '' } },
    { enabled: id !== undefined, keep: true },
  );
  const refresh = useSend(refreshMcf, { refreshes: REFRESHES, onSuccess: () => notice.success('已同步') });
  const body = () => {
    if (isError) return <ErrorState error={error} onRetry={() => void refetch()} />;
    if (!data) return null;
    if (tab === 'facts') return <McfFacts order={data} key={data.id} />;
    if (tab === 'lines') return <LineTable label="商品" row={McfLine} rows={data.lines} />;
    return <Parcels order={data} />;
  };
  const isThere = data !== undefined && (KNOWN_THERE.includes(data.state) || !data.fromErp);
  return (
    <DetailDrawer
      open={id !== undefined}
      onClose={onClose}
      title={data?.number ?? '多渠道订单'}
      subtitle={data?.orderNo}
      picture={<Picture src={data?.product.image} size={40} />}
      {...(isThere
        ? {
            extra: (
              <Button loading={refresh.isPending} onClick={() => refresh.mutate({ body: { id: data.id } })}>
                同步
              </Button>
            ),
          }
        : {})}
      scope={data && <State value={data.state} states={metaOf(McfState).states} />}
      tabs={[
        { key: 'packages', title: '包裹', ...(data ? { count: data.packages } : {}) },
        { key: 'lines', title: '商品', ...(data ? { count: data.lines.length } : {}) },
        { key: 'facts', title: '概况' },
      ]}
      tab={tab}
      onTab={setTab}
    >
      {data?.problem && <Banner key={data.id}>{data.problem}</Banner>}
      {body()}
    </DetailDrawer>
  );
}
