import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { glob, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '#test/support/database.ts';

let database: TestDatabase;
let dataDir: string;
let product: ChildProcess | undefined;

beforeAll(async () => {
  database = await createDatabase('template0');
  dataDir = await mkdtemp(join(tmpdir(), 'erp-external-'));
});
afterAll(async () => {
  await stop();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

const environment = () => ({
  ...process.env,
  DATABASE_URL: database.url,
  DATA_DIR: dataDir,
  PORT: '0',
  CAPTCHA: 'off',
  LOG_LEVEL: 'silent',
  RATE_FEED: 'off',
});

/** `npm start` on a database of one's own; the address that it prints. */
function start(): Promise<string> {
  const child = spawn(process.execPath, ['src/main.ts'], { env: environment(), stdio: ['ignore', 'pipe', 'inherit'] });
  product = child;
  let out = '';
  return new Promise((resolve, reject) => {
    // Read to the end: whoever stops reading breaks the pipe under the process.
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString('utf8');
      const address = /http:\/\/localhost:\d+/.exec(out)?.[0];
      if (address) resolve(address);
    });
    child.once('exit', () => reject(new Error(`it ended without an address: ${out}`)));
  });
}

async function stop(): Promise<void> {
  if (!product) return;
  const ended = once(product, 'exit');
  product.kill('SIGINT');
  expect(await ended).toEqual([0, null]);
  product = undefined;
}

async function rows<T extends object>(query: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query<T>(query)).rows;
  } finally {
    await client.end();
  }
}

/** Files of the page that hold what only a page for development has. */
async function builtForDevelopment(): Promise<string[]> {
  const found: string[] = [];
  for await (const file of glob('dist/web/assets/*.js')) {
    if ((await readFile(file, 'utf8')).includes('css-dev-only-do-not-override')) found.push(file);
  }
  return found;
}

interface Reply {
  code: number;
  msg: string;
  data: Record<string, unknown>;
}

async function send(address: string, path: string, session?: string, body?: object, method = 'POST'): Promise<Reply> {
  const reply = await fetch(`${address}/api${path}`, {
    method: body ? method : 'GET',
    headers: { 'content-type': 'application/json', ...(session ? { jsessionid: session } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return (await reply.json()) as Reply;
}

test('on an empty database of its own the first company registers itself, works, and finds its work after a restart, where an operator made by a command logs in with the password that it told', async () => {
  const address = await start();
  // This process runs for tests, as somebody's may for development: the page that users get does not.
  expect(await builtForDevelopment()).toEqual([]);
  expect(await rows('SELECT 1 FROM identity.company')).toEqual([]);
  const users = '/admin/api/v1/users';
  const asked = await send(address, `${users}/getSmsCode?mobile=13800138000&ftype=register`);
  const [sent] = await rows<{ text: string }>('SELECT text FROM kit.outbox ORDER BY id DESC LIMIT 1');
  const registered = await send(address, `${users}/register`, undefined, {
    account: '13800138000',
    code: /\d{6}/.exec(sent?.text ?? '')?.[0],
    key: asked.data,
    password: 'Segeln-2026',
    oldpassword: 'Segeln-2026',
    name: '李雷',
    email: 'li@example.com',
    company: '远航贸易',
  });
  expect(registered).toMatchObject({ code: 201, data: 'success' });
  const logIn = async (at: string) =>
    (await send(at, '/auth/login', undefined, { account: '13800138000', password: 'Segeln-2026' })).data
      .session as string;
  const session = await logIn(address);
  // Nobody else is here, and nothing that the company did not put there itself.
  expect(await rows('SELECT name FROM identity.company')).toEqual([{ name: '远航贸易' }]);
  const stores = '/amazon/api/v1/amzgroup/list';
  expect(JSON.stringify((await send(address, stores, session)).data)).not.toContain('gname');
  const saved = await send(address, '/amazon/api/v1/amzgroup/save', session, { name: '美国店' }, 'PUT');
  expect(saved).toMatchObject({ code: 201 });
  await stop();

  const password = await makeOperator();
  const again = await start();
  expect(JSON.stringify((await send(again, stores, await logIn(again))).data)).toContain('美国店');
  const entered = await send(again, '/auth/login', undefined, { account: 'betrieb@example.com', password });
  expect(entered.code).toBe(201);
  const info = await send(again, '/admin/api/v1/users/info', entered.data.session as string);
  expect(info.data).toMatchObject({ account: 'betrieb@example.com', usertype: 'operator' });
  await stop();
});

/** Runs the command that makes an operator of the product; the password that it tells. */
async function makeOperator(): Promise<string> {
  const child = spawn(process.execPath, ['src/main.ts', 'operator', 'betrieb@example.com'], { env: environment() });
  const ended = once(child, 'exit');
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect([await ended, errors]).toEqual([[0, null], '']);
  return /一次性密码：(\S+)/.exec(out)?.[1] ?? '';
}
