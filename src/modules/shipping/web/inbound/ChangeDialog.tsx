import { InputNumber, Modal } from 'antd';
import { useState } from 'react';
import { call } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { changeContents, type InboundShipmentRow } from '../../contract/inbound.ts';

interface Props {
  orderId: string;
  shipment: InboundShipmentRow;
  onDone: () => Promise<void>;
  onClose: () => void;
}

const keyOf = (no: number, msku: string) => `${no} ${msku}`;

/** 修改数量: fewer pieces in the boxes of a shipment whose transport was confirmed. */
export function ChangeDialog({ orderId, shipment, onDone, onClose }: Props) {
  const [pieces, setPieces] = useState<Readonly<Record<string, number>>>({});
  const [busy, setBusy] = useState(false);
  const rows = shipment.boxes.flatMap(({ no, items }) => items.map((item) => ({ no, ...item })));
  const now = (row: (typeof rows)[number]) => pieces[keyOf(row.no, row.msku)] ?? row.qty;
  const changed = rows.filter((row) => now(row) !== row.qty);
  const send = async () => {
    setBusy(true);
    try {
      const byBox = Map.groupBy(changed, (row) => row.no);
      const boxes = [...byBox].map(([no, mine]) => ({
        no,
        items: mine.map((row) => ({ msku: row.msku, qty: now(row) })),
      }));
      const body = { id: orderId, shipmentId: shipment.shipmentId, boxes };
      notice.success((await call(changeContents, { body }, {})).message);
      await onDone();
      onClose();
    } catch {
      // The call has said why; what was written stays.
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal
      title={`修改数量 ${shipment.shipmentNo}`}
      open
      width={560}
      okText="提交亚马逊"
      okButtonProps={{ disabled: changed.length === 0 }}
      confirmLoading={busy}
      onOk={() => void send()}
      onCancel={onClose}
    >
      <p className="label">
        只能改少：每个SKU最多少 5% 或 6 件（取较大者），每箱至少保留一件；确认后少发的数量退回可用库存。
      </p>
      <div className="line-table is-dense" style={{ maxHeight: 420, overflow: 'auto' }}>
        <table aria-label="箱内数量">
          <thead>
            <tr>
              <th>箱</th>
              <th>平台SKU</th>
              <th className="is-right">现有</th>
              <th className="is-right">改为</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={keyOf(row.no, row.msku)}>
                <td className="num">第 {row.no} 箱</td>
                <td className="code">{row.msku}</td>
                <td className="is-right num">{row.qty}</td>
                <td className="is-right">
                  <InputNumber
                    size="small"
                    aria-label={`第 ${row.no} 箱 ${row.msku} 改为`}
                    controls={false}
                    min={0}
                    max={row.qty}
                    precision={0}
                    style={{ width: 88 }}
                    value={now(row)}
                    onChange={(qty) => setPieces((old) => ({ ...old, [keyOf(row.no, row.msku)]: qty ?? 0 }))}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Modal>
  );
}
