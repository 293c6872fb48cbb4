import { Input, InputNumber, Modal, Select } from 'antd';
import { useState } from 'react';
import { call } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import type { CheckedBox } from '../../contract/box/box.ts';
import { putBox } from '../../contract/box/calls.ts';
import type { ShipLineRow } from '../../contract/order.ts';
import { refreshShip } from '../choices.ts';
import { useTemplates } from './templates.ts';

interface Props {
  id: string;
  box: CheckedBox;
  lines: readonly ShipLineRow[];
  onClose: () => void;
}

const SIDES = [
  { key: 'length', title: '长(cm)' },
  { key: 'width', title: '宽(cm)' },
  { key: 'height', title: '高(cm)' },
  { key: 'weight', title: '重量(kg)' },
] as const;

/** One box of an order: its carton, sizes, weight, and the pieces of each SKU. */
export function BoxDialog({ id, box, lines, onClose }: Props) {
  const templates = useTemplates()?.templates ?? [];
  const { length, width, height, weight, templateId } = box;
  const [now, setNow] = useState({ length, width, height, weight, templateId });
  const [pieces, setPieces] = useState<Record<string, number>>(() =>
    Object.fromEntries(box.items.map(({ lineId, qty }) => [lineId, qty])),
  );
  const [text, setText] = useState('');
  const [busy, setBusy] = useState(false);
  const was = new Map(box.items.map(({ lineId, qty }) => [lineId, qty]));
  const shown = lines.filter(
    (line) =>
      line.pickedQty > 0 &&
      (text === ''
        ? was.has(line.id) || line.boxedQty < line.pickedQty
        : line.msku.toLowerCase().includes(text.toLowerCase())),
  );
  const choose = (chosen: string | undefined) => {
    const carton = templates.find((one) => one.id === chosen);
    const size = carton ? { length: carton.length, width: carton.width, height: carton.height } : {};
    setNow({ ...now, ...size, templateId: carton?.id ?? null });
  };
  const save = async () => {
    const items = Object.entries(pieces).flatMap(([lineId, qty]) => (qty > 0 ? [{ lineId, qty }] : []));
    if (items.length === 0) return notice.error('箱子不能为空');
    setBusy(true);
    try {
      notice.success((await call(putBox, { body: { id, boxNo: box.no, ...now, items } }, {})).message);
      await refreshShip();
      onClose();
    } catch {
      // The call has said why; what was written stays.
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal
      title={`第 ${box.no} 箱`}
      open
      width={680}
      okText="保存"
      confirmLoading={busy}
      onOk={() => void save()}
      onCancel={onClose}
    >
      <div className="box-bar">
        <Select
          size="small"
          aria-label="箱型"
          placeholder="箱型"
          allowClear
          style={{ width: 150 }}
          value={now.templateId}
          options={templates.map((one) => ({ value: one.id, label: one.name }))}
          onChange={(next?: string) => choose(next)}
        />
        {SIDES.map(({ key, title }) => (
          <InputNumber<string>
            key={key}
            size="small"
            aria-label={title}
            placeholder={title}
            stringMode
            controls={false}
            min="0"
            style={{ width: 86 }}
            value={now[key]}
            onChange={(value) => setNow({ ...now, [key]: value === null || value === '' ? null : String(value) })}
          />
        ))}
      </div>
      <Input
        allowClear
        size="small"
        aria-label="查找平台SKU"
        placeholder="查找平台SKU；默认列出本箱和未装完的SKU"
        value={text}
        onChange={(event) => setText(event.target.value.trim())}
      />
      <div className="line-table" style={{ maxHeight: 380, overflow: 'auto' }}>
        <table aria-label={`第 ${box.no} 箱`}>
          <thead>
            <tr>
              <th>平台SKU</th>
              <th className="is-right">还可装</th>
              <th className="is-right">数量</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((line) => (
              <tr key={line.id}>
                <td className="code">{line.msku}</td>
                <td className="is-right num">{line.pickedQty - line.boxedQty + (was.get(line.id) ?? 0)}</td>
                <td className="is-right">
                  <InputNumber
                    size="small"
                    aria-label={`${line.msku} 数量`}
                    min={0}
                    max={line.pickedQty - line.boxedQty + (was.get(line.id) ?? 0)}
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
        {shown.length === 0 && <div className="line-table-none">没有可以装入的SKU</div>}
      </div>
    </Modal>
  );
}
