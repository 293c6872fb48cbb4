import { InputNumber } from 'antd';
import { useState } from 'react';
import { ApiError, useCall, useSend } from '#kit/web/api/index.ts';
import { ProductCell } from '#kit/web/cells/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { PackageForm, shipOrders } from '../../contract/acts.ts';
import { CARRIERS, OTHER_CARRIER } from '../../contract/carriers.ts';
import { type OrderDetail, type OrderLine, orderDetail } from '../../contract/orders.ts';
import { REFRESHES } from './refresh.ts';
import { SentAt } from './SentAt.tsx';
import './acts.css';

const CODES = [
  ...CARRIERS.map((code) => ({ value: code, label: code })),
  { value: OTHER_CARRIER, label: '其他（填写名称）' },
];

type Quantities = Readonly<Record<string, number>>;

const waiting = (order: OrderDetail): OrderLine[] => order.lines.filter((line) => line.left > 0);

interface LinesProps {
  lines: readonly OrderLine[];
  quantities: Quantities;
  onPut: (item: string, quantity: number) => void;
}

/** How many of each line go into the package. */
function Lines({ lines, quantities, onPut }: LinesProps) {
  return (
    <table className="ship-lines" aria-label="发货商品">
      <thead>
        <tr>
          <th>商品</th>
          <th className="right">待发</th>
          <th>本次发货</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={line.id}>
            <td>
              <ProductCell product={line.product} size={26} />
            </td>
            <td className="right num">{line.left}</td>
            <td>
              <InputNumber
                size="small"
                aria-label={`${line.product.code} 发货数量`}
                min={0}
                max={line.left}
                precision={0}
                value={quantities[line.orderItemId ?? ''] ?? line.left}
                onChange={(value) => onPut(line.orderItemId ?? '', value ?? 0)}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Package({ order, onClose }: { order: OrderDetail; onClose: () => void }) {
  const form = useForm(PackageForm, { shippedAt: new Date().toISOString() });
  const [quantities, setQuantities] = useState<Quantities>({});
  const send = useSend(shipOrders, {
    refreshes: REFRESHES,
    onSuccess: () => notice.success('已提交发货，等待亚马逊确认'),
    quiet: true,
  });
  const lines = waiting(order);
  const items = lines.flatMap(({ orderItemId, left }) => {
    const quantity = quantities[orderItemId ?? ''] ?? left;
    return orderItemId !== null && quantity > 0 ? [{ orderItemId, quantity }] : [];
  });
  return (
    <FormDialog
      title={`确认发货 · ${order.amazonOrderId}`}
      open
      form={form}
      okText="确认发货"
      fields={{
        carrierCode: { options: CODES },
        carrierName: { hidden: form.values.carrierCode !== OTHER_CARRIER },
        shippingMethod: { placeholder: '例如 Ground、标准快递' },
        codCollectionMethod: { hidden: order.store.country !== 'JP' },
        shippedAt: { render: (props) => <SentAt {...props} />, help: '交给承运商的时间，不能晚于现在' },
      }}
      onSubmit={async (values) => {
        if (items.length === 0) {
          notice.error('请填写发货数量');
          throw new Error('nothing to send');
        }
        try {
          await send.mutateAsync({ body: { packages: [{ ...values, id: order.id, items }] } });
        } catch (error) {
          // What is wrong with the order or its lines has no field of the form beside which it could stand.
          const beside = (field: string) => !/\.(id|items)\b/.test(field);
          if (error instanceof ApiError && error.fields.some(({ field }) => !beside(field)))
            notice.error(error.message);
          throw error;
        }
      }}
      onClose={onClose}
    >
      {order.buyerCancelRequested && (
        <p className="note is-warning" role="alert">
          买家申请取消这个订单，发货前请先处理。
        </p>
      )}
      <Lines
        lines={lines}
        quantities={quantities}
        onPut={(item, quantity) => setQuantities((old) => ({ ...old, [item]: quantity }))}
      />
      <p className="label ship-hint">分多个包裹发出时，每个包裹确认一次，填写各自的数量和运单号。</p>
    </FormDialog>
  );
}

/** 确认发货 of one order: carrier, tracking number and how many of each line. */
export function ShipDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { data } = useCall(orderDetail, { params: { id } }, { staleTime: 0 });
  return data ? <Package order={data} onClose={onClose} /> : null;
}
