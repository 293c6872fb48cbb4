import { useMemo, useState } from 'react';
import type { ScanPack } from '../../contract/scan.ts';
import { MODES, type ShelfMode } from '../ShelfDialog.tsx';
import { Counter } from './Counter.tsx';
import { meaningOf } from './codes.ts';
import { Goods } from './Goods.tsx';
import { ScanField } from './ScanField.tsx';
import { enqueue } from './sender.ts';
import { signal } from './signals.ts';

type Place = ScanPack['locations'][number];
type Cell = ScanPack['cells'][number];

interface Chosen {
  from: Place | undefined;
  goods: ScanPack['products'][number] | undefined;
  to: Place | undefined;
  qty: number;
}

const NEXT: Record<ShelfMode, (now: Chosen) => string> = {
  putaway: ({ goods, to }) => (!goods ? '扫描要上架的商品' : !to ? '扫描目标库位' : '再扫商品加 1，或确认上架'),
  pull: ({ from, goods }) => (!from ? '扫描库位' : !goods ? '扫描要下架的商品' : '再扫商品加 1，或确认下架'),
  move: ({ from, goods, to }) =>
    !from ? '扫描移出库位' : !goods ? '扫描商品' : !to ? '扫描移入库位' : '再扫商品加 1，或确认移位',
};

/** The cells after pieces went from one place to another: what the phone shows until the server says it anew. */
function shifted(cells: readonly Cell[], productId: string, fromId: string, toId: string, qty: number): Cell[] {
  const left = cells.map((cell) =>
    cell.productId === productId && cell.locationId === fromId ? { ...cell, qty: cell.qty - qty } : cell,
  );
  const there = left.find((cell) => cell.productId === productId && cell.locationId === toId);
  const next = there
    ? left.map((cell) => (cell === there ? { ...cell, qty: cell.qty + qty } : cell))
    : [...left, { productId, locationId: toId, qty }];
  return next.filter((cell) => cell.qty > 0);
}

/** 上架, 下架, 移位 with a scanner: places and products in any order, then one press. */
export function ShelfTask({ mode, pack }: { mode: ShelfMode; pack: ScanPack }) {
  const staging = useMemo(
    () => pack.locations.find((one) => one.id === pack.warehouseId) ?? { id: pack.warehouseId, code: '暂存' },
    [pack],
  );
  const fresh: Chosen = {
    from: mode === 'putaway' ? staging : undefined,
    to: mode === 'pull' ? staging : undefined,
    goods: undefined,
    qty: 0,
  };
  const [cells, setCells] = useState(pack.cells);
  const [now, setNow] = useState(fresh);
  const [hint, setHint] = useState('');
  const codeOf = (id: string) => pack.locations.find((one) => one.id === id)?.code ?? '—';
  const lying = cells.filter((cell) => cell.productId === now.goods?.id);
  const free = lying.find((cell) => cell.locationId === now.from?.id)?.qty ?? 0;
  const refuse = (words: string) => {
    signal('bad');
    setHint(words);
  };
  const accept = (next: Chosen) => {
    signal('good');
    setHint('');
    setNow(next);
  };
  const placed = (place: Place) => {
    if (mode === 'putaway') return accept({ ...now, to: place });
    if (mode === 'pull' || !now.from || !now.goods) return accept({ ...now, from: place, goods: undefined, qty: 0 });
    return place.id === now.from.id ? refuse('移出库位与移入库位不能相同') : accept({ ...now, to: place });
  };
  const scanned = (code: string) => {
    const meaning = meaningOf(pack, code);
    if (!meaning) return refuse(`无法识别：${code}`);
    if (meaning.means === 'location') return placed(meaning.place);
    const { goods } = meaning;
    const from = now.from;
    if (!from) return refuse('请先扫描库位');
    const here = cells.find((cell) => cell.productId === goods.id && cell.locationId === from.id)?.qty ?? 0;
    const qty = now.goods?.id === goods.id ? now.qty + 1 : 1;
    if (qty > here) return refuse(`${goods.product.code} 在 ${from.code} 只有 ${here} 件可移动`);
    accept({ ...now, goods, qty });
  };
  const { from, goods, to, qty } = now;
  const ready = from && goods && to && qty > 0 && from.id !== to.id;
  const send = async () => {
    if (!ready) return;
    const line = { productId: goods.id, qty, ...(mode === 'putaway' ? {} : { fromId: from.id }) };
    const full = mode === 'pull' ? line : { ...line, toId: to.id };
    const words = `${MODES[mode]} ${goods.product.code} ×${qty}：${from.code} → ${to.code}`;
    await enqueue(mode, { warehouseId: pack.warehouseId, lines: [full] }, words);
    signal('good');
    setCells(shifted(cells, goods.id, from.id, to.id, qty));
    setHint(`${words}，已记录`);
    setNow({ ...fresh, from: mode === 'putaway' ? staging : from });
  };
  return (
    <>
      <ScanField placeholder={NEXT[mode](now)} hint={hint} onCode={scanned} />
      <section className="scan-card">
        <div className="scan-way">
          <span className={from ? 'is-set' : ''}>{from?.code ?? '移出库位'}</span>
          <i aria-hidden="true">→</i>
          <span className={to ? 'is-set' : ''}>{to?.code ?? '移入库位'}</span>
        </div>
        {goods ? (
          <>
            <Goods product={goods.product} />
            <Counter label="数量" value={qty} of={free} max={free} onChange={(next) => setNow({ ...now, qty: next })} />
          </>
        ) : (
          <p className="scan-empty">{NEXT[mode](now)}</p>
        )}
      </section>
      {goods && (
        <section className="scan-card">
          <h3>{goods.product.code} 现在的库位</h3>
          <ul className="scan-lines">
            {lying.map((cell) => (
              <li key={cell.locationId}>
                <b>{codeOf(cell.locationId)}</b>
                <span />
                <em>{cell.qty} 件</em>
              </li>
            ))}
          </ul>
        </section>
      )}
      <div className="scan-bar">
        <button type="button" onClick={() => setNow(fresh)}>
          清空
        </button>
        <button type="button" className="scan-main" disabled={!ready} onClick={() => void send()}>
          确认{MODES[mode]}
          {qty > 0 ? ` ${qty} 件` : ''}
        </button>
      </div>
    </>
  );
}
