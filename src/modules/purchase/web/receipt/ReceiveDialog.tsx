import { Checkbox, Input, InputNumber, Modal, Select } from 'antd';
import { useRef, useState } from 'react';
import { formatInteger } from '#kit/contract/format.ts';
import { ApiError, call, messageOf, uuid } from '#kit/web/api/index.ts';
import { ProductCell } from '#kit/web/cells/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { OVER_RECEIVE } from '../../contract/fields.ts';
import type { OrderLineRow } from '../../contract/order.ts';
import { receiveGoods } from '../../contract/receipt.ts';
import type { OverTreatment } from '../../contract/surplus.ts';
import { placesOf, refreshOrders, usePurchaseChoices } from '../choices.ts';
import { TreatmentSelect } from '../surplus/TreatmentSelect.tsx';
import '../purchase.css';

interface Props {
  orderId: string;
  lines: readonly OrderLineRow[];
  onClose: () => void;
}

interface Came {
  qty: number;
  inspect: boolean;
  over?: OverTreatment;
}

/** What a truck brought: pieces by line, and whether they are inspected first. A second press after a lost answer counts once. */
export function ReceiveDialog({ orderId, lines, onClose }: Props) {
  const choices = usePurchaseChoices();
  const qc = placesOf(choices, 'QC');
  const mayMore = useAllowed(OVER_RECEIVE);
  const rows = mayMore ? lines : lines.filter((line) => line.mostQty > 0);
  const clientId = useRef(uuid());
  const [came, setCame] = useState<Record<string, Came>>(() =>
    Object.fromEntries(rows.map((line) => [line.id, { qty: line.openQty, inspect: line.qcLevel !== 'none' }])),
  );
  const [place, setPlace] = useState<string>();
  const [trackingNo, setTrackingNo] = useState('');
  const [busy, setBusy] = useState(false);
  const put = (id: string, next: Partial<Came>) =>
    setCame((old) => ({ ...old, [id]: { qty: 0, inspect: false, ...old[id], ...next } }));
  const arrived = rows.flatMap((line) => {
    const one = came[line.id];
    return one && one.qty > 0 ? [{ lineId: line.id, ...one }] : [];
  });
  const inspects = arrived.some((line) => line.inspect);
  const inspectAt = place ?? qc[0]?.value;
  const send = async () => {
    if (arrived.length === 0) return notice.warning('请填写到货数量');
    const undecided = rows.find((line) => (came[line.id]?.qty ?? 0) > line.mostQty && !came[line.id]?.over);
    if (undecided) return notice.warning(`${undecided.product.code} 超出允收数量，请选择超收处理`);
    setBusy(true);
    try {
      const where = inspects && inspectAt ? { inspectAt } : {};
      const body = { id: orderId, clientId: clientId.current, trackingNo, lines: arrived, ...where };
      const done = await call(receiveGoods, { body }, { quiet: true });
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
      title="登记到货"
      open
      width={820}
      okText="登记到货"
      confirmLoading={busy}
      onOk={() => void send()}
      onCancel={onClose}
    >
      <div className="purchase-dialog">
        <div className="purchase-dialog-head">
          <Input
            aria-label="运单号"
            placeholder="运单号"
            style={{ width: 220 }}
            maxLength={100}
            value={trackingNo}
            onChange={(event) => setTrackingNo(event.target.value)}
          />
          {inspects && qc.length > 0 && (
            <span className="text2">
              送检到{' '}
              <Select
                aria-label="质检仓"
                style={{ width: 160 }}
                value={inspectAt ?? null}
                options={qc}
                onChange={setPlace}
              />
            </span>
          )}
          {inspects && qc.length === 0 && <span className="warning">还没有质检仓，请先在仓库设置中新增</span>}
        </div>
        <div className="line-table is-picture">
          <table aria-label="到货明细">
            <thead>
              <tr>
                <th>商品</th>
                <th className="is-right">待到货</th>
                <th className="is-right">最多可收</th>
                <th className="is-right">本次到货</th>
                <th>送检</th>
                {mayMore && <th>超收处理</th>}
              </tr>
            </thead>
            <tbody>
              {rows.map((line) => (
                <tr key={line.id}>
                  <td>
                    <ProductCell product={line.product} />
                  </td>
                  <td className="is-right num">{formatInteger(line.openQty)}</td>
                  <td className="is-right num text3">{formatInteger(line.mostQty)}</td>
                  <td className="is-right">
                    <InputNumber
                      size="small"
                      aria-label={`${line.product.code} 本次到货`}
                      min={0}
                      max={mayMore ? 100_000_000 : line.mostQty}
                      precision={0}
                      controls={false}
                      style={{ width: 96 }}
                      value={came[line.id]?.qty ?? 0}
                      onChange={(qty) => put(line.id, { qty: qty ?? 0 })}
                    />
                  </td>
                  <td>
                    <Checkbox
                      aria-label={`${line.product.code} 送检`}
                      checked={came[line.id]?.inspect ?? false}
                      onChange={({ target }) => put(line.id, { inspect: target.checked })}
                    />
                  </td>
                  {mayMore && (
                    <td>
                      <TreatmentSelect
                        code={line.product.code}
                        beyond={(came[line.id]?.qty ?? 0) - line.mostQty}
                        value={came[line.id]?.over}
                        onChange={(over) => put(line.id, { over })}
                      />
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </div>
    </Modal>
  );
}
