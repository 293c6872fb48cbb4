import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ensureDataDir } from '#kit/server/data-dir.ts';
import { type EmbeddedServer, startEmbedded } from '#kit/server/db/embedded.ts';
import { inProof } from '#test/support/in-proof.ts';
import { ensureReachable } from '../database.ts';

let dataDir: string;
const servers: Server[] = [];
const databases: EmbeddedServer[] = [];

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'erp-refused-'));
});
afterAll(async () => {
  for (const server of servers) server.close();
  for (const server of databases) await server.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** A port where something answers that is no PostgreSQL; its address as of a database. */
async function strangeDatabase(answer: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    answer(socket);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `postgres://erp:secret@127.0.0.1:${(server.address() as AddressInfo).port}/erp`;
}

const hangUp = (socket: Socket) => socket.destroy();
const likeTheWeb = (socket: Socket) =>
  socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'));

/** A server as of the product, asked for without a password; that of the tests lets everybody in. */
async function withoutPassword(): Promise<string> {
  const server = await startEmbedded({ dataDir: await mkdtemp(join(tmpdir(), 'erp-password-')) });
  databases.push(server);
  const url = new URL(server.url('postgres'));
  url.password = '';
  return url.href;
}

/** The real command with these settings: exit code, and what it wrote to each side. */
async function start(settings: NodeJS.ProcessEnv, ...args: string[]) {
  const { DATABASE_URL: _, ...around } = process.env;
  const env = { ...around, DATA_DIR: dataDir, PORT: '0', SANDBOX_PORT: '0', ...settings };
  const child = spawn(process.execPath, ['src/main.ts', ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'exit');
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await ended) as [number | null];
  return { code, out, errors };
}

describe('a database that cannot be used is told in words', () => {
  test.each([
    ['a port that is no number', () => 'postgres://u:p@127.0.0.1:abc/erp', '地址格式不正确'],
    ['a host that is none', () => 'postgres://u:p@nowhere.invalid/erp', '找不到主机'],
    ['a port where nobody listens', () => 'postgres://u:p@127.0.0.1:1/erp', '连接被拒绝'],
    ['a port that hangs up', () => strangeDatabase(hangUp), '连接被对方断开'],
    ['a web server', () => strangeDatabase(likeTheWeb), '是 PostgreSQL'],
    ['a log-in without password', withoutPassword, '需要密码'],
  ])('%s', async (_name, urlOf, words) => {
    const refusal = ensureReachable(await urlOf());
    await expect(refusal).rejects.toThrow(/^无法使用数据库：[^\n]+$/);
    await expect(refusal).rejects.toThrow(words);
  });

  inProof('an address where nobody answers at all, after ten seconds', async () => {
    await expect(ensureReachable(await strangeDatabase(() => {}))).rejects.toThrow('无法使用数据库：连接超时');
  });
});

describe('the command itself ends with one line and code 1', () => {
  const oneLine = (line: string) => ({ code: 1, out: '', errors: `${line}\n` });

  test('where the database address is malformed', async () => {
    const line = '无法使用数据库：地址格式不正确，例如 postgres://user:password@host:5432/erp';
    expect(await start({ DATABASE_URL: 'postgres://u:p@127.0.0.1:abc/erp' })).toEqual(oneLine(line));
  });

  test('where one part of it finds no PostgreSQL at the port', async () => {
    const line = '无法使用数据库：连接被对方断开，请确认该端口是 PostgreSQL';
    expect(await start({ DATABASE_URL: await strangeDatabase(hangUp) }, 'serve')).toEqual(oneLine(line));
  });

  test('where HOST is no address of this machine, before anything is made', async () => {
    const line = 'HOST=1.2.3.4 不是本机的地址，请改为 127.0.0.1 或 0.0.0.0';
    expect(await start({ HOST: '1.2.3.4' })).toEqual(oneLine(line));
    expect(await readdir(dataDir)).toEqual([]);
  });

  test('where DATA_DIR is a file', async () => {
    const file = join(dataDir, 'a-file');
    await writeFile(file, '');
    const refused = await start({ DATA_DIR: file });
    await rm(file);
    expect(refused).toEqual(oneLine(`无法使用数据目录 DATA_DIR：${file} 不是目录`));
    await expect(ensureDataDir(join('/dev/null', 'x'))).rejects.toThrow('的上级不是目录');
  });
});
