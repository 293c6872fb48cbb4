import { pathOf, queryOf } from '#kit/web/api/url.ts';
import { currentSession } from '#kit/web/session.ts';
import { REFRESH_MS, stream } from '../contract/messages.ts';

export type Signal = 'unread' | 'announcement';

/** The first connection waits until the page has what it shows first. */
const START_MS = 8_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
const NAME = 'message-stream';

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Names of the events that a piece of the stream completes; `rest` is what is not complete yet. */
export function eventsIn(text: string): { names: string[]; rest: string } {
  const blocks = text.split('\n\n');
  const rest = blocks.pop() ?? '';
  const names = blocks.flatMap((block) => /^event: (\w+)$/m.exec(block)?.[1] ?? []);
  return { names, rest };
}

/** Milliseconds before attempt n (from 0): doubled each time up to a minute, spread so that pages do not come at once. */
export function pauseBefore(attempt: number, chance = Math.random()): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt) * (0.5 + chance / 2);
}

type Outcome = 'again' | 'busy' | 'over';

/** Reads one connection to its end. */
async function readOnce(signal: AbortSignal, heard: (what: Signal) => void, opened: () => void): Promise<Outcome> {
  const session = currentSession();
  if (!session) return 'over';
  const response = await fetch(pathOf(stream) + queryOf({ ms: REFRESH_MS }), {
    headers: { jsessionid: session.id, accept: 'text/event-stream' },
    cache: 'no-store',
    signal,
  });
  if (response.status === 401) return 'over';
  if (!response.ok || !response.body) return 'busy';
  opened();
  let rest = '';
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return 'again';
    const events = eventsIn(rest + value);
    rest = events.rest;
    if (events.names.includes('end')) return 'over';
    for (const name of events.names) if (name === 'unread' || name === 'announcement') heard(name);
  }
}

async function readOn(signal: AbortSignal, heard: (what: Signal) => void): Promise<void> {
  await pause(START_MS, signal);
  let attempt = 0;
  while (!signal.aborted) {
    const outcome = await readOnce(signal, heard, () => {
      attempt = 0;
      // Whatever came while there was no connection, as before the first one, was not heard.
      heard('announcement');
    }).catch((): Outcome => 'busy');
    if (outcome === 'over') return;
    await pause(pauseBefore(outcome === 'again' ? 0 : attempt), signal);
    attempt += 1;
  }
}

/**
 * Hears what the server pushes until the returned function is called. Of several tabs of a browser one holds the
 * connection and tells the others, because a browser opens only a handful to one server.
 */
export function hear(heard: (what: Signal) => void): () => void {
  const abort = new AbortController();
  const { signal } = abort;
  const others = new BroadcastChannel(NAME);
  others.onmessage = (event: MessageEvent<Signal>) => heard(event.data);
  const tellAll = (what: Signal) => {
    heard(what);
    if (!signal.aborted) others.postMessage(what);
  };
  const { locks } = navigator;
  // Without a secure origin there are no locks: then every tab listens for itself.
  const reading = locks ? locks.request(NAME, { signal }, () => readOn(signal, tellAll)) : readOn(signal, heard);
  void Promise.resolve(reading).catch(() => {});
  return () => {
    abort.abort();
    others.close();
  };
}
