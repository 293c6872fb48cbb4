import { Input, InputNumber, Modal, Segmented, Select } from 'antd';
import { useState } from 'react';
import { formatInteger } from '#kit/contract/format.ts';
import { ApiError, call, messageOf } from '#kit/web/api/index.ts';
import { ProductCell } from '#kit/web/cells/index.ts';
import { notice } from '#kit/web/notice.tsx';
import type { OrderLineRow } from '../../contract/order.ts';
import { createReturn, type ReturnWay, returnSteps } from '../../contract/return.ts';
import { refreshOrders, usePurchaseChoices } from '../choices.ts';
import { returnable as mostOf } from '../exchange/lines.ts';
import '../purchase.css';

interface Props {
  orderId: string;
  lines: readonly OrderLineRow[];
  /** Goods can be sent again only while the order runs. */
  replaceable: boolean;
  onClose: () => void;
}

const QUALITY = { GOOD: '正品', QC: '待检', DEFECTIVE: '次品' } as const;

/** Goods of an order that go back: from where, how many, and what the supplier does about it. */
export function ReturnDialog({ orderId, lines, replaceable, onClose }: Props) {
  const places = usePurchaseChoices()?.warehouses ?? [];
  const rows = lines.filter((line) => mostOf(line) > 0);
  const bad = places.find((place) => place.quality === 'DEFECTIVE');
  const [chosen, setChosen] = useState<string>();
  const [way, setWay] = useState<ReturnWay>('CREDIT');
  const [reason, setReason] = useState('');
  const [pieces, setPieces] = useState<Record<string, number>>(() =>
    Object.fromEntries(rows.map((line) => [line.id, Math.min(mostOf(line), line.rejected - line.returned)])),
  );
  const [busy, setBusy] = useState(false);
  const warehouseId = chosen ?? bad?.id;
  const send = async () => {
    const back = rows.flatMap((line) => {
      const qty = pieces[line.id] ?? 0;
      return qty > 0 ? [{ lineId: line.id, qty }] : [];
    });
    if (back.length === 0) return notice.warning('请填写退货数量');
    if (!warehouseId) return notice.warning('请选择退货仓');
    setBusy(true);
    try {
      const body = { orderId, warehouseId, way, reason: reason.trim(), lines: back };
      const made = await call(createReturn, { body }, { quiet: true });
      await call(returnSteps.submit, { body: { id: made.id } }, { quiet: true });
      notice.success(`采购退货单${made.number}已提交审核`);
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
      title="新建退货"
      open
      width={820}
      okText="提交审核"
      okButtonProps={{ disabled: reason.trim() === '' }}
      confirmLoading={busy}
      onOk={() => void send()}
      onCancel={onClose}
    >
      <div className="purchase-dialog">
        <div className="purchase-dialog-head">
          <Segmented<ReturnWay>
            value={way}
            onChange={setWay}
            options={[
              { value: 'CREDIT', label: '退货抵扣' },
              { value: 'REPLACE', label: '退货补发', disabled: !replaceable },
            ]}
          />
          <span className="text2">
            从{' '}
            <Select
              aria-label="退货仓"
              placeholder="请选择退货仓"
              style={{ width: 190 }}
              value={warehouseId ?? null}
              options={places.map((place) => ({
                value: place.id,
                label: `${place.name}（${QUALITY[place.quality]}）`,
              }))}
              onChange={setChosen}
            />{' '}
            退出
          </span>
          <Input
            aria-label="退货原因"
            placeholder="退货原因"
            style={{ width: 260 }}
            maxLength={500}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        </div>
        <div className="line-table is-picture">
          <table aria-label="退货明细">
            <thead>
              <tr>
                <th>商品</th>
                <th className="is-right">已收</th>
                <th className="is-right">次品</th>
                <th className="is-right">可退</th>
                <th className="is-right">本次退货</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((line) => (
                <tr key={line.id}>
                  <td>
                    <ProductCell product={line.product} />
                  </td>
                  <td className="is-right num">{formatInteger(line.received)}</td>
                  <td className="is-right num">{formatInteger(line.rejected)}</td>
                  <td className="is-right num">{formatInteger(mostOf(line))}</td>
                  <td className="is-right">
                    <InputNumber
                      size="small"
                      aria-label={`${line.product.code} 本次退货`}
                      min={0}
                      max={mostOf(line)}
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
