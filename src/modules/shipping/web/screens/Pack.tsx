import '../box/pack.css';
import { LeftOutlined } from '@ant-design/icons';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { call, uuid } from '#kit/web/api/index.ts';
import { loseSession, useSession } from '#kit/web/session.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { Counter, PendingSheet, pendingWords, ScanField, signal, Wrong } from '#modules/warehouse/web/index.ts';
import { boxCode } from '../../contract/box/box.ts';
import { addBox, closeBox, deleteBox, openBox, type PackLine } from '../../contract/box/calls.ts';
import { meantLine } from '../../contract/box/codes.ts';
import { shipOrder } from '../../contract/order.ts';
import { BoxCard } from '../box/BoxCard.tsx';
import { CloseSheet } from '../box/CloseSheet.tsx';
import type { Task } from '../box/pack.ts';
import { usePack } from '../box/use-pack.ts';

const goodsOf = (line: PackLine | undefined) =>
  line && { id: line.lineId, product: line.product, codes: [...line.codes] };

/** What is left to pack, what misses most first; one SKU a line. */
function Left({ task }: { task: Task }) {
  const left = task.lines.reduce((sum, line) => sum + line.picked - line.boxed, 0);
  const lines = task.lines.toSorted((a, b) => b.picked - b.boxed - (a.picked - a.boxed));
  return (
    <section className="scan-card">
      <h3>{left === 0 ? '已全部装箱' : `未装 ${left} 件`}</h3>
      <ul className="scan-lines">
        {lines.map((line) => (
          <li key={line.lineId} className={`pack-left${line.boxed === line.picked ? ' is-done' : ''}`}>
            <b>{line.msku}</b>
            <span>{line.product.name}</span>
            <em>
              {line.boxed} / {line.picked}
            </em>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** 扫码装箱: one column for a phone, outside the frame; a box in hand takes what is scanned. */
export default function Pack() {
  const session = useSession();
  const navigate = useNavigate();
  const query = new URLSearchParams(window.location.search);
  const id = query.get('id') ?? '';
  const { task, error, hint, busy, outbox, setHint, send, scan, read } = usePack(id, session !== null);
  const [chosen, setChosen] = useState(Number(query.get('box') ?? 0));
  const [each, setEach] = useState(1);
  const [wrong, setWrong] = useState<string>();
  const [sheet, setSheet] = useState<'pending' | 'close'>();
  useEffect(() => {
    if (session === null) loseSession();
  }, [session]);
  if (session === null) return null;
  const box =
    task?.boxes.find((one) => one.no === chosen) ?? task?.boxes.findLast((one) => !one.closed) ?? task?.boxes.at(-1);
  const inside = task?.lines.find((line) => line.lineId === box?.items[0]?.lineId);
  const wanted = task?.cases ? inside : undefined;
  const packing = task?.state === 'packing';
  const refuse = (words: string) => {
    signal('bad');
    setHint(words);
  };
  const scanned = (code: string) => {
    if (!task) return;
    const marked = task.boxes.find((one) => boxCode(task.number, one.no).toUpperCase() === code.trim().toUpperCase());
    if (marked) {
      signal('good');
      setChosen(marked.no);
      return setHint(`第 ${marked.no} 箱`);
    }
    if (!packing) return refuse(`单据状态为【${shipOrder.states[task.state].title}】，不能装箱`);
    if (!box || box.closed) return refuse(box ? `第 ${box.no} 箱已封箱，请新增箱或先开箱` : '请先新增箱');
    const line = meantLine(task.lines, code);
    if (!line || (wanted && line.lineId !== wanted.lineId)) return setWrong(code);
    const left = line.picked - line.boxed;
    if (left < each) {
      return refuse(left === 0 ? `${line.msku} 已全部装箱，共 ${line.picked} 件` : `${line.msku} 还可装 ${left} 件`);
    }
    signal('good');
    void scan(box.no, line.lineId, each, `${task.number} 第 ${box.no} 箱：${line.msku} ×${each}`);
  };
  const add = async () => {
    const templateId = box?.templateId ?? null;
    const made = await send(() => call(addBox, { body: { id, clientId: uuid(), templateId } }, { quiet: true }));
    if (made) setChosen(made.boxNo);
  };
  const one = box && { id, boxNo: box.no };
  return (
    <div className="scan-page">
      <header>
        <button type="button" aria-label="返回" onClick={() => navigate('/scancode')}>
          <LeftOutlined />
        </button>
        <div>
          <h1>装箱 {task?.number}</h1>
          <small>{task?.goal}</small>
        </div>
        <button
          type="button"
          className={`scan-state${outbox.acts.length > 0 ? ' is-waiting' : ''}`}
          onClick={() => setSheet('pending')}
        >
          {pendingWords(outbox)}
        </button>
      </header>
      <main>
        {!task && error !== undefined && <ErrorState error={error} onRetry={() => void read()} />}
        {task && (
          <>
            <ScanField placeholder="扫描商品，或箱唛切换箱子" hint={hint} onCode={scanned} />
            {box ? (
              <BoxCard
                task={task}
                box={box}
                busy={busy || !packing}
                onTurn={setChosen}
                onTake={(lineId) => void scan(box.no, lineId, -1, `${task.number} 第 ${box.no} 箱：取出一件`)}
                onDelete={() => void send(() => call(deleteBox, { body: { id, boxNo: box.no } }, { quiet: true }))}
              />
            ) : (
              <p className="scan-empty">还没有箱子，请先新增一箱。</p>
            )}
            {packing && (
              <section className="scan-card">
                <h3>每次扫描装入</h3>
                <Counter
                  label="每次扫描件数"
                  value={each}
                  max={9999}
                  onChange={(count) => setEach(Math.max(1, count))}
                />
              </section>
            )}
            <Left task={task} />
          </>
        )}
      </main>
      {packing && (
        <div className="scan-bar">
          <button type="button" disabled={busy} onClick={() => void add()}>
            新增箱
          </button>
          {one && box?.closed ? (
            <button
              type="button"
              className="scan-main"
              disabled={busy}
              onClick={() => void send(() => call(openBox, { body: one }, { quiet: true }))}
            >
              开箱
            </button>
          ) : (
            <button
              type="button"
              className="scan-main"
              disabled={busy || !box || box.items.length === 0}
              onClick={() => setSheet('close')}
            >
              封箱
            </button>
          )}
        </div>
      )}
      {sheet === 'pending' && <PendingSheet outbox={outbox} onClose={() => setSheet(undefined)} />}
      {sheet === 'close' && task && box && one && (
        <CloseSheet
          task={task}
          box={box}
          busy={busy}
          onClose={() => setSheet(undefined)}
          onShut={async (measures) => {
            const done = await send(() => call(closeBox, { body: { ...one, measures } }, { quiet: true }));
            if (done) setSheet(undefined);
          }}
        />
      )}
      {wrong !== undefined && task && (
        <Wrong
          code={wrong}
          found={goodsOf(meantLine(task.lines, wrong))}
          expected={goodsOf(wanted)}
          onClose={() => setWrong(undefined)}
        />
      )}
    </div>
  );
}
