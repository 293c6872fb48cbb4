import { crc32, inflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { zip } from '../zip.ts';

/** The files of an archive by its directory, as readers find them. */
function unzipped(archive: Buffer): Record<string, string> {
  const end = archive.length - 22;
  expect(archive.readUInt32LE(end)).toBe(0x06054b50);
  let at = archive.readUInt32LE(end + 16);
  const files: Record<string, string> = {};
  for (let n = archive.readUInt16LE(end + 10); n > 0; n -= 1) {
    expect(archive.readUInt32LE(at)).toBe(0x02014b50);
    const [size, length] = [archive.readUInt32LE(at + 20), archive.readUInt16LE(at + 28)];
    const local = archive.readUInt32LE(at + 42);
    const name = archive.subarray(at + 46, at + 46 + length).toString();
    const start = local + 30 + archive.readUInt16LE(local + 26);
    const data = inflateRawSync(archive.subarray(start, start + size));
    expect([archive.readUInt32LE(at + 16), archive.readUInt32LE(at + 24)]).toEqual([crc32(data), data.length]);
    files[name] = data.toString();
    at += 46 + length;
  }
  return files;
}

test('files come out of an archive as they went in, two of one name both', () => {
  const files = [
    { name: 'case.txt', data: Buffer.from('45 units are missing') },
    { name: '证据/签收单.txt', data: Buffer.from('已签收'.repeat(1000)) },
    { name: 'case.txt', data: Buffer.alloc(0) },
  ];
  const archive = zip(files, new Date(Date.UTC(2026, 4, 1, 10, 20, 30)));
  expect(unzipped(archive)).toEqual({
    'case.txt': '45 units are missing',
    '证据/签收单.txt': '已签收'.repeat(1000),
    'case (2).txt': '',
  });
});
