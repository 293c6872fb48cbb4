import { useEffect, useSyncExternalStore } from 'react';
import { z } from 'zod';
import type { EndpointDef } from '#kit/contract/endpoint.ts';
import { ApiError, call, uuid } from '#kit/web/api/index.ts';
import { currentSession } from '#kit/web/session.ts';
import { createStore } from '#kit/web/store.ts';
import { ACTIONS, type Act, type ActionName, OTHER } from './acts.ts';
import { drop, keep, kept, rewrite } from './queue.ts';

export interface Outbox {
  /** Acts of the user that the server has not taken, in order. */
  acts: readonly Act[];
  /** The last attempt reached the server. */
  reached: boolean;
  /** What this device keeps has been read; before that nobody knows whether something waits. */
  read: boolean;
}

/** Milliseconds between attempts while something waits. */
const AGAIN = 5_000;
const TIMEOUT = 15_000;

const outbox = createStore<Outbox>({ acts: [], reached: true, read: false });
let sending = false;

const mine = (act: Act) => act.uid === currentSession()?.uid;

async function reload(reached = outbox.get().reached): Promise<void> {
  outbox.set({ acts: (await kept()).filter(mine), reached, read: true });
}

function callOf({ action, path = '/', words }: Act): EndpointDef {
  if (action !== OTHER) return ACTIONS[action];
  return { title: words, method: 'POST', path, permission: 'login', access: 'write', reply: z.unknown() };
}

/** Sends one act. Whatever is no answer of the product's rules (no network, a fault, no session) is tried again later. */
async function attempt(act: Act): Promise<'taken' | 'later' | string> {
  try {
    const options = { quiet: true, idempotencyKey: act.id, timeout: TIMEOUT };
    await call(callOf(act), { body: act.body } as never, options);
    return 'taken';
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === 0 || error.code === 401 || error.code === 429) return 'later';
    return error.code >= 500 && error.reason === undefined ? 'later' : error.message;
  }
}

/** Sends what waits, one after the other in the order in which it was done; a refused act does not stop those behind it. */
export async function flush(): Promise<void> {
  if (sending || !currentSession()) return;
  sending = true;
  try {
    await reload();
    for (;;) {
      const act = outbox.get().acts.find((one) => one.state === 'pending');
      if (!act) break;
      const result = await attempt(act);
      if (result === 'later') return await reload(false);
      if (result === 'taken') await drop(act.seq);
      else await rewrite({ ...act, state: 'refused', reason: result });
      await reload(true);
    }
  } finally {
    sending = false;
  }
}

async function note(act: Pick<Act, 'action' | 'path' | 'words'>, body: Record<string, unknown>): Promise<void> {
  const id = uuid();
  const uid = currentSession()?.uid ?? '';
  await keep({ ...act, id, uid, at: Date.now(), body: { ...body, clientId: id }, state: 'pending', reason: null });
  await reload();
  void flush();
}

/** Notes what was done; it is sent at once where that is possible. `clientId` of the body is the key of the act. */
export const enqueue = (action: ActionName, body: Record<string, unknown>, words: string): Promise<void> =>
  note({ action, words }, body);

/** The same for a POST of another module that counts once for its `clientId`. */
export const enqueueCall = (endpoint: EndpointDef, body: Record<string, unknown>, words: string): Promise<void> =>
  note({ action: OTHER, path: endpoint.path, words }, body);

/** The same by the address of a call that the server named. */
export const enqueueAt = (path: `/${string}`, body: Record<string, unknown>, words: string): Promise<void> =>
  note({ action: OTHER, path, words }, body);

/** Tries a refused act once more, after whatever stood in its way is put right. */
export async function retry(act: Act): Promise<void> {
  await rewrite({ ...act, state: 'pending', reason: null });
  await reload();
  void flush();
}

/** Gives an act up: the server never hears of it. */
export async function giveUp(act: Act): Promise<void> {
  await drop(act.seq);
  await reload();
}

function watchNetwork(tell: () => void): () => void {
  window.addEventListener('online', tell);
  window.addEventListener('offline', tell);
  return () => {
    window.removeEventListener('online', tell);
    window.removeEventListener('offline', tell);
  };
}

/** Whether the device has a network at all. */
export const useOnLine = () => useSyncExternalStore(watchNetwork, () => navigator.onLine);

/** What waits, and sends it while the page is open: at once, when the network is back, and every few seconds. */
export function useOutbox(): Outbox {
  useEffect(() => {
    void flush();
    const timer = setInterval(() => {
      if (outbox.get().acts.some((act) => act.state === 'pending')) void flush();
    }, AGAIN);
    const back = () => void flush();
    window.addEventListener('online', back);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', back);
    };
  }, []);
  return useSyncExternalStore(outbox.subscribe, outbox.get);
}
