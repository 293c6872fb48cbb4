import { InputNumber, Modal, Select } from 'antd';
import { useState } from 'react';
import { formatInteger } from '#kit/contract/format.ts';
import { download } from '#kit/web/api/index.ts';
import { ProductCell } from '#kit/web/cells/index.ts';
import { ContentCode, printCartonLabels, printUnitLabels, UnitLayout } from '../../contract/box/labels.ts';
import type { ShipLineRow } from '../../contract/order.ts';
import { refreshShip } from '../choices.ts';

const optionsOf = (states: Record<string, { title: string }> | undefined) =>
  Object.entries(states ?? {}).map(([value, { title }]) => ({ value, label: title }));
const CONTENTS = optionsOf(ContentCode.meta()?.states);
const LAYOUTS = optionsOf(UnitLayout.meta()?.states);

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
  const [layout, setLayout] = useState<UnitLayout>('GRID_24');
  const [used, setUsed] = useState(0);
  const [busy, setBusy] = useState(false);
  const total = Object.values(copies).reduce((sum, count) => sum + count, 0);
  const print = async () => {
    setBusy(true);
    try {
      const wanted = lines.flatMap((line) => {
        const count = copies[line.id] ?? 0;
        return count > 0 ? [{ lineId: line.id, copies: count }] : [];
      });
      await download(printUnitLabels, { body: { id, layout, lines: wanted, used } });
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
      <div className="box-bar">
        <Select
          size="small"
          aria-label="标签纸"
          style={{ width: 230 }}
          value={layout}
          options={LAYOUTS}
          onChange={(next) => setLayout(next as UnitLayout)}
        />
        {layout.startsWith('GRID') && (
          <>
            <span>首页已用</span>
            <InputNumber
              size="small"
              aria-label="首页已用张数"
              min={0}
              max={43}
              precision={0}
              controls={false}
              style={{ width: 56 }}
              value={used}
              onChange={(count) => setUsed(count ?? 0)}
            />
            <span>张</span>
          </>
        )}
        <span className="spring" />
        <span>
          共 <b className="num">{formatInteger(total)}</b> 张
        </span>
      </div>
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
