import { InputNumber, Modal } from 'antd';
import { useState } from 'react';
import { formatInteger } from '#kit/contract/format.ts';
import { ApiError, messageOf } from '#kit/web/api/index.ts';
import { ProductCell } from '#kit/web/cells/index.ts';
import { notice } from '#kit/web/notice.tsx';
import type { LineRow } from '../../contract/documents/fields.ts';

interface Props {
  title: string;
  note: string;
  /** What is written for each line. */
  word: string;
  lines: readonly LineRow[];
  start: (line: LineRow) => number;
  onSend: (pieces: { lineId: string; pieces: number }[]) => Promise<void>;
  onClose: () => void;
}

/** A number of pieces for each line of a document. */
export function LinePiecesDialog({ title, note, word, lines, start, onSend, onClose }: Props) {
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
      <div className="document-dialog">
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
