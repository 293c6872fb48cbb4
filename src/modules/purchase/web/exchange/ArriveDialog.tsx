import { Input, InputNumber, Modal } from 'antd';
import { useState } from 'react';
import { formatInteger } from '#kit/contract/format.ts';
import { ApiError, call, messageOf } from '#kit/web/api/index.ts';
import { ProductCell } from '#kit/web/cells/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { type ExchangeLineRow, type ExchangeRow, receiveExchange } from '../../contract/exchange.ts';
import { refreshOrders } from '../choices.ts';
import '../purchase.css';

interface Props {
  exchange: ExchangeRow;
  lines: readonly ExchangeLineRow[];
  onClose: () => void;
}

/** Good pieces that came for bad ones; all that is waited for is proposed. */
export function ArriveDialog({ exchange, lines, onClose }: Props) {
  const rows = lines.filter((line) => line.openQty > 0);
  const [pieces, setPieces] = useState<Record<string, number>>(() =>
    Object.fromEntries(rows.map((line) => [line.id, line.openQty])),
  );
  const [trackingNo, setTrackingNo] = useState('');
  const [busy, setBusy] = useState(false);
  const send = async () => {
    const came = rows.flatMap((line) => {
      const qty = pieces[line.id] ?? 0;
      return qty > 0 ? [{ lineId: line.id, qty }] : [];
    });
    if (came.length === 0) return notice.warning('请填写换入数量');
    setBusy(true);
    try {
      const body = { id: exchange.id, version: exchange.version, trackingNo: trackingNo.trim(), lines: came };
      const done = await call(receiveExchange, { body }, { quiet: true });
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
      title={`换货收货 ${exchange.number}`}
      open
      width={720}
      okText="收货入库"
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
          <span className="text2">入 {exchange.target}，按原成本计价。</span>
        </div>
        <div className="line-table is-picture">
          <table aria-label="换货收货明细">
            <thead>
              <tr>
                <th>商品</th>
                <th className="is-right">换货数量</th>
                <th className="is-right">待收货</th>
                <th className="is-right">本次换入</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((line) => (
                <tr key={line.id}>
                  <td>
                    <ProductCell product={line.product} />
                  </td>
                  <td className="is-right num">{formatInteger(line.qty)}</td>
                  <td className="is-right num">{formatInteger(line.openQty)}</td>
                  <td className="is-right">
                    <InputNumber
                      size="small"
                      aria-label={`${line.product.code} 本次换入`}
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
