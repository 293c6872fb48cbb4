import { Button } from 'antd';
import { useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { EDIT } from '../../contract/fields.ts';
import { orderDetail } from '../../contract/order-calls.ts';
import { addShipment, orderShipments, removeShipment, ShipmentRow } from '../../contract/shipment.ts';

const Form = addShipment.body.omit({ orderId: true });
const STALE = [orderShipments, orderDetail];

function ShipmentDialog({ orderId, onClose }: { orderId: string; onClose: () => void }) {
  const form = useForm(Form, {});
  const send = useSend(addShipment, {
    quiet: true,
    refreshes: STALE,
    onSuccess: () => notice.success('供应商发货已登记'),
  });
  return (
    <FormDialog
      title="登记供应商发货"
      open
      okText="登记"
      form={form}
      onClose={onClose}
      onSubmit={(values) => send.mutateAsync({ body: { ...values, orderId } })}
      fields={{ remark: { span: 2 } }}
    />
  );
}

/** What the supplier sent of an order, and when: production ends there, the way here begins. */
export function Shipments({ orderId, open }: { orderId: string; open: boolean }) {
  const { data } = useCall(orderShipments, { params: { id: orderId } }, { staleTime: 0 });
  const [adding, setAdding] = useState(false);
  const remove = useSend(removeShipment, { refreshes: STALE, onSuccess: () => notice.success('已删除') });
  const [last] = data ?? [];
  return (
    <>
      <LineTable row={ShipmentRow} rows={data} label="供应商发货" none="还没有登记供应商发货" />
      <Allowed code={EDIT}>
        <div className="order-add">
          <Button disabled={!open} onClick={() => setAdding(true)}>
            登记供应商发货
          </Button>
          {last && (
            <Button
              disabled={!open}
              loading={remove.isPending}
              onClick={() => remove.mutate({ body: { id: last.id } })}
            >
              删除 {last.shippedOn} 的发货
            </Button>
          )}
          <span className="text2">发货日期把「采购时效」里的生产与运输分开。</span>
        </div>
      </Allowed>
      {adding && <ShipmentDialog orderId={orderId} onClose={() => setAdding(false)} />}
    </>
  );
}
