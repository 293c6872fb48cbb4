import { Input, InputNumber, Modal } from 'antd';
import { useState } from 'react';
import { formatInteger } from '#kit/contract/format.ts';
import { ApiError, call, messageOf } from '#kit/web/api/index.ts';
import { ProductCell } from '#kit/web/cells/index.ts';
import { notice } from '#kit/web/notice.tsx';
import type { OrderHead, OrderLineRow } from '../../contract/order.ts';
import { closeLines } from '../../contract/order-calls.ts';
import { refreshOrders } from '../choices.ts';
import '../purchase.css';

interface Props {
  order: OrderHead;
  lines: readonly OrderLineRow[];
  onClose: () => void;
}

/** 结束收货: how many of the pieces that have not come are waited for no longer; all of them are proposed. */
export function CloseDialog({ order, lines, onClose }: Props) {
  const rows = lines.filter((line) => line.openQty > 0);
  const [pieces, setPieces] = useState<Record<string, number>>(() =>
    Object.fromEntries(rows.map((line) => [line.id, line.openQty])),
  );
  const [reason, setReason] = useState('');
  const [busy, setBusy] = useState(false);
  const send = async () => {
    const given = rows.flatMap((line) => {
      const qty = pieces[line.id] ?? 0;
      return qty > 0 ? [{ lineId: line.id, qty }] : [];
    });
    if (given.length === 0) return notice.warning('请填写不再等待的数量');
    setBusy(true);
    try {
      const body = { id: order.id, version: order.version, lines: given, reason: reason.trim() };
      const done = await call(closeLines, { body }, { quiet: true });
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
      title={`结束收货 ${order.number}`}
      open
      width={760}
      okText="结束收货"
      okButtonProps={{ disabled: reason.trim() === '', danger: true }}
      confirmLoading={busy}
      onOk={() => void send()}
      onCancel={onClose}
    >
      <div className="purchase-dialog">
        <div className="purchase-dialog-head">
          <Input
            aria-label="原因"
            placeholder="原因"
            autoFocus
            style={{ width: 320 }}
            maxLength={200}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
          <span className="text2">这些数量不再等待，待入库释放，应付按已收和仍待到货的数量计算。</span>
        </div>
        <div className="line-table is-picture">
          <table aria-label="结束收货明细">
            <thead>
              <tr>
                <th>商品</th>
                <th className="is-right">数量</th>
                <th className="is-right">已收</th>
                <th className="is-right">待到货</th>
                <th className="is-right">不再等待</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((line) => (
                <tr key={line.id}>
                  <td>
                    <ProductCell product={line.product} />
                  </td>
                  <td className="is-right num">{formatInteger(line.qty)}</td>
                  <td className="is-right num">{formatInteger(line.received)}</td>
                  <td className="is-right num">{formatInteger(line.openQty)}</td>
                  <td className="is-right">
                    <InputNumber
                      size="small"
                      aria-label={`${line.product.code} 不再等待`}
                      min={0}
                      max={line.openQty}
                      precision={0}
                      controls={false}
                      style={{ width: 96 }}
                      value={pieces[line.id] ?? 0}
                      onChange={(qty) => setPieces((old) => ({ ...old, [line.id]: qty ?? 0 }))}
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
