import { InputNumber, Modal, Select } from 'antd';
import { useState } from 'react';
import type { UnitLayout } from '#kit/contract/unit-layout.ts';
import { download } from '#kit/web/api/index.ts';
import { ProductCell } from '#kit/web/cells/index.ts';
import { LayoutBar } from '#kit/web/labels/LayoutBar.tsx';
import { ContentCode, printCartonLabels, printUnitLabels } from '../../contract/box/labels.ts';
import type { ShipLineRow } from '../../contract/order.ts';
import { refreshShip } from '../choices.ts';

const optionsOf = (states: Record<string, { title: string }> | undefined) =>
  Object.entries(states ?? {}).map(([value, { title }]) => ({ value, label: title }));
const CONTENTS = optionsOf(ContentCode.meta()?.states);

/** 箱唛 of all boxes, or of one. */
export function CartonDialog({ id, boxNo, onClose }: { id: string; boxNo?: number | undefined; onClose: () => void }) {
  const [content, setContent] = useState<ContentCode>('NONE');
  const [busy, setBusy] = useState(false);
  const print = async () => {
    setBusy(true);
    try {
      const boxNos = boxNo === undefined ? {} : { boxNos: [boxNo] };
      await download(printCartonLabels, { body: { id, content, ...boxNos } });
      await refreshShip();
      onClose();
    } catch {
      // The download has said why.
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal
      title={boxNo === undefined ? '打印箱唛' : `打印箱唛 · 第 ${boxNo} 箱`}
      open
      width={480}
      okText="打印"
      confirmLoading={busy}
      onOk={() => void print()}
      onCancel={onClose}
    >
      <p className="text2">100×150 mm，每箱一张。扫描箱唛上的二维码打开这一箱；改动过的箱子须重新打印。</p>
      <div className="box-bar">
        <span>箱内信息码</span>
        <Select
          aria-label="箱内信息码"
          style={{ width: 160 }}
          value={content}
          options={CONTENTS}
          onChange={(next) => setContent(next as ContentCode)}
        />
      </div>
      <p className="text2">供亚马逊扫描箱内商品，须先填写货件编号；不能代替亚马逊的箱子标签。</p>
    </Modal>
  );
}

/** FNSKU标签 of the pieces of an order: so many of each line, on sheets or on a roll. */
export function UnitDialog({ id, lines, onClose }: { id: string; lines: readonly ShipLineRow[]; onClose: () => void }) {
  const [copies, setCopies] = useState<Record<string, number>>(() =>
    Object.fromEntries(
      lines.map((line) => [line.id, line.labelOwner === 'SELLER' && line.fnsku ? line.pickedQty || line.qty : 0]),
    ),
  );
  const [paper, setPaper] = useState<{ layout: UnitLayout; used: number }>({ layout: 'GRID_24', used: 0 });
  const [busy, setBusy] = useState(false);
  const total = Object.values(copies).reduce((sum, count) => sum + count, 0);
  const print = async () => {
    setBusy(true);
    try {
      const wanted = lines.flatMap((line) => {
        const count = copies[line.id] ?? 0;
        return count > 0 ? [{ lineId: line.id, copies: count }] : [];
      });
      await download(printUnitLabels, { body: { id, ...paper, lines: wanted } });
      onClose();
    } catch {
      // The download has said why.
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal
      title="打印FNSKU标签"
      open
      width={720}
      okText="打印"
      okButtonProps={{ disabled: total === 0 }}
      confirmLoading={busy}
      onOk={() => void print()}
      onCancel={onClose}
    >
      <LayoutBar {...paper} total={total} onChange={setPaper} />
      <div className="line-table is-picture" style={{ maxHeight: 420, overflow: 'auto' }}>
        <table aria-label="FNSKU标签">
          <thead>
            <tr>
              <th>商品</th>
              <th>平台SKU</th>
              <th>FNSKU</th>
              <th className="is-right">张数</th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <tr key={line.id}>
                <td>
                  <ProductCell product={line.product} />
                </td>
                <td className="code">{line.msku}</td>
                <td className="code">{line.fnsku ?? '—'}</td>
                <td className="is-right">
                  <InputNumber
                    size="small"
                    aria-label={`${line.msku} 张数`}
                    min={0}
                    max={10_000}
                    precision={0}
                    controls={false}
                    disabled={!line.fnsku}
                    style={{ width: 96 }}
                    value={copies[line.id] ?? 0}
                    onChange={(count) => setCopies((old) => ({ ...old, [line.id]: count ?? 0 }))}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Modal>
  );
}
