import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type ByteSource, FileRefused } from '../files/index.ts';
import { plainBytes } from '../files/source.ts';

/** Sent bytes above which a file is refused, and unpacked bytes likewise. */
export const MAX_SENT = 500 * 1024 * 1024;
const MAX_PLAIN = 4 * 1024 * 1024 * 1024;
const HEAD = 64 * 1024;

/** An upload on this machine's disk, not yet part of anything. */
export interface Spooled {
  /** Bytes as sent. */
  size: number;
  /** The first 64 KB as sent. */
  head: Uint8Array;
  /** The unpacked bytes, from the start on every call. */
  plain: ByteSource;
  /** Hash of the unpacked bytes. */
  sha256: string;
  remove: () => Promise<void>;
}

async function write(stream: Readable, path: string, limit: number): Promise<number> {
  let size = 0;
  await pipeline(
    stream,
    async function* (chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        size += chunk.length;
        if (size > limit) throw tooLarge(limit);
        yield chunk;
      }
    },
    createWriteStream(path, { mode: 0o600 }),
  ).catch((error: unknown) => {
    // The HTTP layer ends a stream that is longer than it allows with an error of its own.
    throw (error as { code?: unknown }).code === 'FST_REQ_FILE_TOO_LARGE' ? tooLarge(limit) : error;
  });
  // Where that layer only stops reading, what arrived is a part of the file and must not pass for all of it.
  if ((stream as { truncated?: boolean }).truncated) throw tooLarge(limit);
  return size;
}

function tooLarge(limit: number): FileRefused {
  return new FileRefused('BOMB', `文件过大（最大 ${Math.floor(limit / 1024 / 1024)} MB）`);
}

async function headOf(path: string): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD), 0, HEAD, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function* limited(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > MAX_PLAIN) throw new FileRefused('BOMB', '文件异常：解压后过大');
    yield chunk;
  }
}

/**
 * Writes an upload to a temporary file and proves that it unpacks. It is kept apart from the file store until it has
 * passed its check, so that nothing of a refused file stays behind. The caller removes it.
 * @throws FileRefused EMPTY, DAMAGED, BOMB
 */
export async function spool(stream: Readable, limit = MAX_SENT): Promise<Spooled> {
  const path = join(tmpdir(), `upload-${randomUUID()}`);
  const remove = () => rm(path, { force: true });
  try {
    const size = await write(stream, path, limit);
    if (size === 0) throw new FileRefused('EMPTY', '文件为空');
    const sent: ByteSource = () => createReadStream(path);
    const hash = createHash('sha256');
    for await (const chunk of limited((await plainBytes(sent)).bytes)) hash.update(chunk);
    return {
      size,
      head: await headOf(path),
      sha256: hash.digest('hex'),
      plain: async function* () {
        yield* (await plainBytes(sent)).bytes;
      },
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}
