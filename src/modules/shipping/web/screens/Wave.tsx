import { LeftOutlined, PrinterOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useRef, useState } from 'react';
import { formatInteger } from '#kit/contract/format.ts';
import { call, useCall, uuid } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { Empty, ErrorState } from '#kit/web/states/index.ts';
import { useDirty, useTab } from '#kit/web/tabs/scope.ts';
import { PICK } from '../../contract/fields.ts';
import { type FinishOutcome, finishWave, pickWave, type WaveOutcome, waveSheet } from '../../contract/wave.ts';
import { refreshShip } from '../choices.ts';
import { WaveOrders } from '../wave/WaveOrders.tsx';
import { keyOf, WaveTable } from '../wave/WaveTable.tsx';
import '../shipping.css';
import '../wave/wave.css';

/** Prints the walk that is in front, without the frame around it. */
function print(): void {
  document.body.classList.add('prints-wave');
  window.addEventListener('afterprint', () => document.body.classList.remove('prints-wave'), { once: true });
  window.print();
}

/** 合并配货: one walk through the warehouse for several orders; what was taken at each shelf is dealt to them. */
export default function Wave() {
  const tab = useTab();
  const ids = (new URLSearchParams(tab.address.split('?')[1]).get('ids') ?? '').split(',').filter(Boolean);
  const { data, isError, error, refetch } = useCall(
    waveSheet,
    { body: { ids } },
    { staleTime: 0, enabled: ids.length > 0 },
  );
  const mayPick = useAllowed(PICK);
  const [pieces, setPieces] = useState<Record<string, number>>({});
  const [busy, setBusy] = useState(false);
  const [ended, setEnded] = useState<FinishOutcome['orders']>([]);
  const clientId = useRef(uuid());
  const { orders = [], stops = [] } = data ?? {};
  const chosen = stops.flatMap((stop) => {
    const qty = pieces[keyOf(stop)] ?? 0;
    return qty > 0 ? [{ locationId: stop.locationId, productId: stop.productId, qty }] : [];
  });
  useDirty(chosen.length > 0);
  if (isError) return <ErrorState error={error} onRetry={() => void refetch()} />;
  const waiting = orders.filter((order) => order.state === 'picking');
  const writes = mayPick && data?.mine === true && waiting.length > 0;
  const open = stops.reduce((total, stop) => total + stop.want - stop.picked, 0);
  const send = async (work: () => Promise<WaveOutcome>) => {
    if (busy) return;
    setBusy(true);
    try {
      notice.success((await work()).message);
      setPieces({});
      clientId.current = uuid();
      await Promise.all([refreshShip(), refetch()]);
    } catch {
      // The call has said why; what was written stays.
    } finally {
      setBusy(false);
    }
  };
  const queue = waiting.map((order) => order.id);
  const take = () =>
    send(() => call(pickWave, { body: { ids: queue, clientId: clientId.current, stops: chosen } }, {}));
  const finish = () =>
    send(async () => {
      const done = await call(finishWave, { body: { ids: queue } }, {});
      setEnded(done.orders);
      return done;
    });
  const fill = () => setPieces(Object.fromEntries(stops.map((stop) => [keyOf(stop), stop.want - stop.picked])));
  return (
    <div className={`page-document wave ${tab.active ? 'is-front' : ''}`}>
      <div className="document-head">
        <button type="button" className="icon-button" aria-label="返回" onClick={tab.close}>
          <LeftOutlined />
        </button>
        <h1>合并配货</h1>
        {data && <span className="document-subject text2">{`${data.warehouse}，${orders.length} 张发货单`}</span>}
        <span className="spring" />
        <Button size="small" icon={<PrinterOutlined />} disabled={stops.length === 0} onClick={print}>
          打印
        </Button>
        {writes && (
          <Button size="small" disabled={open === 0} onClick={fill}>
            填满待配
          </Button>
        )}
      </div>
      <div className="document-content">
        {ids.length === 0 && (
          <Empty title="还没有选择发货单" text="在发货单列表勾选同一仓库的待配货发货单，再点「合并配货」。" />
        )}
        <WaveOrders orders={orders} ended={ended} />
        {stops.length > 0 && (
          <WaveTable
            stops={stops}
            orders={orders}
            pieces={pieces}
            writes={writes}
            onPut={(key, qty) => setPieces((old) => ({ ...old, [key]: qty }))}
          />
        )}
      </div>
      <footer className="action-bar">
        <span className="action-bar-words">
          {waiting.length > 0
            ? `待配 ${formatInteger(open)} 件；数量不足时先满足计划发货日早的发货单，完成配货时未配齐的退回可用库存`
            : data && '所选发货单都已完成配货'}
        </span>
        <span className="spring" />
        {writes && (
          <>
            <Button data-save loading={busy} disabled={chosen.length === 0} onClick={() => void take()}>
              保存配货
            </Button>
            <Button type="primary" loading={busy} disabled={chosen.length > 0} onClick={() => void finish()}>
              完成配货
            </Button>
          </>
        )}
      </footer>
    </div>
  );
}
