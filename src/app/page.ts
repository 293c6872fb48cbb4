import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConfigError } from '#kit/server/config.ts';
import { compressUnder } from './compress.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const STAMP = join(ROOT, 'dist/web/.stamp');
const SOURCES = [
  'index.html',
  'vite.config.ts',
  'package-lock.json',
  'src/kit/contract',
  'src/kit/web',
  'src/shell',
  'src/modules',
  'src/app/compress.ts',
];

async function filesUnder(path: string): Promise<string[]> {
  const info = await stat(path);
  if (info.isFile()) return [path];
  const names = await readdir(path, { recursive: true, withFileTypes: true });
  return names
    .filter((entry) => entry.isFile() && !/[\\/](server|migrations|test)([\\/]|$)/.test(entry.parentPath))
    .map((entry) => join(entry.parentPath, entry.name));
}

async function fingerprint(): Promise<string> {
  const files = (await Promise.all(SOURCES.map((source) => filesUnder(join(ROOT, source))))).flat().sort();
  const hash = createHash('sha256');
  for (const file of files) hash.update(file.slice(ROOT.length)).update(await readFile(file));
  return hash.digest('hex');
}

/** Builds the page unless the built one was made from exactly these sources. */
export async function buildPage(): Promise<void> {
  const wanted = await fingerprint();
  if ((await readFile(STAMP, 'utf8').catch(() => '')) === wanted) return;
  process.stdout.write('正在构建页面…\n');
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js');
  const child = spawn(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
    cwd: ROOT,
    stdio: 'inherit',
    // Whatever this process runs for: a page that was built for tests has other labels and is slow, and would be kept.
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new ConfigError('页面构建失败');
  await compressUnder(join(ROOT, 'dist/web'));
  await writeFile(STAMP, wanted);
}
