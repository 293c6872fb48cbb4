import { LeftOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import { cacheKey, call, queryClient, useCall } from '#kit/web/api/index.ts';
import { Copy, Tag } from '#kit/web/cells/index.ts';
import { Steps } from '#kit/web/document/index.ts';
import { ReasonDialog } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { Empty, ErrorState } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { InboundState, SHIP } from '../../contract/fields.ts';
import * as calls from '../../contract/inbound.ts';
import { shipOrder } from '../../contract/order.ts';
import { shipSteps } from '../../contract/order-calls.ts';
import { refreshShip } from '../choices.ts';
import { PackingPanel, PrepPanel } from '../inbound/PackingPanel.tsx';
import { PlacementPanel } from '../inbound/PlacementPanel.tsx';
import { panelOf, phasesOf } from '../inbound/phase.ts';
import { ShipmentPanel } from '../inbound/ShipmentPanel.tsx';
import { StepList } from '../inbound/StepList.tsx';
import { TransportPanel } from '../inbound/TransportPanel.tsx';
import '../inbound/inbound.css';

/** While something is under way the page looks again so often; else somebody else may have gone on. */
const BUSY_MS = 2_000;
const IDLE_MS = 30_000;

const STATES = InboundState.meta()?.states ?? {};
const AGAIN = {
  offerPacking: '重新生成装箱方案',
  offerPlacement: '重新生成配送方案',
  offerTransport: '重新生成承运方式',
};

/** 货件处理: the way of an order through Amazon's inbound API, what it waits for, and what can be done. */
export default function ShipSteps() {
  const tab = useTab();
  const id = new URLSearchParams(tab.address.split('?')[1]).get('id') ?? '';
  const [idle, setIdle] = useState(false);
  const {
    data: view,
    error,
    isError,
    refetch,
  } = useCall(
    calls.inboundView,
    { params: { id } },
    { staleTime: 0, every: tab.active ? (idle ? IDLE_MS : BUSY_MS) : IDLE_MS },
  );
  const isIdle = view !== undefined && view?.state !== 'working';
  if (isIdle !== idle) setIdle(isIdle);
  const writes = useAllowed(SHIP);
  const [busy, setBusy] = useState(false);
  const [redoing, setRedoing] = useState(false);
  const refresh = async () => {
    await Promise.all([queryClient.invalidateQueries({ queryKey: cacheKey(calls.inboundView) }), refreshShip()]);
  };
  const send = async (work: () => Promise<{ message: string }>) => {
    setBusy(true);
    try {
      notice.success((await work()).message);
      await refresh();
    } catch {
      // The call has said why; what was chosen stays.
    } finally {
      setBusy(false);
    }
  };
  if (isError) return <ErrorState error={error} onRetry={() => void refetch()} text="货件处理没有取到。" />;
  if (view === null) {
    return <Empty title="该发货单不由系统处理平台货件" text="库存模式为「常规」的发货单，通过审核后在此处理。" />;
  }
  if (!view) return <div className="page-document" />;
  const { order, state, words } = view;
  const panel = panelOf(view);
  const open = state === 'waiting' || state === 'trouble';
  const toOrder = () => tab.open(shipOrder.detail, { title: order.number, query: { id } });
  return (
    <div className="page-document">
      <div className="document-head">
        <button type="button" className="icon-button" aria-label="返回" onClick={tab.close}>
          <LeftOutlined />
        </button>
        <h1 className="code">{order.number}</h1>
        <Copy text={order.number} />
        <Tag tone={STATES[state]?.tone ?? 'off'} title={STATES[state]?.title ?? state} />
        <span className="divider" />
        <span className="document-subject ellipsis">
          {`${order.warehouse} → ${order.store.name}-${order.store.country} · ${order.skus} 个SKU ${order.qty} 件`}
        </span>
        <span className="spring" />
        {writes && view.planId && (
          <Button
            size="small"
            loading={busy}
            onClick={() => void send(() => call(calls.refreshInbound, { body: { id } }, {}))}
          >
            核对平台
          </Button>
        )}
        {writes &&
          view.may.again.slice(-1).map((stage) => (
            <Button
              key={stage}
              size="small"
              onClick={() => void send(() => call(calls.offerAgain, { body: { id, stage } }, {}))}
            >
              {AGAIN[stage]}
            </Button>
          ))}
        {writes && view.may.redo && view.planId && (
          <Button size="small" danger onClick={() => setRedoing(true)}>
            重建计划
          </Button>
        )}
        <Button size="small" onClick={toOrder}>
          发货单
        </Button>
      </div>
      <Steps steps={phasesOf(view)} />
      {words && (
        <div className={`inbound-wait is-${state}`} role="status">
          <strong>{state === 'trouble' ? '出错' : '下一步'}</strong>
          <span>{words}</span>
          <span className="spring" />
          {writes && view.may.retry && (
            <Button
              type="primary"
              loading={busy}
              onClick={() => void send(() => call(calls.retryInbound, { body: { id } }, {}))}
            >
              重试
            </Button>
          )}
          {order.state === 'picking' && (
            <Button
              type="primary"
              onClick={() => tab.open('/shipment_handing/pehuo', { title: `配货${order.number}`, query: { id } })}
            >
              去配货
            </Button>
          )}
          {order.state === 'packing' && (
            <Button
              type="primary"
              onClick={() => tab.open(shipOrder.detail, { title: order.number, query: { id, tab: 'boxes' } })}
            >
              去装箱
            </Button>
          )}
          {order.state === 'ready' && view.stage === 'tellTracking' && (
            <Button
              type="primary"
              loading={busy}
              onClick={() => void send(() => call(shipSteps.ship, { body: { id } }, {}))}
            >
              发货出库
            </Button>
          )}
        </div>
      )}
      <div className="document-body">
        <div className="document-main">
          <div className="document-content">
            {panel === 'prep' && (
              <PrepPanel
                view={view}
                busy={busy}
                writes={writes && open}
                onSave={(preps) => void send(() => call(calls.setPreps, { body: { id, preps } }, {}))}
              />
            )}
            {panel === 'packing' && <PackingPanel view={view} />}
            {panel === 'placement' && (
              <PlacementPanel
                view={view}
                busy={busy}
                writes={writes && open}
                onConfirm={({ optionId, fee }) =>
                  void send(() => call(calls.choosePlacement, { body: { id, optionId, fee: fee?.amount ?? '0' } }, {}))
                }
              />
            )}
            {panel === 'transport' && (
              <TransportPanel
                view={view}
                busy={busy}
                writes={writes && open && !view.transportFixed}
                onReady={(readyOn) => void send(() => call(calls.setReady, { body: { id, readyOn } }, {}))}
                onConfirm={(ways) => void send(() => call(calls.chooseWays, { body: { id, ways } }, {}))}
              />
            )}
            {panel === 'shipments' && (
              <ShipmentPanel
                view={view}
                busy={busy}
                writes={writes}
                onSave={(tracking) => void send(() => call(calls.putTracking, { body: { id, ...tracking } }, {}))}
                onChanged={refresh}
                onDrop={(shipmentId) => void send(() => call(calls.dropChange, { body: { id, shipmentId } }, {}))}
              />
            )}
            {panel === 'wait' && !words && (
              <Empty title="正在与亚马逊处理" text="每一步都已保存，可以离开本页，完成后会停在需要您操作的地方。" />
            )}
          </div>
        </div>
        <StepList view={view} />
      </div>
      {redoing && (
        <ReasonDialog
          title="重建计划"
          okText="重建"
          onClose={() => setRedoing(false)}
          onSend={async (reason) => {
            notice.success((await call(calls.redoInbound, { body: { id, reason } }, { quiet: true })).message);
            await queryClient.invalidateQueries({ queryKey: cacheKey(calls.inboundView) });
          }}
        >
          取消亚马逊上的计划，按发货单重新创建；已确认的配送与承运作废。
        </ReasonDialog>
      )}
    </div>
  );
}
