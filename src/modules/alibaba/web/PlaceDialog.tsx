import { Modal, Select } from 'antd';
import { useState } from 'react';
import { Decimal } from '#kit/contract/decimal.ts';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { Money } from '#kit/web/cells/index.ts';
import { Facts } from '#kit/web/document/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { Banner } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { listOrders } from '#modules/purchase/contract/order-calls.ts';
import { buyerAddresses, type Preview, PreviewLine, placeTrade, previewTrade } from '../contract/index.ts';
import { refreshAlibaba, useBuyerOptions } from './refresh.ts';
import './alibaba.css';

function Sums({ preview }: { preview: Preview }) {
  const money = (amount: string | null) => <Money amount={amount} currency="CNY" />;
  return (
    <>
      <LineTable
        row={PreviewLine}
        rows={preview.lines}
        rowId={(_, index) => String(index)}
        density="picture"
        label="下单明细"
      />
      <Facts
        title="金额核对"
        money
        facts={[
          { label: '货款', value: money(preview.goods) },
          { label: '运费', value: money(preview.freight) },
          { label: '1688应付', value: money(preview.total), strong: true },
          { label: '采购单总额', value: money(preview.orderAmount) },
          { label: '差额', value: money(preview.difference) },
        ]}
      />
      {!new Decimal(preview.difference ?? 0).isZero() && <Banner>1688金额与采购单不一致，请核对后再下单</Banner>}
    </>
  );
}

/** Orders an approved purchase order on the platform: account, address, what it would cost there, then the order. */
export function PlaceDialog({ onClose }: { onClose: () => void }) {
  const buyers = useBuyerOptions();
  const [orderId, setOrder] = useState<string>();
  const [chosen, setBuyer] = useState<string>();
  const [addressed, setAddress] = useState<string>();
  const buyerId = chosen ?? buyers?.[0]?.value;
  const { data: orders } = useCall(listOrders, { body: { filter: { stage: ['approved'] }, pagesize: 100 } });
  const { data: addresses } = useCall(
    buyerAddresses,
    { body: { buyerId: buyerId ?? '' } },
    { enabled: buyerId !== undefined, staleTime: 60_000 },
  );
  const addressId = addressed ?? addresses?.find((one) => one.standard)?.id;
  const asked = { orderId: orderId ?? '', buyerId: buyerId ?? '', addressId: addressId ?? '' };
  const ready = Boolean(orderId && buyerId && addressId);
  const { data: preview, error } = useCall(previewTrade, { body: asked }, { enabled: ready, staleTime: 0 });
  const place = useSend(placeTrade, {
    onSuccess: async (done) => {
      if (done.status === 'sending') notice.warning(done.message);
      else notice.success(done.message);
      await refreshAlibaba();
      onClose();
    },
  });
  const total = preview?.total;
  return (
    <Modal
      title="1688下单"
      open
      width={760}
      okText="下单"
      okButtonProps={{ disabled: !ready || !total || error !== null }}
      confirmLoading={place.isPending}
      onOk={() => total && place.mutate({ body: { ...asked, total } })}
      onCancel={onClose}
    >
      <div className="alibaba-place">
        <div className="alibaba-place-head">
          <Select
            aria-label="采购单"
            placeholder="选择待下单的采购单"
            style={{ width: 300 }}
            value={orderId ?? null}
            showSearch={{ optionFilterProp: 'label' }}
            options={(orders?.records ?? []).map((one) => ({ value: one.id, label: `${one.number} ${one.supplier}` }))}
            onChange={setOrder}
          />
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
        {ready && preview && !error && <Sums preview={preview} />}
        {!ready && <p className="text2">选择采购单、账号和收货地址后，显示1688的价格、运费和差额。</p>}
      </div>
    </Modal>
  );
}
