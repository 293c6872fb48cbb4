import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** Folders whose code has no part in what the server makes of data. */
const APART = /(^|[\\/])(web|test)([\\/]|$)/;

async function sources(): Promise<string[]> {
  const names = await readdir(join(ROOT, 'src'), { recursive: true });
  const code = names.filter((name) => /\.(ts|sql)$/.test(name) && !APART.test(name)).sort();
  return [...code.map((name) => join('src', name)), 'package-lock.json'];
}

async function compute(): Promise<string> {
  const sum = createHash('sha256');
  for (const name of await sources()) {
    const path = join(ROOT, name);
    // What was changed since this process read it is not what this process runs.
    if ((await stat(path)).mtimeMs > performance.timeOrigin) return randomUUID();
    sum.update(`${name}\0`).update(await readFile(path));
  }
  return sum.digest('hex');
}

let known: Promise<string> | undefined;

/**
 * Names the code that this process runs: two processes that answer the same make the same of the same data. One whose code
 * cannot be told (files that have changed under it or that are not there) has a name that no other has.
 */
export function codeId(): Promise<string> {
  known ??= compute().catch(() => randomUUID());
  return known;
}
