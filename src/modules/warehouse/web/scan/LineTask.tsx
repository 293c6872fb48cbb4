import { useState } from 'react';
import type { ScanPack } from '../../contract/scan.ts';
import { Counter } from './Counter.tsx';
import { lineOf, meaningOf, openOf } from './codes.ts';
import { Goods } from './Goods.tsx';
import { ScanField } from './ScanField.tsx';
import { enqueue, enqueueAt } from './sender.ts';
import { signal } from './signals.ts';
import { actionOf, entryOf, finished, isPicked, type Task, useLines, wordsOf } from './use-lines.ts';
import { Wrong } from './Wrong.tsx';

const SEND: Record<Task['kind'], string> = {
  inbound: '确认收货',
  transfer: '确认收货',
  overseas: '确认收货',
  outbound: '本行完成',
  stocktake: '提交盘点数',
  ship: '本行完成',
  self: '本行完成',
};

/** Receiving, picking and counting by the lines of a document. */
export function LineTask({ pack, task }: { pack: ScanPack; task: Task }) {
  const { lines, places, add, put, settle } = useLines(task);
  const [current, setCurrent] = useState(lines.find((line) => openOf(line) > 0)?.lineId);
  const [place, setPlace] = useState<ScanPack['locations'][number]>();
  const [wrong, setWrong] = useState<string>();
  const [hint, setHint] = useState('');
  const goodsOf = (id: string | undefined) => pack.products.find((one) => one.id === id);
  const codeOf = (id: string) => goodsOf(id)?.product.code ?? '';
  const line = lines.find((one) => one.lineId === current);
  const goods = goodsOf(line?.productId);
  const picking = isPicked(task);
  const located = (found: ScanPack['locations'][number]) => {
    setPlace(found);
    const here = lines.find(
      (one) => openOf(one) > 0 && (one.locationId === found.id || one.place.includes(found.code)),
    );
    if (here) setCurrent(here.lineId);
    signal('good');
    setHint(picking && !here ? `${found.code} 没有待拣的商品` : `当前库位 ${found.code}`);
  };
  const scanned = (code: string) => {
    const meaning = meaningOf(pack, code);
    if (meaning?.means === 'location') return located(meaning.place);
    const hit = meaning && lineOf(lines, meaning.goods.id, current, place?.id);
    // A picker stands before one shelf: another product of the document is as wrong as a stranger.
    if (!hit || (picking && line && openOf(line) > 0 && hit.lineId !== current)) return setWrong(code);
    signal('good');
    setHint('');
    setCurrent(hit.lineId);
    add(hit.lineId, place?.id);
  };
  const send = async (short: boolean) => {
    const said = picking ? lines.filter((one) => one.lineId === current) : lines.filter((one) => one.now > 0);
    if (said.length === 0) return;
    const words = `${wordsOf(task, said, codeOf)}${short ? '，余下缺货' : ''}`;
    const entries = said.map((one) => entryOf(task, one, places[one.lineId], short));
    await enqueue(
      actionOf(task),
      { ...(task.kind === 'ship' || task.kind === 'self' ? { kind: task.kind } : {}), id: task.id, lines: entries },
      words,
    );
    const ids = said.map((one) => one.lineId);
    settle(ids, short);
    setHint(`${words}，已记录`);
    setCurrent(lines.find((one) => !ids.includes(one.lineId) && openOf(one) > 0)?.lineId ?? current);
  };
  const [isOut, setOut] = useState(false);
  const isWhole = finished(lines) === lines.length && lines.every((one) => one.now === 0);
  const sendOut = async () => {
    if (!task.out || isOut) return;
    setOut(true);
    await enqueueAt(task.out, { id: task.id }, `出库 ${task.number}`);
    setHint(`出库 ${task.number}，已记录`);
  };
  const ready = picking ? (line?.now ?? 0) > 0 : lines.some((one) => one.now > 0);
  const meant = wrong === undefined ? undefined : meaningOf(pack, wrong);
  return (
    <>
      <ScanField placeholder="扫描商品或库位" hint={hint} onCode={scanned} />
      {line && goods && (
        <section className="scan-card">
          <h2>{line.place || place?.code || '暂存'}</h2>
          <Goods product={goods.product} />
          <Counter
            label={`${goods.product.code} 数量`}
            value={line.now}
            of={line.want === null ? null : line.want - line.done}
            max={line.want === null ? 1e8 : line.want - line.done}
            onChange={(now) => put(line.lineId, now)}
          />
        </section>
      )}
      <section className="scan-card">
        <h3>{task.kind === 'stocktake' ? `${lines.length} 行` : `已完成 ${finished(lines)} / ${lines.length} 行`}</h3>
        <ul className="scan-lines">
          {lines.map((one) => (
            <li key={one.lineId} className={one.lineId === current ? 'is-current' : ''}>
              <button type="button" onClick={() => setCurrent(one.lineId)}>
                <b>{one.place || '—'}</b>
                <span>{codeOf(one.productId)}</span>
                <em>
                  {one.done + one.now}
                  {one.want === null ? '' : ` / ${one.want}`}
                </em>
              </button>
            </li>
          ))}
        </ul>
      </section>
      <div className="scan-bar">
        {picking && (
          <button type="button" disabled={!line || openOf(line) === 0} onClick={() => void send(true)}>
            缺货
          </button>
        )}
        {task.out && isWhole ? (
          <button type="button" className="scan-main" disabled={isOut} onClick={() => void sendOut()}>
            {isOut ? '已出库' : '出库'}
          </button>
        ) : (
          <button type="button" className="scan-main" disabled={!ready} onClick={() => void send(false)}>
            {SEND[task.kind]}
          </button>
        )}
      </div>
      {wrong !== undefined && (
        <Wrong
          code={wrong}
          found={meant?.means === 'product' ? meant.goods : undefined}
          expected={picking ? goods : undefined}
          onClose={() => setWrong(undefined)}
        />
      )}
    </>
  );
}
