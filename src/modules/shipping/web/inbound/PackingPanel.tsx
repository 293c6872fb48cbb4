import { Button, Select } from 'antd';
import { useState } from 'react';
import type { z } from 'zod';
import { formatInteger } from '#kit/contract/format.ts';
import { type InboundView, PrepCategory } from '../../contract/inbound.ts';
import { piecesOf } from './phase.ts';

/** Which SKUs may lie in one box, as Amazon groups them. */
export function PackingPanel({ view }: { view: InboundView }) {
  return (
    <section className="inbound-panel">
      <h2>装箱组</h2>
      <p className="label">
        同一箱只能放同一组的SKU
        {view.maxWeight && `；单箱不超过 ${view.maxWeight.value} ${view.maxWeight.unit}`}
      </p>
      <div className="inbound-offers">
        {view.packing.map(({ groupId, items }, index) => (
          <div key={groupId} className="inbound-group">
            <span className="inbound-offer-head">
              <strong>第 {index + 1} 组</strong>
              <span className="text2 num">
                {items.length} 个SKU · {formatInteger(piecesOf(items))} 件
              </span>
            </span>
            {items.slice(0, 8).map(({ msku, qty }) => (
              <span key={msku} className="inbound-item">
                <span className="code ellipsis">{msku}</span>
                <span className="num">{formatInteger(qty)}</span>
              </span>
            ))}
            {items.length > 8 && <span className="text3">另有 {items.length - 8} 个SKU</span>}
          </div>
        ))}
      </div>
    </section>
  );
}

type Category = z.infer<typeof PrepCategory>;
const OPTIONS = PrepCategory.options.map((value) => ({
  value,
  label: PrepCategory.meta()?.states?.[value]?.title ?? value,
}));

interface PrepProps {
  view: InboundView;
  busy: boolean;
  writes: boolean;
  onSave: (preps: { msku: string; category: Category }[]) => void;
}

/** SKUs that Amazon has no category of preparation for: it makes no plan of them before. */
export function PrepPanel({ view, busy, writes, onSave }: PrepProps) {
  const [chosen, setChosen] = useState<Readonly<Record<string, Category>>>({});
  return (
    <section className="inbound-panel">
      <h2>预处理分类</h2>
      <p className="label">亚马逊尚无这些SKU的分类，设置后才能创建计划；以后的发货单不再询问。</p>
      {view.unprepared.map((msku) => (
        <div key={msku} className="inbound-prep">
          <span className="code ellipsis">{msku}</span>
          <Select
            aria-label={`${msku} 预处理分类`}
            disabled={!writes}
            value={chosen[msku] ?? 'NONE'}
            options={OPTIONS}
            onChange={(category) => setChosen((old) => ({ ...old, [msku]: category }))}
          />
        </div>
      ))}
      {writes && (
        <div className="inbound-act">
          <span className="spring" />
          <Button
            type="primary"
            loading={busy}
            onClick={() => onSave(view.unprepared.map((msku) => ({ msku, category: chosen[msku] ?? 'NONE' })))}
          >
            保存并继续
          </Button>
        </div>
      )}
    </section>
  );
}
