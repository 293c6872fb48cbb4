import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError, call, messageOf } from '#kit/web/api/index.ts';
import { enqueueCall, useOutbox } from '#modules/warehouse/web/index.ts';
import { packTask, scanIntoBox } from '../../contract/box/calls.ts';
import { type Task, waitingOf, withScan, withWaiting } from './pack.ts';

/**
 * An order while it is packed with a scanner. What is scanned counts here first and is sent behind; once nothing waits any
 * more, what the server knows is read again, because others pack at the same order.
 */
export function usePack(id: string, enabled: boolean) {
  const outbox = useOutbox();
  const [task, setTask] = useState<Task>();
  const [error, setError] = useState<unknown>();
  const [hint, setHint] = useState('');
  const [busy, setBusy] = useState(false);
  const acts = useRef(outbox.acts);
  acts.current = outbox.acts;
  const read = useCallback(async () => {
    if (!enabled) return;
    try {
      const now = await call(packTask, { params: { id } }, { quiet: true });
      setError(undefined);
      setTask(withWaiting(now, acts.current));
    } catch (reason) {
      setError(reason);
    }
  }, [id, enabled]);
  const waits = task ? waitingOf(task, outbox.acts).length : 0;
  const idle = waits === 0;
  useEffect(() => {
    if (idle && outbox.read) void read();
  }, [idle, outbox.read, read]);
  /** A change of a box that is made at once; answers what it came to, or nothing where it was refused. */
  const send = async <T extends { message: string }>(work: () => Promise<T>): Promise<T | undefined> => {
    if (busy) return undefined;
    if (waits > 0) {
      setHint(`还有 ${waits} 次扫描没有上传，请联网后再操作`);
      return undefined;
    }
    setBusy(true);
    try {
      const done = await work();
      setHint(done.message);
      await read();
      return done;
    } catch (reason) {
      if (reason instanceof ApiError) setHint(messageOf(reason));
      return undefined;
    } finally {
      setBusy(false);
    }
  };
  const scan = async (boxNo: number, lineId: string, qty: number, words: string) => {
    setTask((old) => old && withScan(old, { boxNo, lineId, qty }));
    setHint(words);
    await enqueueCall(scanIntoBox, { id, boxNo, lineId, qty }, words);
  };
  return { task, error, hint, busy, outbox, setHint, send, scan, read };
}
