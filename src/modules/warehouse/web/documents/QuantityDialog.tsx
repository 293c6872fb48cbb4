import { Checkbox, Input, InputNumber, Modal } from 'antd';
import { useRef, useState } from 'react';
import { ApiError, messageOf, uuid } from '#kit/web/api/index.ts';
import { ProductCell } from '#kit/web/cells/index.ts';
import { notice } from '#kit/web/notice.tsx';
import type { LineRow } from '../../contract/documents/fields.ts';
import './documents.css';
import { PlaceSelect } from './PlaceSelect.tsx';

export interface Entry {
  lineId: string;
  qty: number;
  short: boolean;
  /** Where the pieces are put; the line's own place where left out. */
  locationId?: string | undefined;
}

interface Props {
  title: string;
  /** What one piece of it is called: 本次收货, 本次拣货. */
  word: string;
  lines: readonly LineRow[];
  /** Pieces of a line that are still open. */
  open: (line: LineRow) => number;
  /** Offers to give the rest of a line up. */
  short?: boolean;
  /** Starts with all that is open instead of nothing. */
  full?: boolean;
  /** Warehouse whose places can be chosen for what comes in. */
  into?: string | undefined;
  onSend: (entries: Entry[], clientId: string) => Promise<unknown>;
  onClose: () => void;
}

/** Pieces by line: typed, or one for each scan of a SKU. A second press after a lost answer counts once. */
export function QuantityDialog({
  title,
  word,
  lines,
  open,
  short = false,
  full = false,
  into,
  onSend,
  onClose,
}: Props) {
  const rows = lines.filter((line) => open(line) > 0);
  const clientId = useRef(uuid());
  const [busy, setBusy] = useState(false);
  const [scan, setScan] = useState('');
  const [wrong, setWrong] = useState('');
  const [missing, setMissing] = useState<ReadonlySet<string>>(new Set());
  const [pieces, setPieces] = useState<Record<string, number>>(() =>
    Object.fromEntries(rows.map((line) => [line.id, full ? open(line) : 0])),
  );
  const [places, setPlaces] = useState<Record<string, string | undefined>>({});
  const put = (id: string, qty: number) => setPieces((old) => ({ ...old, [id]: qty }));
  const scanned = () => {
    const code = scan.trim().toLowerCase();
    setScan('');
    const line = rows.find((one) => one.product.code.toLowerCase() === code);
    if (!line) return setWrong(`商品不匹配：${scan.trim()}`);
    setWrong('');
    put(line.id, Math.min(open(line), (pieces[line.id] ?? 0) + 1));
  };
  const send = async () => {
    const entries = rows
      .map((line) => ({
        lineId: line.id,
        qty: pieces[line.id] ?? 0,
        short: missing.has(line.id),
        locationId: places[line.id],
      }))
      .filter((entry) => entry.qty > 0 || entry.short);
    if (entries.length === 0) return notice.warning('请填写数量');
    setBusy(true);
    try {
      await onSend(entries, clientId.current);
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
      width={760}
      okText={title}
      confirmLoading={busy}
      onOk={() => void send()}
      onCancel={onClose}
    >
      <div className="document-dialog">
        <div className="document-scan">
          <Input
            autoFocus
            aria-label="扫描 SKU"
            placeholder="扫描或输入 SKU，每次加 1"
            value={scan}
            status={wrong ? 'error' : ''}
            onChange={(event) => setScan(event.target.value)}
            onPressEnter={scanned}
          />
          {wrong && <b className="danger">{wrong}</b>}
        </div>
        <div className="line-table is-picture">
          <table aria-label={title}>
            <thead>
              <tr>
                <th>产品</th>
                <th>库位</th>
                <th className="is-right">待处理</th>
                <th className="is-right">{word}</th>
                {short && <th>缺货</th>}
              </tr>
            </thead>
            <tbody>
              {rows.map((line) => (
                <tr key={line.id}>
                  <td>
                    <ProductCell product={line.product} />
                  </td>
                  <td>
                    {into === undefined ? (
                      (line.location ?? '—')
                    ) : (
                      <PlaceSelect
                        warehouseId={into}
                        label={`${line.product.code} 库位`}
                        placeholder={line.location ?? '暂存'}
                        value={places[line.id]}
                        onChange={(place) => setPlaces((old) => ({ ...old, [line.id]: place }))}
                      />
                    )}
                  </td>
                  <td className="is-right num">{open(line)}</td>
                  <td className="is-right">
                    <InputNumber
                      size="small"
                      aria-label={`${line.product.code} ${word}`}
                      min={0}
                      precision={0}
                      controls={false}
                      style={{ width: 96 }}
                      value={pieces[line.id] ?? 0}
                      onChange={(qty) => put(line.id, qty ?? 0)}
                    />
                  </td>
                  {short && (
                    <td>
                      <Checkbox
                        aria-label={`${line.product.code} 缺货`}
                        checked={missing.has(line.id)}
                        onChange={({ target }) =>
                          setMissing((old) => {
                            const next = new Set(old);
                            if (target.checked) next.add(line.id);
                            else next.delete(line.id);
                            return next;
                          })
                        }
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
