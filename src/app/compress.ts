import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const TEXT = /\.(js|css|html|svg|json|txt)$/;
/** Below this a smaller file is no faster. */
const MIN_BYTES = 1024;
/** The highest takes ten times as long for three per cent. */
const BROTLI_QUALITY = 9;

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

async function compressFile(path: string): Promise<void> {
  if ((await stat(path)).size < MIN_BYTES) return;
  const bytes = await readFile(path);
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
  const [br, gz] = await Promise.all([brotli(bytes, { params }), gzipped(bytes, { level: 9 })]);
  await writeFile(`${path}.br`, br);
  await writeFile(`${path}.gz`, gz);
}

/**
 * Puts a .br and a .gz beside every text file below a directory, for the server to send as they are: compressing a
 * script anew for every visitor would cost more than reading it.
 */
export async function compressUnder(directory: string): Promise<void> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && TEXT.test(entry.name));
  await Promise.all(files.map((entry) => compressFile(join(entry.parentPath, entry.name))));
}
