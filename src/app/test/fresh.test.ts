import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ConfigError } from '#kit/server/config.ts';
import { beginAnew } from '../fresh.ts';

let dataDir: string;
let asked: string[];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'erp-fresh-'));
  await mkdir(join(dataDir, 'postgres'));
  await writeFile(join(dataDir, 'postgres/PG_VERSION'), '18');
  await writeFile(join(dataDir, 'secret.key'), 'secret');
  await writeFile(join(dataDir, 'holiday.jpg'), 'not ours');
  asked = [];
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const ALL = ['holiday.jpg', 'postgres', 'secret.key'];
const there = async () => (await readdir(dataDir)).sort();
const answering = (answer: string) => async (question: string) => {
  asked.push(question);
  return answer;
};

test('it asks, and after a yes only what is not ours is left', async () => {
  await beginAnew({ dataDir, databaseUrl: undefined }, false, answering('yes\n'));
  expect(asked).toEqual([`将删除 ${dataDir} 中的全部数据且不可恢复，输入 yes 继续：`]);
  expect(await there()).toEqual(['holiday.jpg']);
});

test.each(['', 'y', 'no', 'YES'])('after %j everything is left', async (answer) => {
  await expect(beginAnew({ dataDir, databaseUrl: undefined }, false, answering(answer))).rejects.toThrow(ConfigError);
  expect(await there()).toEqual(ALL);
});

test('scripts say yes beforehand; a directory without data asks nothing', async () => {
  await beginAnew({ dataDir, databaseUrl: undefined }, true, answering('no'));
  await beginAnew({ dataDir, databaseUrl: undefined }, false, answering('no'));
  await beginAnew({ dataDir: join(dataDir, 'nowhere'), databaseUrl: undefined }, false, answering('no'));
  expect(asked).toEqual([]);
});

test('what another process works on is not deleted, nor a database of one’s own', async () => {
  await writeFile(join(dataDir, 'app.pid'), String(process.ppid));
  await expect(beginAnew({ dataDir, databaseUrl: undefined }, true)).rejects.toThrow(`（${process.ppid}）使用`);
  await expect(beginAnew({ dataDir, databaseUrl: 'postgres://h/d' }, true)).rejects.toThrow('只适用于内置数据库');
  expect(await there()).toEqual(['app.pid', ...ALL]);
});

/** The command as it is typed, with this on its standard input. */
async function start(input: string): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, ['src/main.ts', '--fresh'], {
    env: { ...process.env, DATA_DIR: dataDir, PORT: '0', SANDBOX_PORT: '0', DATABASE_URL: '' },
  });
  child.stdin.end(input);
  const ended = once(child, 'exit');
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await ended) as [number | null];
  return { code, out, err };
}

test.each(['no\n', ''])(
  'the command with %j on its input: one line, exit code 1, nothing deleted',
  async (input) => {
    const { code, out, err } = await start(input);
    expect(out).toContain('输入 yes 继续');
    expect(err.trim()).toBe('已取消，数据没有改动');
    expect(code).toBe(1);
    expect(await there()).toEqual(ALL);
  },
  120_000,
);
