import { Button, Popconfirm } from 'antd';
import { useState } from 'react';
import { plainDecimal } from '#kit/contract/decimal.ts';
import { call } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import type { CheckedBox } from '../../contract/box/box.ts';
import { deleteBox, openBox } from '../../contract/box/calls.ts';
import type { ShipLineRow } from '../../contract/order.ts';
import { refreshShip } from '../choices.ts';
import { BoxDialog } from './BoxDialog.tsx';

interface Props {
  id: string;
  boxes: readonly CheckedBox[];
  lines: readonly ShipLineRow[];
  writes: boolean;
  none: string;
  onLabel: (boxNo: number) => void;
}

/** More SKUs than that are counted in a row; the dialog shows all of them. */
const SHOWN = 6;

function contentOf(box: CheckedBox, msku: ReadonlyMap<string, string>): string {
  const words = box.items.map(({ lineId, qty }) => `${msku.get(lineId) ?? ''}×${qty}`);
  return words.length <= SHOWN ? words.join('、') : `${words.slice(0, SHOWN).join('、')} 等 ${words.length} 种`;
}

const sizeOf = ({ length, width, height }: CheckedBox) =>
  length && width && height ? [length, width, height].map(plainDecimal).join('×') : '—';

/** A row for each box with what lies in it in words: for orders of many SKUs, and once packing is over. */
export function BoxList({ id, boxes, lines, writes, none, onLabel }: Props) {
  const [edited, setEdited] = useState<CheckedBox>();
  const msku = new Map(lines.map((line) => [line.id, line.msku]));
  const run = (work: Promise<{ message: string }>) =>
    void work.then(
      async ({ message }) => {
        notice.success(message);
        await refreshShip();
      },
      () => {},
    );
  return (
    <div className="line-table">
      <table aria-label="装箱">
        <thead>
          <tr>
            <th>箱号</th>
            <th>长×宽×高(cm)</th>
            <th className="is-right">重量(kg)</th>
            <th className="is-right">件数</th>
            <th>内容</th>
            <th>箱唛</th>
            <th>提示</th>
            <th aria-label="操作" />
          </tr>
        </thead>
        <tbody>
          {boxes.map((box) => (
            <tr key={box.no}>
              <td className="num">{box.no}</td>
              <td className="num">{sizeOf(box)}</td>
              <td className="is-right num">{box.weight === null ? '—' : plainDecimal(box.weight)}</td>
              <td className="is-right num">{box.items.reduce((sum, item) => sum + item.qty, 0)}</td>
              <td>{contentOf(box, msku) || '空箱'}</td>
              <td>{box.labelPrintedAt ? '已打印' : '—'}</td>
              <td>
                {box.warnings.map(({ level, text }) => (
                  <div key={text} className={level === 'LIMIT' ? 'danger' : 'warning'}>
                    {text}
                  </div>
                ))}
              </td>
              <td className="is-right">
                {box.items.length > 0 && (
                  <Button size="small" type="link" onClick={() => onLabel(box.no)}>
                    箱唛
                  </Button>
                )}
                {writes && box.closed && (
                  <Button
                    size="small"
                    type="link"
                    onClick={() => run(call(openBox, { body: { id, boxNo: box.no } }, {}))}
                  >
                    开箱
                  </Button>
                )}
                {writes && !box.closed && (
                  <Button size="small" type="link" onClick={() => setEdited(box)}>
                    编辑
                  </Button>
                )}
                {writes && (
                  <Popconfirm
                    title={`删除第 ${box.no} 箱？箱内商品回到未装`}
                    okText="删除"
                    onConfirm={() => run(call(deleteBox, { body: { id, boxNo: box.no } }, {}))}
                  >
                    <Button size="small" type="link" danger>
                      删除
                    </Button>
                  </Popconfirm>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {boxes.length === 0 && <div className="line-table-none">{none}</div>}
      {edited && <BoxDialog id={id} box={edited} lines={lines} onClose={() => setEdited(undefined)} />}
    </div>
  );
}
