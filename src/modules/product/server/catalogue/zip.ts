import { inflateRawSync } from 'node:zlib';
import { refused } from '#kit/server/errors.ts';

export interface ZipEntry {
  path: string;
  bytes: Buffer;
}

const broken = () => refused('压缩包内容不合法', 'B0753');

function directoryOf(file: Buffer): { at: number; count: number } {
  for (let at = file.length - 22; at >= Math.max(0, file.length - 22 - 0xffff); at -= 1) {
    if (file.readUInt32LE(at) === 0x06054b50) {
      return { count: file.readUInt16LE(at + 10), at: file.readUInt32LE(at + 16) };
    }
  }
  throw broken();
}

function unpacked(file: Buffer, at: number, limit: number): Buffer {
  const method = file.readUInt16LE(at + 10);
  const packed = file.readUInt32LE(at + 20);
  const header = file.readUInt32LE(at + 42);
  if (header + 30 > file.length) throw broken();
  const start = header + 30 + file.readUInt16LE(header + 26) + file.readUInt16LE(header + 28);
  const content = file.subarray(start, start + packed);
  if (method === 0) return content;
  if (method !== 8) throw broken();
  try {
    // What says that it is small and is not stops here, one byte above what a picture may have.
    return inflateRawSync(content, { maxOutputLength: limit + 1 });
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE')
      throw refused('压缩包内有超过5MB的图片', 'B0751');
    throw broken();
  }
}

export interface PackedFile {
  path: string;
  /** Unpacks it. @throws AppError B0751 above `limit` bytes, B0753 damaged */
  bytes: (limit: number) => Buffer;
}

/**
 * Files of a ZIP in memory, each unpacked only when it is asked for, without folders and what systems hide in there. Names
 * are UTF-8, or GBK as Chinese Windows writes them. @throws AppError B0753 for anything that is no proper ZIP
 */
export function zipFiles(file: Buffer, maxFiles: number): PackedFile[] {
  if (file.length < 22) throw broken();
  const { at: start, count } = directoryOf(file);
  if (count > maxFiles) throw refused(`压缩包内最多${maxFiles}个文件`, 'B0753');
  const files: PackedFile[] = [];
  let at = start;
  for (let left = count; left > 0; left -= 1) {
    if (at + 46 > file.length || file.readUInt32LE(at) !== 0x02014b50) throw broken();
    const isUtf8 = (file.readUInt16LE(at + 8) & 0x800) !== 0;
    const nameLength = file.readUInt16LE(at + 28);
    const name = file.subarray(at + 46, at + 46 + nameLength);
    const path = isUtf8 ? name.toString('utf8') : new TextDecoder('gbk').decode(name);
    const hidden = path.endsWith('/') || path.startsWith('__MACOSX/') || /(^|\/)\./.test(path);
    const entry = at;
    if (!hidden) files.push({ path, bytes: (limit) => unpacked(file, entry, limit) });
    at += 46 + nameLength + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
  }
  if (files.length === 0) throw broken();
  return files;
}

/** All files of a small ZIP, unpacked. @throws AppError as `zipFiles` */
export function readZip(file: Buffer, limits: { maxFiles: number; maxBytes: number }): ZipEntry[] {
  return zipFiles(file, limits.maxFiles).map(({ path, bytes }) => ({ path, bytes: bytes(limits.maxBytes) }));
}
