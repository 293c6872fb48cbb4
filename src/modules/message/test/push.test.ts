import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { logout } from '#modules/identity/contract/session.ts';
import { createApi } from '#src/app/api.ts';
import { openRuntime } from '#src/app/runtime.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { addAnnounce } from '../contract/announcements.ts';
import { updateAllTargets } from '../contract/messages.ts';
import { hubOf } from '../server/push/hub.ts';
import { adminOf, tell } from './support.ts';

let world: World;
let admin: pg.Pool;
let base: string;

beforeAll(async () => {
  world = await createWorld();
  admin = adminOf(world);
  base = await world.app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  await admin.end();
  // The client of this test keeps spare connections open that never asked for anything.
  const closing = world.close();
  world.app.server.closeAllConnections();
  await closing;
});

interface Line {
  status: number;
  type: string;
  /** Names of the events so far, in order. */
  events: string[];
  /** Resolves when the server ended the line. */
  over: Promise<void>;
  hangUp(): void;
}

async function open(person: Pick<Person, 'session'>, ms = 60_000, at = base): Promise<Line> {
  const abort = new AbortController();
  const response = await fetch(`${at}/api/admin/api/v1/notify/stream?ms=${ms}`, {
    headers: { jsessionid: person.session, accept: 'text/event-stream', 'accept-encoding': 'gzip, br' },
    signal: abort.signal,
  });
  const events: string[] = [];
  const read = async () => {
    const text = response.body?.pipeThrough(new TextDecoderStream());
    let rest = '';
    for await (const part of text ?? []) {
      rest += part;
      const blocks = rest.split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const name = /^event: (\w+)$/m.exec(block)?.[1];
        if (name) events.push(name);
      }
    }
  };
  return {
    status: response.status,
    type: response.headers.get('content-type') ?? '',
    events,
    over: read().catch(() => {}),
    hangUp: () => abort.abort(),
  };
}

async function until(done: () => boolean, ms = 5000): Promise<void> {
  for (const deadline = Date.now() + ms; !done(); await sleep(20)) {
    if (Date.now() > deadline) throw new Error('it never happened');
  }
}

/** The line listens to the database a moment after it was opened. */
async function listening(): Promise<void> {
  for (const deadline = Date.now() + 5000; ; await sleep(20)) {
    const { rows } = await admin.query(
      "SELECT FROM pg_stat_activity WHERE application_name = 'erp-push' AND datname = current_database() AND query LIKE 'LISTEN identity%'",
    );
    if (rows.length > 0 || Date.now() > deadline) return;
  }
}

test('a reminder is pushed to its reader and to nobody else; reading it too', async () => {
  const owner = await world.owner();
  const colleague = await world.member(owner, []);
  const [mine, theirs] = [await open(owner), await open(colleague)];
  expect([mine.status, mine.type]).toEqual([200, 'text/event-stream; charset=utf-8']);
  await listening();
  await tell(world, owner, '授权失效');
  await until(() => mine.events.length === 1);
  await owner.call(updateAllTargets, { query: {} });
  await until(() => mine.events.length === 2);
  expect([mine.events, theirs.events]).toEqual([['unread', 'unread'], []]);
  mine.hangUp();
  theirs.hangUp();
  await until(() => hubOf(world.runtime).size === 0);
});

test('an announcement is pushed to everybody of the company, a storm of reminders as a few signals', async () => {
  const owner = await world.owner();
  const lines = [await open(owner), await open(await world.member(owner, [])), await open(await world.owner())];
  await listening();
  await owner.call(addAnnounce, { body: { title: '公告', content: '内容' } });
  await until(() => lines.slice(0, 2).every((line) => line.events.includes('announcement')));
  for (let n = 0; n < 60; n += 1) await tell(world, owner, `提醒 ${n}`);
  await sleep(400);
  expect(lines[2]?.events).toEqual([]);
  expect(lines[0]?.events.length).toBeLessThan(40);
  for (const line of lines) line.hangUp();
});

test('the line ends with its session, and when its time is over', async () => {
  const owner = await world.owner();
  const short = await open(owner, 200);
  await short.over;
  expect(short.events).toEqual([]);
  const line = await open(owner);
  await listening();
  await owner.call(logout, {});
  await line.over;
  expect(line.events).toEqual(['end']);
});

test('a disabled member hears nothing more', async () => {
  const member = await world.member(await world.owner(), []);
  const line = await open(member);
  await listening();
  await admin.query('UPDATE identity.member SET is_disabled = true WHERE id = $1', [member.userId]);
  await line.over;
  expect(line.events).toEqual(['end']);
});

test('without a session there is no line; nobody opens hundreds', async () => {
  expect((await open({ session: 'invented' })).status).toBe(401);
  const owner = await world.owner();
  const lines = await Promise.all(Array.from({ length: 13 }, () => open(owner)));
  expect(lines.map((line) => line.status).sort()).toEqual([...Array(10).fill(200), 429, 429, 429]);
  for (const line of lines) line.hangUp();
  await until(() => hubOf(world.runtime).size === 0);
  const wrong = await fetch(`${base}/admin/api/v1/notify/stream?ms=0`, { headers: { jsessionid: owner.session } });
  expect([wrong.status, (await wrong.json()).code]).toEqual([400, 400]);
});

test('another process hears it as well, on one connection for all its lines', async () => {
  const runtime = await openRuntime(world.runtime.config, world.databaseUrl);
  const other = await createApi(runtime);
  const there = await other.listen({ port: 0, host: '127.0.0.1' });
  const [owner, second] = [await world.owner(), await world.owner()];
  const lines = [await open(owner, 60_000, there), await open(second, 60_000, there), await open(owner)];
  await listening();
  await sleep(200);
  await tell(world, owner, '来自另一个进程');
  await until(() => [0, 2].every((at) => lines[at]?.events.length === 1));
  const { rows } = await admin.query<{ n: number }>(
    "SELECT count(*) AS n FROM pg_stat_activity WHERE application_name = 'erp-push' AND datname = current_database()",
  );
  expect(Number(rows[0]?.n)).toBe(2);
  const closing = other.close();
  other.server.closeIdleConnections();
  await closing;
  await runtime.connections.close();
  await lines[0]?.over;
  lines[2]?.hangUp();
});

test('after the database cut the connection it is made anew, and everybody is told to look', async () => {
  const owner = await world.owner();
  const line = await open(owner);
  await listening();
  const killer = new pg.Client({ connectionString: world.databaseUrl });
  await killer.connect();
  await killer.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'erp-push' AND datname = current_database()",
  );
  await killer.end();
  await until(() => line.events.includes('announcement'));
  await tell(world, owner, '之后');
  await until(() => line.events.includes('unread'));
  line.hangUp();
});
