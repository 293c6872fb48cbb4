import { InputNumber, Modal } from 'antd';
import { useState } from 'react';
import type { Product } from '../../contract/field.ts';
import { formatInteger } from '../../contract/format.ts';
import { ApiError, messageOf } from '../api/errors.ts';
import { ProductCell } from '../cells/Product.tsx';
import { notice } from '../notice.tsx';

/** A line that pieces are entered for. */
export interface PiecesLine {
  id: string;
  product: Product;
  /** The most that may be entered. */
  qty: number;
}

interface Props<L extends PiecesLine> {
  title: string;
  note: string;
  /** What is written for each line. */
  word: string;
  lines: readonly L[];
  /** What stands there at first. */
  start: (line: L) => number;
  onSend: (pieces: { lineId: string; pieces: number }[]) => Promise<void>;
  onClose: () => void;
}

/** A number of pieces for each line of a document. */
export function PiecesDialog<L extends PiecesLine>({ title, note, word, lines, start, onSend, onClose }: Props<L>) {
  const [pieces, setPieces] = useState<Record<string, number>>(() =>
    Object.fromEntries(lines.map((line) => [line.id, start(line)])),
  );
  const [busy, setBusy] = useState(false);
  const send = async () => {
    setBusy(true);
    try {
      await onSend(lines.map((line) => ({ lineId: line.id, pieces: pieces[line.id] ?? 0 })));
      onClose();
    } catch (error) {
      if (error instanceof ApiError) notice.error(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal
      title={title}
      open
      width={680}
      okText={title}
      confirmLoading={busy}
      onOk={() => void send()}
      onCancel={onClose}
    >
      <p className="text2">{note}</p>
      <div className="pieces-dialog" style={{ maxHeight: 420, overflow: 'auto' }}>
        <div className="line-table is-picture">
          <table aria-label={title}>
            <thead>
              <tr>
                <th>产品</th>
                <th className="is-right">数量</th>
                <th className="is-right">{word}</th>
              </tr>
            </thead>
            <tbody>
              {lines.map((line) => (
                <tr key={line.id}>
                  <td>
                    <ProductCell product={line.product} />
                  </td>
                  <td className="is-right num">{formatInteger(line.qty)}</td>
                  <td className="is-right">
                    <InputNumber
                      size="small"
                      aria-label={`${line.product.code} ${word}`}
                      min={0}
                      max={line.qty}
                      precision={0}
                      controls={false}
                      style={{ width: 96 }}
                      value={pieces[line.id] ?? 0}
                      onChange={(count) => setPieces((old) => ({ ...old, [line.id]: count ?? 0 }))}
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
