import { DeleteOutlined } from '@ant-design/icons';
import { Button, InputNumber } from 'antd';
import { useState } from 'react';
import { plainDecimal } from '#kit/contract/decimal.ts';
import { formatInteger } from '#kit/contract/format.ts';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { useDirty } from '#kit/web/tabs/scope.ts';
import type { LineRow } from '../../contract/documents/fields.ts';
import { type Box, overseasCalls, SHIP } from '../../contract/documents/overseas.ts';
import { fillBoxes, restBox, unpacked, withPieces } from './boxes.ts';
import type { Head } from './kinds.ts';

interface Props {
  head: Head;
  lines: readonly LineRow[];
  onSaved: () => Promise<void>;
}

const MEASURES = [
  { key: 'length', title: '长(cm)' },
  { key: 'width', title: '宽(cm)' },
  { key: 'height', title: '高(cm)' },
  { key: 'weight', title: '重量(kg)' },
] as const;

/** 装箱: a row for each box, a column for each product; written while the document is being packed. */
export function BoxTable(props: Props) {
  const { data } = useCall(overseasCalls.boxes, { params: { id: props.head.id } }, { staleTime: 0 });
  if (!data) return null;
  return <Boxes key={props.head.version} {...props} saved={data} />;
}

function Boxes({ head, lines, onSaved, saved }: Props & { saved: Box[] }) {
  const mayPack = useAllowed(SHIP) && head.state === 'packing';
  const [boxes, setBoxes] = useState(saved);
  const [dirty, setDirty] = useState(false);
  const [each, setEach] = useState<number | null>(null);
  useDirty(dirty);
  const send = useSend(overseasCalls.putBoxes, {
    refreshes: [overseasCalls.boxes],
    onSuccess: async ({ message }) => {
      setDirty(false);
      notice.success(message);
      await onSaved();
    },
  });
  const change = (next: Box[]) => {
    setDirty(true);
    setBoxes(next);
  };
  const numbered = boxes.map((box, index) => ({ no: index + 1, box }));
  const open = unpacked(lines, boxes);
  const left = [...open.values()].reduce((sum, qty) => sum + Math.max(0, qty), 0);
  const store = () => {
    if (boxes.some((box) => box.items.length === 0)) return notice.error('箱子不能为空');
    send.mutate({ body: { id: head.id, version: head.version, boxes } });
  };
  return (
    <>
      {mayPack && (
        <div className="count-bar">
          <span>
            未装 <b className="num">{formatInteger(left)}</b> 件
          </span>
          <span className="spring" />
          <span>每箱</span>
          <InputNumber
            size="small"
            aria-label="每箱件数"
            min={1}
            precision={0}
            controls={false}
            style={{ width: 72 }}
            value={each}
            onChange={setEach}
          />
          <Button
            size="small"
            disabled={each === null || left === 0}
            onClick={() => change([...boxes, ...fillBoxes(lines, boxes, each ?? 1)])}
          >
            按SKU分箱
          </Button>
          <Button size="small" disabled={left === 0} onClick={() => change([...boxes, restBox(lines, boxes)])}>
            其余装一箱
          </Button>
          <Button type="primary" size="small" disabled={!dirty} loading={send.isPending} onClick={store}>
            保存装箱
          </Button>
        </div>
      )}
      <div className="line-table">
        <table aria-label="装箱">
          <thead>
            <tr>
              <th>箱号</th>
              {MEASURES.map(({ key, title }) => (
                <th key={key} className="is-right">
                  {title}
                </th>
              ))}
              {lines.map((line) => (
                <th key={line.id} className="is-right" title={line.product.name}>
                  {line.product.code}
                </th>
              ))}
              {mayPack && <th aria-label="操作" />}
            </tr>
          </thead>
          <tbody>
            {numbered.map(({ no, box }) => (
              <BoxRow
                key={no}
                no={no}
                box={box}
                lines={lines}
                writes={mayPack}
                onChange={(next) => change(numbered.map((one) => (one.no === no ? next : one.box)))}
                onRemove={() => change(numbered.filter((one) => one.no !== no).map((one) => one.box))}
              />
            ))}
          </tbody>
          {boxes.length > 0 && (
            <tfoot>
              <tr>
                <td colSpan={5}>未装</td>
                {lines.map((line) => {
                  const qty = open.get(line.id) ?? 0;
                  return (
                    <td key={line.id} className={`is-right num ${qty === 0 ? 'text3' : 'danger'}`}>
                      {formatInteger(qty)}
                    </td>
                  );
                })}
                {mayPack && <td />}
              </tr>
            </tfoot>
          )}
        </table>
        {boxes.length === 0 && (
          <div className="line-table-none">{mayPack ? '还没有装箱' : '完成配货后填写装箱数据'}</div>
        )}
      </div>
    </>
  );
}

interface RowProps {
  no: number;
  box: Box;
  lines: readonly LineRow[];
  writes: boolean;
  onChange: (next: Box) => void;
  onRemove: () => void;
}

function BoxRow({ no, box, lines, writes, onChange, onRemove }: RowProps) {
  const piecesOf = (lineId: string) => box.items.find((item) => item.lineId === lineId)?.qty ?? 0;
  return (
    <tr>
      <td className="num">{no}</td>
      {MEASURES.map(({ key, title }) => (
        <td key={key} className="is-right num">
          {writes ? (
            <InputNumber<string>
              size="small"
              aria-label={`第 ${no} 箱 ${title}`}
              stringMode
              controls={false}
              min="0"
              style={{ width: 76 }}
              value={box[key]}
              onChange={(value) => onChange({ ...box, [key]: value === null || value === '' ? null : String(value) })}
            />
          ) : box[key] === null ? (
            '—'
          ) : (
            plainDecimal(box[key])
          )}
        </td>
      ))}
      {lines.map((line) => (
        <td key={line.id} className="is-right num">
          {writes ? (
            <InputNumber
              size="small"
              aria-label={`第 ${no} 箱 ${line.product.code}`}
              min={0}
              precision={0}
              controls={false}
              style={{ width: 76 }}
              value={piecesOf(line.id)}
              onChange={(qty) => onChange(withPieces(box, line.id, qty ?? 0))}
            />
          ) : (
            formatInteger(piecesOf(line.id))
          )}
        </td>
      ))}
      {writes && (
        <td>
          <button type="button" className="icon-button is-small" aria-label={`删除第 ${no} 箱`} onClick={onRemove}>
            <DeleteOutlined />
          </button>
        </td>
      )}
    </tr>
  );
}
