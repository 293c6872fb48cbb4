import { Button } from 'antd';
import { metaOf } from '#kit/contract/columns.ts';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { Copy, ProductCell, State, When } from '#kit/web/cells/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { ErrorState } from '#kit/web/states/index.ts';
import { refreshMcf } from '../contract/create.ts';
import { type McfPackage, mcfDetail } from '../contract/orders.ts';
import { KNOWN_THERE, McfState, PackageState } from '../contract/states.ts';
import { REFRESHES } from './refresh.ts';

/** A parcel with its number to be copied and where it has been. */
function Parcel({ parcel }: { parcel: McfPackage }) {
  return (
    <section className="phone-card" aria-label="包裹">
      <span className="phone-card-head">
        <b>{parcel.tracking ?? '暂无追踪号'}</b>
        <State value={parcel.status} states={metaOf(PackageState).states} />
      </span>
      <span className="phone-card-foot">
        <span>
          {parcel.carrier} · {parcel.units} 件
        </span>
        {parcel.tracking !== null && <Copy text={parcel.tracking} />}
      </span>
      {parcel.events.length > 0 && (
        <ol className="mcf-steps" aria-label="轨迹">
          {parcel.events.map((event) => (
            <li key={event.id}>
              <span>{event.words}</span>
              <When at={event.at} />
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

/** One order from top to bottom on a phone: its state, its parcels, its goods. */
export function PhoneOrder({ id }: { id: string }) {
  const { data, error, refetch } = useCall(mcfDetail, { params: { id } }, { staleTime: 0 });
  const refresh = useSend(refreshMcf, { refreshes: REFRESHES, onSuccess: () => notice.success('已同步') });
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  const isThere = KNOWN_THERE.includes(data.state) || !data.fromErp;
  return (
    <>
      <main>
        <div className="phone-card-head">
          <b>{data.number}</b>
          <State value={data.state} states={metaOf(McfState).states} />
        </div>
        <p className="label">
          {data.orderNo} · {data.store.name} · 预计 <When at={data.arrivalAt} />
        </p>
        {data.problem !== null && <p className="warning">{data.problem}</p>}
        {data.parcels.length === 0 && <p className="label">还没有发货，发货后这里显示追踪号。</p>}
        {data.parcels.map((parcel) => (
          <Parcel key={parcel.id} parcel={parcel} />
        ))}
        {data.lines.map((line) => (
          <section key={line.id} className="phone-card" aria-label="商品">
            <ProductCell product={line.product} size={40} />
            <span className="label">数量 {line.quantity}</span>
          </section>
        ))}
      </main>
      {isThere && (
        <footer className="phone-acts">
          <Button type="primary" loading={refresh.isPending} onClick={() => refresh.mutate({ body: { id } })}>
            同步
          </Button>
        </footer>
      )}
    </>
  );
}
