import { Checkbox, Modal } from 'antd';
import { useState } from 'react';
import { formatInteger } from '#kit/contract/format.ts';
import { ApiError, call, messageOf, useCall } from '#kit/web/api/index.ts';
import { Money } from '#kit/web/cells/index.ts';
import { notice } from '#kit/web/notice.tsx';
import type { OrderRow } from '../../contract/order.ts';
import { listOrders } from '../../contract/order-calls.ts';
import { mergeOrders } from '../../contract/parts.ts';
import { refreshOrders } from '../choices.ts';
import '../purchase.css';

interface Props {
  /** Orders to choose from. */
  rows: readonly OrderRow[];
  /** Those that are ticked at first, by id. */
  chosen: readonly string[];
  onClose: () => void;
}

/** 合并: orders of one supplier and warehouse that are not placed become the oldest of them. */
export function MergeDialog({ rows, chosen, onClose }: Props) {
  const [ticked, setTicked] = useState<readonly string[]>(chosen);
  const [reprice, setReprice] = useState(false);
  const [busy, setBusy] = useState(false);
  const orders = rows.filter((row) => ticked.includes(row.id));
  const oldest = [...orders].sort((one, other) => (one.id < other.id ? -1 : 1))[0];
  const send = async () => {
    setBusy(true);
    try {
      const body = { orders: orders.map(({ id, version }) => ({ id, version })), reprice };
      const done = await call(mergeOrders, { body }, { quiet: true });
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
      title="合并采购单"
      open
      width={820}
      okText={`合并 ${orders.length} 单`}
      okButtonProps={{ disabled: orders.length < 2 }}
      confirmLoading={busy}
      onOk={() => void send()}
      onCancel={onClose}
    >
      <div className="purchase-dialog">
        <div className="purchase-dialog-head">
          {orders.every((row) => row.state === 'draft') && (
            <Checkbox checked={reprice} onChange={(event) => setReprice(event.target.checked)}>
              按阶梯报价重新取价
            </Checkbox>
          )}
          <span className="text2">
            {oldest ? `合并到最早的 ${oldest.number}，其余作废并互相关联` : '请选择要合并的采购单'}
            ；同一商品、单价和条件相同的行合为一行。
          </span>
        </div>
        <div className="line-table">
          <table aria-label="合并的采购单">
            <thead>
              <tr>
                <th aria-label="选择" />
                <th>采购单号</th>
                <th>供应商</th>
                <th>入库仓</th>
                <th className="is-right">数量</th>
                <th className="is-right">采购总额</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.id}>
                  <td>
                    <Checkbox
                      aria-label={row.number}
                      checked={ticked.includes(row.id)}
                      onChange={(event) =>
                        setTicked((old) =>
                          event.target.checked ? [...old, row.id] : old.filter((one) => one !== row.id),
                        )
                      }
                    />
                  </td>
                  <td className="code">{row.number}</td>
                  <td>{row.supplier}</td>
                  <td>{row.warehouse}</td>
                  <td className="is-right num">{formatInteger(row.qty)}</td>
                  <td className="is-right">
                    <Money amount={row.amount} currency={row.currency} />
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

/** Merging that starts from one order: the others of its supplier and warehouse in the same state are offered. */
export function MergeWith({ order, onClose }: { order: OrderRow; onClose: () => void }) {
  const filter = { stage: [order.stage], supplier: [order.supplierId], warehouse: [order.warehouseId] };
  const { data } = useCall(listOrders, { body: { filter, size: 100 } }, { staleTime: 0 });
  if (!data) return null;
  const rows = data.records.filter((row) => row.currency === order.currency);
  return <MergeDialog rows={rows} chosen={[order.id]} onClose={onClose} />;
}
