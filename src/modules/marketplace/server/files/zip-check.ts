import { crc32, inflateRawSync } from 'node:zlib';
import { FileRefused } from './refusal.ts';

/** Unpacked size above which a workbook is refused: it is held in memory while it is read. */
const MAX_UNPACKED = 400 * 1024 * 1024;
const MAX_RATIO = 100;
/** Below this size the ratio says nothing. */
const RATIO_FREE = 16 * 1024 * 1024;

/**
 * Proves that a ZIP file is whole: every entry of its directory unpacks to the stated size and checksum. The libraries
 * that read workbooks skip this, and a damaged byte then changes a figure without a word.
 * @throws FileRefused DAMAGED, BOMB
 */
export function checkZip(file: Buffer): void {
  const { offset, count } = directoryOf(file);
  let at = offset;
  let total = 0;
  for (let entry = 0; entry < count; entry++) {
    if (at + 46 > file.length || file.readUInt32LE(at) !== 0x02014b50) throw damaged();
    total += checkEntry(file, at, total);
    at += 46 + file.readUInt16LE(at + 28) + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
  }
}

/** End of central directory: at the end of the file, before a comment of up to 64 KB. */
function directoryOf(file: Buffer): { offset: number; count: number } {
  const lowest = Math.max(0, file.length - 22 - 0xffff);
  for (let at = file.length - 22; at >= lowest; at--) {
    if (file.readUInt32LE(at) === 0x06054b50)
      return { count: file.readUInt16LE(at + 10), offset: file.readUInt32LE(at + 16) };
  }
  throw damaged();
}

/** Checks one entry and returns its unpacked size. */
function checkEntry(file: Buffer, at: number, before: number): number {
  const method = file.readUInt16LE(at + 10);
  const checksum = file.readUInt32LE(at + 16);
  const packed = file.readUInt32LE(at + 20);
  const unpacked = file.readUInt32LE(at + 24);
  const header = file.readUInt32LE(at + 42);
  const all = before + unpacked;
  if (all > MAX_UNPACKED || (all > RATIO_FREE && all > file.length * MAX_RATIO)) {
    throw new FileRefused('BOMB', '文件异常：解压后过大');
  }
  if (header + 30 > file.length || file.readUInt32LE(header) !== 0x04034b50) throw damaged();
  const start = header + 30 + file.readUInt16LE(header + 26) + file.readUInt16LE(header + 28);
  if (start + packed > file.length) throw damaged();
  const content = unpack(file.subarray(start, start + packed), method, unpacked);
  if (content.length !== unpacked || crc32(content) !== checksum) throw damaged();
  return unpacked;
}

function unpack(content: Buffer, method: number, size: number): Buffer {
  if (method === 0) return content;
  try {
    // One byte more than stated is enough to notice that the stated size is a lie.
    return inflateRawSync(content, { maxOutputLength: size + 1 });
  } catch {
    throw damaged();
  }
}

function damaged(): FileRefused {
  return new FileRefused('DAMAGED', '文件已损坏或不完整（Excel 压缩包校验失败）');
}
