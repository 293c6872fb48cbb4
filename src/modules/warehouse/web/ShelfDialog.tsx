import { Input, InputNumber, Modal } from 'antd';
import { useRef, useState } from 'react';
import { ApiError, cacheKey, call, messageOf, queryClient, uuid } from '#kit/web/api/index.ts';
import { ProductCell } from '#kit/web/cells/index.ts';
import { notice } from '#kit/web/notice.tsx';
import {
  countShelf,
  listShelf,
  listShelfRecords,
  moveShelf,
  putAway,
  type ShelfRow,
  takeDown,
} from '../contract/shelf.ts';
import './documents/documents.css';
import { PlaceSelect } from './documents/PlaceSelect.tsx';

export type ShelfMode = 'putaway' | 'pull' | 'move';
export const MODES: Record<ShelfMode, string> = { putaway: '上架', pull: '下架', move: '移位' };

interface Entry {
  row: ShelfRow;
  qty: number;
  toId: string | undefined;
}

/** Sends what was entered; the rows are all of one warehouse. */
async function send(mode: ShelfMode, clientId: string, remark: string, entries: readonly Entry[]) {
  const warehouseId = entries[0]?.row.warehouseId ?? '';
  const head = { clientId, warehouseId, remark };
  const options = { quiet: true, idempotencyKey: clientId };
  const of = ({ row, qty }: Entry) => ({ productId: row.productId, lotId: row.lotId, qty });
  if (mode === 'pull') {
    const lines = entries.map((entry) => ({ ...of(entry), fromId: entry.row.locationId }));
    return call(takeDown, { body: { ...head, lines } }, options);
  }
  const placed = entries.map((entry) => ({ ...of(entry), fromId: entry.row.locationId, toId: entry.toId ?? '' }));
  if (mode === 'move') return call(moveShelf, { body: { ...head, lines: placed } }, options);
  const lines = placed.map(({ fromId: _, ...line }) => line);
  return call(putAway, { body: { ...head, lines } }, options);
}

interface Props {
  mode: ShelfMode;
  rows: readonly ShelfRow[];
  onClose: () => void;
}

/** 上架, 下架, 移位 of rows of one warehouse: how many of each, and where to. */
export function ShelfDialog({ mode, rows, onClose }: Props) {
  const clientId = useRef(uuid());
  const [busy, setBusy] = useState(false);
  const [remark, setRemark] = useState('');
  const [entries, setEntries] = useState<Entry[]>(() => rows.map((row) => ({ row, qty: row.free, toId: undefined })));
  const title = MODES[mode];
  const put = (index: number, change: Partial<Entry>) =>
    setEntries((old) => old.map((entry, at) => (at === index ? { ...entry, ...change } : entry)));
  const submit = async () => {
    const wanted = entries.filter((entry) => entry.qty > 0);
    if (wanted.length === 0) return notice.warning('请填写数量');
    if (mode !== 'pull' && wanted.some((entry) => entry.toId === undefined)) return notice.warning('请选择移入库位');
    setBusy(true);
    try {
      const { number, pieces } = await send(mode, clientId.current, remark, wanted);
      notice.success(`${title}完成：${pieces} 件，单号 ${number}`);
      for (const each of [listShelf, countShelf, listShelfRecords]) {
        await queryClient.invalidateQueries({ queryKey: cacheKey(each) });
      }
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
      onOk={() => void submit()}
      onCancel={onClose}
    >
      <div className="document-dialog">
        <div className="line-table is-picture">
          <table aria-label={title}>
            <thead>
              <tr>
                <th>产品</th>
                <th>现库位</th>
                <th>批次</th>
                <th className="is-right">可移动</th>
                <th className="is-right">本次数量</th>
                {mode !== 'pull' && <th>移入库位</th>}
              </tr>
            </thead>
            <tbody>
              {entries.map(({ row, qty, toId }, index) => (
                <tr key={row.id}>
                  <td>
                    <ProductCell product={row.product} />
                  </td>
                  <td>{row.location}</td>
                  <td>{row.lot ?? '—'}</td>
                  <td className="is-right num">{row.free}</td>
                  <td className="is-right">
                    <InputNumber
                      size="small"
                      aria-label={`${row.product.code} 数量`}
                      min={0}
                      max={row.free}
                      precision={0}
                      controls={false}
                      style={{ width: 96 }}
                      value={qty}
                      onChange={(value) => put(index, { qty: value ?? 0 })}
                    />
                  </td>
                  {mode !== 'pull' && (
                    <td>
                      <PlaceSelect
                        warehouseId={row.warehouseId}
                        label={`${row.product.code} 移入库位`}
                        placeholder="选择库位"
                        value={toId}
                        onChange={(place) => put(index, { toId: place })}
                      />
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        <Input
          aria-label="备注"
          placeholder="备注"
          maxLength={200}
          value={remark}
          onChange={(event) => setRemark(event.target.value)}
        />
      </div>
    </Modal>
  );
}
