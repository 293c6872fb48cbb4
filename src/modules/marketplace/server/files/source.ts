import { Readable } from 'node:stream';
import { constants, createGunzip } from 'node:zlib';
import { FileRefused } from './refusal.ts';

/**
 * The bytes of one stored file. Called once per pass: the readers look at a file twice (first to find out how it is
 * written and whether it is whole, then to hand out its rows), so every call must start at the first byte again.
 */
export type ByteSource = () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** A source over bytes in memory (tests, small uploads). */
export function bytesSource(...chunks: Uint8Array[]): ByteSource {
  return () => chunks;
}

/** Unpacked bytes above this multiple of the packed ones are taken for an attack; reports pack about 10 to 20 times. */
const MAX_RATIO = 100;
/** Below this unpacked size the ratio says nothing (a column of blanks packs well). */
const RATIO_FREE_BYTES = 16 * 1024 * 1024;

/** Takes at least `count` bytes (or all there are) from the front, and gives them back with the rest of the stream. */
export async function peek(
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  count: number,
): Promise<{ head: Uint8Array; rest: AsyncGenerator<Uint8Array> }> {
  const iterator = iterate(source);
  const taken: Uint8Array[] = [];
  let size = 0;
  while (size < count) {
    const next = await iterator.next();
    if (next.done) break;
    taken.push(next.value);
    size += next.value.length;
  }
  const head = taken.length === 1 && taken[0] ? taken[0] : Buffer.concat(taken);
  async function* rest(): AsyncGenerator<Uint8Array> {
    if (head.length > 0) yield head;
    yield* iterator;
  }
  return { head, rest: rest() };
}

async function* iterate(source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* source;
}

/** True for the two magic bytes of gzip: the file name and the announced compression are not trusted. */
export function isGzip(head: Uint8Array): boolean {
  return head[0] === 0x1f && head[1] === 0x8b;
}

/** True for a ZIP container (XLSX among others). */
export function isZip(head: Uint8Array): boolean {
  return head[0] === 0x50 && head[1] === 0x4b && (head[2] === 0x03 || head[2] === 0x05) && (head[3] ?? 0) < 0x09;
}

/**
 * The plain bytes of a source, unpacked when it is gzip.
 * @throws FileRefused DAMAGED when the packed stream is cut or its checksum is wrong; BOMB above 100 times.
 */
export async function plainBytes(source: ByteSource): Promise<{ gzip: boolean; bytes: AsyncGenerator<Uint8Array> }> {
  const { head, rest } = await peek(source(), 2);
  return isGzip(head) ? { gzip: true, bytes: gunzip(rest) } : { gzip: false, bytes: rest };
}

async function* gunzip(packed: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytesIn = 0;
  let bytesOut = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of packed) {
      bytesIn += chunk.length;
      yield chunk;
    }
  }
  const input = Readable.from(counted(), { objectMode: false });
  const unpack = createGunzip({ finishFlush: constants.Z_FINISH, chunkSize: 64 * 1024 });
  input.on('error', (error) => unpack.destroy(error));
  input.pipe(unpack);
  try {
    for await (const chunk of unpack) {
      bytesOut += chunk.length;
      if (bytesOut > RATIO_FREE_BYTES && bytesOut > bytesIn * MAX_RATIO) {
        throw new FileRefused('BOMB', '文件异常：解压后大小超过压缩包的 100 倍');
      }
      yield chunk;
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')) {
      throw new FileRefused('DAMAGED', '文件已损坏或不完整（gzip 校验失败）');
    }
    throw error;
  } finally {
    input.destroy();
    unpack.destroy();
  }
}
