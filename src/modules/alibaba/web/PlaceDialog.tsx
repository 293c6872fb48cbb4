import { Modal, Select } from 'antd';
import { useCallback, useState } from 'react';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { Banner } from '#kit/web/states/index.ts';
import { listOrders } from '#modules/purchase/contract/order-calls.ts';
import { buyerAddresses, placeTrade, previewTrade } from '../contract/index.ts';
import { PreviewSums } from './PreviewSums.tsx';
import { refreshAlibaba, useBuyerOptions } from './refresh.ts';
import './alibaba.css';

interface Props {
  /** The purchase order, where it is known; else it is chosen. */
  order?: { id: string; number: string } | undefined;
  onClose: () => void;
}

/**
 * Orders an approved purchase order on the platform, all that is left of it or a part: account, address, what it would
 * cost there and how many orders it becomes, then the orders.
 */
export function PlaceDialog({ order, onClose }: Props) {
  const buyers = useBuyerOptions();
  const [orderId, setOrder] = useState<string | undefined>(order?.id);
  const [chosen, setChosen] = useState<Record<string, number>>({});
  const [bought, setBuyer] = useState<string>();
  const [addressed, setAddress] = useState<string>();
  const buyerId = bought ?? buyers?.[0]?.value;
  const { data: orders } = useCall(
    listOrders,
    { body: { filter: { stage: ['approved'] }, pagesize: 100 } },
    { enabled: order === undefined },
  );
  const { data: addresses } = useCall(
    buyerAddresses,
    { body: { buyerId: buyerId ?? '' } },
    { enabled: buyerId !== undefined, staleTime: 60_000 },
  );
  const addressId = addressed ?? addresses?.find((one) => one.standard)?.id;
  const asked = { orderId: orderId ?? '', buyerId: buyerId ?? '', addressId: addressId ?? '' };
  const ready = Boolean(orderId && buyerId && addressId);
  const { data: all, error: hindrance } = useCall(previewTrade, { body: asked }, { enabled: ready, staleTime: 30_000 });
  const lines = (all?.lines ?? []).map(({ lineId, left }) => ({ lineId, qty: chosen[lineId] ?? left }));
  const part = lines.some(({ lineId }) => chosen[lineId] !== undefined)
    ? { ...asked, lines: lines.filter(({ qty }) => qty > 0) }
    : asked;
  const nothing = 'lines' in part && part.lines.length === 0;
  const {
    data: preview,
    error: refusal,
    isFetching,
  } = useCall(
    previewTrade,
    { body: part },
    { enabled: ready && all !== undefined && !nothing, staleTime: 30_000, keep: true },
  );
  const error = hindrance ?? refusal;
  const choose = useCallback((lineId: string, qty: number) => setChosen((old) => ({ ...old, [lineId]: qty })), []);
  const place = useSend(placeTrade, {
    onSuccess: async (done) => {
      if (done.status === 'sending' || done.failed > 0) notice.warning(done.message);
      else notice.success(done.message);
      await refreshAlibaba();
      onClose();
    },
  });
  const total = preview?.total;
  return (
    <Modal
      title={order ? `1688下单 ${order.number}` : '1688下单'}
      open
      width={860}
      okText="下单"
      okButtonProps={{ disabled: !ready || nothing || isFetching || !total || error !== null }}
      confirmLoading={place.isPending}
      onOk={() => total && place.mutate({ body: { ...part, total } })}
      onCancel={onClose}
    >
      <div className="alibaba-place">
        <div className="alibaba-place-head">
          {!order && (
            <Select
              aria-label="采购单"
              placeholder="选择待下单的采购单"
              style={{ width: 300 }}
              value={orderId ?? null}
              showSearch={{ optionFilterProp: 'label' }}
              options={(orders?.records ?? []).map((one) => ({
                value: one.id,
                label: `${one.number} ${one.supplier}`,
              }))}
              onChange={(id) => {
                setOrder(id);
                setChosen({});
              }}
            />
          )}
          <Select
            aria-label="采购账号"
            placeholder="采购账号"
            style={{ width: 160 }}
            value={buyerId ?? null}
            options={buyers ?? []}
            notFoundContent="还没有授权的1688账号"
            onChange={setBuyer}
          />
          <Select
            aria-label="收货地址"
            placeholder="收货地址"
            style={{ width: 220 }}
            value={addressId ?? null}
            options={(addresses ?? []).map((one) => ({ value: one.id, label: one.text }))}
            onChange={setAddress}
          />
        </div>
        {error && <Banner>{error.message}</Banner>}
        {ready && all && preview && <PreviewSums all={all} preview={preview} chosen={chosen} onChoose={choose} />}
        {ready && !preview && !error && <p className="text2">正在向1688询价…</p>}
        {!ready && <p className="text2">选择采购单、账号和收货地址后，显示1688的价格、运费和差额。</p>}
      </div>
    </Modal>
  );
}
