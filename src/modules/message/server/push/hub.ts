import { PassThrough, type Readable } from 'node:stream';
import { throttled } from '#kit/server/errors.ts';
import { inSystem, type Runtime } from '#kit/server/runtime.ts';
import { liveSessions } from '#modules/identity/server/index.ts';
import { type Channel, listenOn } from './channel.ts';

/** What the page is told; it asks for the rest itself. */
type Signal = 'unread' | 'announcement';

const MAX_PER_USER = 10;
const MAX_STREAMS = 5000;
const HEARTBEAT_MS = 25_000;
/** Signals of one moment become one. */
const GATHER_MS = 150;
const RETRY_LATER_SEC = 60;

const OF_MESSAGES = 'message';
/** Where the log-in module tells that sessions ended or rights changed. */
const OF_SESSIONS = 'identity_session';

interface Line {
  sessionId: string;
  /** "<company>:<user>", as the database tells it. */
  who: string;
  company: string;
  out: PassThrough;
  /** Signals that are still to be written: a set, so a line that nobody reads takes no memory. */
  due: Set<Signal>;
  full: boolean;
  end: (reason?: string) => void;
}

export interface Hub {
  /** Opens a line that lasts `ms` at most; throws when the caller or the process has too many. */
  open(who: { companyId: string; userId: string; sessionId: string }, ms: number): Readable;
  readonly size: number;
  /** Looks which sessions still count, as every heartbeat does. */
  check(): Promise<void>;
  close(): Promise<void>;
}

function write(line: Line, text: string): void {
  if (line.full) return;
  line.full = !line.out.write(text);
}

function flush(line: Line): void {
  if (line.full) return;
  for (const signal of line.due) {
    line.due.delete(signal);
    write(line, `event: ${signal}\ndata: {}\n\n`);
    if (line.full) return;
  }
}

/** The open lines of a process, and the one database connection that feeds them. */
export function createHub(runtime: Runtime): Hub {
  const lines = new Set<Line>();
  let channel: Channel | undefined;
  let heart: NodeJS.Timeout | undefined;
  let gathering: NodeJS.Timeout | undefined;
  let checking: NodeJS.Timeout | undefined;

  const signal = (concerned: (line: Line) => boolean, what: Signal) => {
    for (const line of lines) if (concerned(line)) line.due.add(what);
    gathering ??= setTimeout(() => {
      gathering = undefined;
      for (const line of lines) flush(line);
    }, GATHER_MS);
  };
  const check = async () => {
    if (lines.size === 0) return;
    const asked = [...lines];
    const ids = [...new Set(asked.map((line) => line.sessionId))];
    const live = await inSystem(runtime, (db) => liveSessions(db, ids), { readOnly: true });
    for (const line of asked) if (!live.has(line.sessionId)) line.end('session');
  };
  const checkSoon = () => {
    checking ??= setTimeout(() => {
      checking = undefined;
      check().catch((error: unknown) => runtime.log.warn({ err: error }, 'push: cannot check sessions'));
    }, GATHER_MS);
  };
  const heard = (from: string, payload: string) => {
    if (from === OF_SESSIONS) return checkSoon();
    const [company = '', user = ''] = payload.split(':');
    if (user === '*') signal((line) => line.company === company, 'announcement');
    else signal((line) => line.who === payload, 'unread');
  };
  const start = () => {
    channel ??= listenOn(runtime, [OF_MESSAGES, OF_SESSIONS], heard, () => {
      signal(() => true, 'announcement');
      checkSoon();
    });
    heart ??= setInterval(() => {
      for (const line of lines) write(line, ': beat\n\n');
      checkSoon();
    }, HEARTBEAT_MS);
  };

  return {
    get size() {
      return lines.size;
    },
    check,
    open({ companyId, userId, sessionId }, ms) {
      const who = `${companyId}:${userId}`;
      const own = [...lines].filter((line) => line.who === who).length;
      if (own >= MAX_PER_USER || lines.size >= MAX_STREAMS)
        throw throttled(RETRY_LATER_SEC, '推送连接过多，请稍后再试');
      start();
      const out = new PassThrough();
      const timer = setTimeout(() => line.end(), ms);
      const line: Line = {
        sessionId,
        who,
        company: companyId,
        out,
        due: new Set(),
        full: false,
        end(reason) {
          clearTimeout(timer);
          if (!lines.delete(line)) return;
          out.end(reason ? `event: end\ndata: ${JSON.stringify({ reason })}\n\n` : undefined);
        },
      };
      out.on('drain', () => {
        line.full = false;
        flush(line);
      });
      out.on('close', () => line.end());
      out.on('error', () => line.end());
      lines.add(line);
      write(line, 'retry: 2000\n\n');
      return out;
    },
    async close() {
      clearInterval(heart);
      clearTimeout(gathering);
      clearTimeout(checking);
      for (const line of lines) line.end();
      await channel?.stop();
      channel = undefined;
      heart = undefined;
    },
  };
}

const hubs = new WeakMap<Runtime, Hub>();

/** The hub of a process; it connects to the database with its first line. */
export function hubOf(runtime: Runtime): Hub {
  const known = hubs.get(runtime);
  if (known) return known;
  const hub = createHub(runtime);
  hubs.set(runtime, hub);
  return hub;
}

/** Ends all lines of a process; before its server closes, which waits for them. */
export async function stopPush(runtime: Runtime): Promise<void> {
  await hubs.get(runtime)?.close();
  hubs.delete(runtime);
}
