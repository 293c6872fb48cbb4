import { DeleteOutlined } from '@ant-design/icons';
import { Button, InputNumber } from 'antd';
import { useState } from 'react';
import type { Box } from '../../contract/box.ts';
import { plainDecimal } from '../../contract/decimal.ts';
import { formatInteger } from '../../contract/format.ts';
import { notice } from '../notice.tsx';
import { useDirty } from '../tabs/scope.ts';
import './boxes.css';
import { fillBoxes, restBox, unpacked, withPieces } from './boxes.ts';

/** A line whose pieces lie in boxes. */
export interface BoxedLine {
  id: string;
  code: string;
  name: string;
  /** Pieces that are to be packed. */
  qty: number;
}

interface Props {
  lines: readonly BoxedLine[];
  /** As they are stored; the table begins anew with another `version`. */
  saved: readonly Box[];
  version: number;
  /** Whether the caller may write them now. */
  writes: boolean;
  /** Said where there is no box and nobody may write one. */
  none: string;
  /** Stores all boxes; rejects where they are refused. */
  onSave: (boxes: Box[]) => Promise<unknown>;
}

const MEASURES = [
  { key: 'length', title: '长(cm)' },
  { key: 'width', title: '宽(cm)' },
  { key: 'height', title: '高(cm)' },
  { key: 'weight', title: '重量(kg)' },
] as const;

/** 装箱: a row for each box, a column for each product; written while the document is being packed. */
export function BoxTable(props: Props) {
  return <Boxes key={props.version} {...props} />;
}

function Boxes({ lines, saved, writes, none, onSave }: Props) {
  const [boxes, setBoxes] = useState<Box[]>([...saved]);
  const [dirty, setDirty] = useState(false);
  const [busy, setBusy] = useState(false);
  const [each, setEach] = useState<number | null>(null);
  useDirty(dirty);
  const change = (next: Box[]) => {
    setDirty(true);
    setBoxes(next);
  };
  const numbered = boxes.map((box, index) => ({ no: index + 1, box }));
  const open = unpacked(lines, boxes);
  const left = [...open.values()].reduce((sum, qty) => sum + Math.max(0, qty), 0);
  const store = async () => {
    if (boxes.some((box) => box.items.length === 0)) return notice.error('箱子不能为空');
    setBusy(true);
    try {
      await onSave(boxes);
      setDirty(false);
    } catch {
      // Whoever sends has said why it was refused; what was written stays.
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      {writes && (
        <div className="box-bar">
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
          <Button type="primary" size="small" disabled={!dirty} loading={busy} onClick={() => void store()}>
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
                <th key={line.id} className="is-right" title={line.name}>
                  {line.code}
                </th>
              ))}
              {writes && <th aria-label="操作" />}
            </tr>
          </thead>
          <tbody>
            {numbered.map(({ no, box }) => (
              <BoxRow
                key={no}
                no={no}
                box={box}
                lines={lines}
                writes={writes}
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
                {writes && <td />}
              </tr>
            </tfoot>
          )}
        </table>
        {boxes.length === 0 && <div className="line-table-none">{writes ? '还没有装箱' : none}</div>}
      </div>
    </>
  );
}

interface RowProps {
  no: number;
  box: Box;
  lines: readonly BoxedLine[];
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
              aria-label={`第 ${no} 箱 ${line.code}`}
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
