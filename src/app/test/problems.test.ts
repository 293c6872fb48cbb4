import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { startEmbedded } from '#kit/server/db/embedded.ts';
import { PATIENCE_MS } from '#test/support/patience.ts';
import { databaseProblem, isDiskFull } from '../problems.ts';

const coded = (code: string, cause?: unknown) => Object.assign(new Error(code, { cause }), { code });

/** Bytes that a disk claims to have left; undefined: the truth. */
const disk = vi.hoisted(() => ({ free: undefined as number | undefined }));
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  return {
    ...real,
    statfs: (path: string) => (disk.free === undefined ? real.statfs(path) : { bavail: disk.free, bsize: 1 }),
  };
});
afterEach(() => {
  disk.free = undefined;
});

describe('a full disk', () => {
  test.each([
    ['said by a file', coded('ENOSPC')],
    ['said by a quota', coded('EDQUOT')],
    ['said by the database', coded('53100')],
    ['said by a cause', new Error('load failed', { cause: coded('53100') })],
    ['said by one of several', new AggregateError([coded('ECONNREFUSED'), coded('ENOSPC')])],
  ])('is known for one: %s', (_name, error) => {
    expect(isDiskFull(error)).toBe(true);
  });

  test.each([[coded('EACCES')], [new Error('No space')], [undefined], ['ENOSPC']])('is not %s', (error) => {
    expect(isDiskFull(error)).toBe(false);
  });

  test('keeps the database from being started, in one line, and nothing is left behind', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'erp-full-'));
    disk.free = 299 * 1024 * 1024;
    await expect(startEmbedded({ dataDir })).rejects.toThrow(/^磁盘空间不足（.* 可用不到 300 MB），无法启动$/);
    expect(await readdir(dataDir)).toEqual([]);
    await rm(dataDir, { recursive: true });
  });
});

test('a database that ends by itself is told once, in words; one that is stopped is not', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'erp-lost-'));
  const told: string[] = [];
  const start = () => startEmbedded({ dataDir, durable: false, onLost: (why) => void told.push(why) });
  const first = await start();
  const pid = Number((await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]);
  process.kill(pid, 'SIGKILL');
  await vi.waitFor(() => expect(told).toEqual(['内置数据库意外停止（SIGKILL），请重新启动']), { timeout: PATIENCE_MS });
  await first.stop();
  const second = await start();
  await second.stop();
  expect(told).toHaveLength(1);
  await rm(dataDir, { recursive: true });
});

test('what is wrong with a database is said in words, however deep it lies', () => {
  expect(databaseProblem(new AggregateError([coded('ECONNREFUSED')]))).toContain('连接被拒绝');
  expect(databaseProblem(new Error('x', { cause: coded('28P01') }))).toBe('用户名或密码错误');
  expect(databaseProblem(coded('42P01'))).toBeUndefined();
});
