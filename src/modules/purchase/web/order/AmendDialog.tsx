import { DatePicker, Input, InputNumber, Modal } from 'antd';
import dayjs from 'dayjs';
import { useState } from 'react';
import { formatInteger } from '#kit/contract/format.ts';
import { ApiError, call, messageOf } from '#kit/web/api/index.ts';
import { ProductCell } from '#kit/web/cells/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { amendOrder } from '../../contract/amend.ts';
import type { OrderHead, OrderLineRow } from '../../contract/order.ts';
import { refreshOrders } from '../choices.ts';
import '../purchase.css';

interface Props {
  order: OrderHead;
  lines: readonly OrderLineRow[];
  onClose: () => void;
}

interface Terms {
  qty: number | null;
  unitPrice: string | null;
  expectedOn: string | null;
}

/** Quantities, prices and days of a placed order; what makes it dearer waits for approval. */
export function AmendDialog({ order, lines, onClose }: Props) {
  const rows = lines.filter((line) => line.cancelled === 0);
  const [terms, setTerms] = useState<Record<string, Terms>>(() =>
    Object.fromEntries(rows.map(({ id, qty, unitPrice, expectedOn }) => [id, { qty, unitPrice, expectedOn }])),
  );
  const [reason, setReason] = useState('');
  const [busy, setBusy] = useState(false);
  const put = (id: string, next: Partial<Terms>) =>
    setTerms((old) => ({ ...old, [id]: { qty: null, unitPrice: null, expectedOn: null, ...old[id], ...next } }));
  const send = async () => {
    setBusy(true);
    try {
      const changed = rows.flatMap((line) => {
        const now = terms[line.id];
        return now?.qty && now.unitPrice !== null
          ? [{ lineId: line.id, qty: now.qty, unitPrice: now.unitPrice, expectedOn: now.expectedOn }]
          : [];
      });
      const body = { orderId: order.id, version: order.version, reason: reason.trim(), lines: changed };
      const done = await call(amendOrder, { body }, { quiet: true });
      notice.success(done.message);
      await refreshOrders();
      onClose();
    } catch (error) {
      if (error instanceof ApiError) notice.error(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal
      title={`变更 ${order.number}`}
      open
      width={880}
      okText="提交变更"
      okButtonProps={{ disabled: reason.trim() === '' }}
      confirmLoading={busy}
      onOk={() => void send()}
      onCancel={onClose}
    >
      <div className="purchase-dialog">
        <div className="purchase-dialog-head">
          <Input
            aria-label="变更原因"
            placeholder="变更原因"
            style={{ width: 320 }}
            maxLength={200}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
          <span className="text2">总额增加超过免审比例的变更须审核；已收货的行不能改价。</span>
        </div>
        <div className="line-table is-picture">
          <table aria-label="变更明细">
            <thead>
              <tr>
                <th>商品</th>
                <th className="is-right">已收</th>
                <th className="is-right">数量</th>
                <th className="is-right">含税单价</th>
                <th>要求到货</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((line) => (
                <tr key={line.id}>
                  <td>
                    <ProductCell product={line.product} />
                  </td>
                  <td className="is-right num">{formatInteger(line.received)}</td>
                  <td className="is-right">
                    <InputNumber
                      size="small"
                      aria-label={`${line.product.code} 数量`}
                      min={1}
                      precision={0}
                      controls={false}
                      style={{ width: 96 }}
                      value={terms[line.id]?.qty ?? null}
                      onChange={(qty) => put(line.id, { qty })}
                    />
                  </td>
                  <td className="is-right">
                    <InputNumber<string>
                      size="small"
                      aria-label={`${line.product.code} 单价`}
                      stringMode
                      controls={false}
                      min="0"
                      style={{ width: 104 }}
                      disabled={line.gift || line.received > 0}
                      value={terms[line.id]?.unitPrice ?? null}
                      onChange={(unitPrice) => put(line.id, { unitPrice })}
                    />
                  </td>
                  <td>
                    <DatePicker
                      size="small"
                      aria-label={`${line.product.code} 要求到货`}
                      value={terms[line.id]?.expectedOn ? dayjs(terms[line.id]?.expectedOn) : null}
                      onChange={(day) => put(line.id, { expectedOn: day ? day.format('YYYY-MM-DD') : null })}
                    />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </div>
    </Modal>
  );
}
