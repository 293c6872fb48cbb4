import { Input, InputNumber, Modal, Select } from 'antd';
import { useState } from 'react';
import { formatInteger } from '#kit/contract/format.ts';
import { ApiError, call, messageOf, useCall } from '#kit/web/api/index.ts';
import { ProductCell } from '#kit/web/cells/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { inspectGoods, type ReceiptLineRow, receiptLines } from '../../contract/receipt.ts';
import { placesOf, refreshOrders, usePurchaseChoices } from '../choices.ts';
import '../purchase.css';

interface Props {
  receipt: { id: string; number: string };
  onClose: () => void;
}

interface Found {
  passed: number;
  special: number;
  rejected: number;
  reason: string;
}

const WORDS = { passed: '合格', special: '特采', rejected: '不合格' } as const;

/** What an inspection found: all that waits is good until somebody says otherwise. */
export function InspectDialog({ receipt, onClose }: Props) {
  const { data } = useCall(receiptLines, { params: { id: receipt.id } }, { staleTime: 0 });
  const rows = data?.filter((line) => line.inspecting > 0);
  return rows ? <Loaded receipt={receipt} rows={rows} onClose={onClose} /> : null;
}

function Loaded({ receipt, rows, onClose }: Props & { rows: readonly ReceiptLineRow[] }) {
  const places = placesOf(usePurchaseChoices(), 'DEFECTIVE');
  const [place, setPlace] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [found, setFound] = useState<Record<string, Found>>(() =>
    Object.fromEntries(rows.map((line) => [line.id, { passed: line.inspecting, special: 0, rejected: 0, reason: '' }])),
  );
  const put = (line: ReceiptLineRow, next: Partial<Found>) =>
    setFound((old) => {
      const now = { passed: 0, special: 0, rejected: 0, reason: '', ...old[line.id], ...next };
      // What is not good is taken from what is.
      if (!('passed' in next)) now.passed = Math.max(0, line.inspecting - now.special - now.rejected);
      return { ...old, [line.id]: now };
    });
  const bad = Object.values(found).some((one) => one.rejected > 0);
  const defectiveAt = place ?? places[0]?.value;
  const send = async () => {
    const lines = rows.flatMap((line) => {
      const one = found[line.id];
      return one && one.passed + one.special + one.rejected > 0 ? [{ lineId: line.id, ...one }] : [];
    });
    if (lines.length === 0) return notice.warning('请填写质检数量');
    setBusy(true);
    try {
      const where = bad && defectiveAt ? { defectiveAt } : {};
      const done = await call(inspectGoods, { body: { id: receipt.id, lines, ...where } }, { quiet: true });
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
      title={`质检 ${receipt.number}`}
      open
      width={900}
      okText="登记质检"
      confirmLoading={busy}
      onOk={() => void send()}
      onCancel={onClose}
    >
      <div className="purchase-dialog">
        <div className="purchase-dialog-head text2">
          合格和特采进入采购单的入库仓，不合格进入次品仓，等待退货。
          {bad && (
            <Select
              aria-label="次品仓"
              style={{ width: 160 }}
              placeholder="还没有次品仓"
              value={defectiveAt ?? null}
              options={places}
              onChange={setPlace}
            />
          )}
        </div>
        <div className="line-table is-picture">
          <table aria-label="质检明细">
            <thead>
              <tr>
                <th>商品</th>
                <th className="is-right">待检</th>
                {Object.values(WORDS).map((word) => (
                  <th key={word} className="is-right">
                    {word}
                  </th>
                ))}
                <th>原因</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((line) => (
                <tr key={line.id}>
                  <td>
                    <ProductCell product={line.product} />
                  </td>
                  <td className="is-right num">{formatInteger(line.inspecting)}</td>
                  {(['passed', 'special', 'rejected'] as const).map((key) => (
                    <td key={key} className="is-right">
                      <InputNumber
                        size="small"
                        aria-label={`${line.product.code} ${WORDS[key]}`}
                        min={0}
                        max={line.inspecting}
                        precision={0}
                        controls={false}
                        style={{ width: 80 }}
                        value={found[line.id]?.[key] ?? 0}
                        onChange={(qty) => put(line, { [key]: qty ?? 0 })}
                      />
                    </td>
                  ))}
                  <td>
                    <Input
                      size="small"
                      aria-label={`${line.product.code} 原因`}
                      placeholder="特采、不合格时必填"
                      maxLength={200}
                      value={found[line.id]?.reason ?? ''}
                      onChange={(event) =>
                        put(line, { passed: found[line.id]?.passed ?? 0, reason: event.target.value })
                      }
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
