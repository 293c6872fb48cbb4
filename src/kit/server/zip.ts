import { crc32, deflateRawSync } from 'node:zlib';

/** A file that goes into an archive. */
export interface ZipEntry {
  /** With folders, e.g. "evidence/pod.pdf". */
  name: string;
  data: Buffer;
}

const UTF8_NAMES = 0x0800;
const DEFLATED = 8;
const VERSION = 20;

/** Date and time as MS-DOS kept them, in steps of two seconds. */
function dosTime(at: Date): number {
  const day = ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate();
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1);
  return ((day << 16) | time) >>> 0;
}

/** What both headers of a file say of it: version, flags, method, time, checksum, sizes, length of its name. */
function common(entry: ZipEntry, packed: Buffer, at: Date): Buffer {
  const head = Buffer.alloc(26);
  head.writeUInt16LE(VERSION, 0);
  head.writeUInt16LE(UTF8_NAMES, 2);
  head.writeUInt16LE(DEFLATED, 4);
  head.writeUInt32LE(dosTime(at), 6);
  head.writeUInt32LE(crc32(entry.data), 10);
  head.writeUInt32LE(packed.length, 14);
  head.writeUInt32LE(entry.data.length, 18);
  head.writeUInt16LE(Buffer.byteLength(entry.name), 22);
  return head;
}

const signed = (signature: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(signature);
  return bytes;
};

/** Names that differ from each other: a second "a.pdf" becomes "a (2).pdf". */
function named(entries: readonly ZipEntry[]): ZipEntry[] {
  const used = new Set<string>();
  return entries.map((entry) => {
    const dot = entry.name.lastIndexOf('.');
    const [stem, ending] = dot > 0 ? [entry.name.slice(0, dot), entry.name.slice(dot)] : [entry.name, ''];
    let { name } = entry;
    for (let n = 2; used.has(name); n += 1) name = `${stem} (${n})${ending}`;
    used.add(name);
    return { ...entry, name };
  });
}

/**
 * A ZIP archive of files that fit into memory together (PKWARE APPNOTE 6.3: deflate, names in UTF-8, without ZIP64, so less
 * than 4 GiB and 65,536 files).
 */
export function zip(files: readonly ZipEntry[], at: Date): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of named(files)) {
    const packed = deflateRawSync(entry.data);
    const head = common(entry, packed, at);
    const name = Buffer.from(entry.name);
    const local = Buffer.concat([signed(0x04034b50), head, name, packed]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    const madeBy = Buffer.alloc(2);
    madeBy.writeUInt16LE(VERSION);
    directory.push(Buffer.concat([signed(0x02014b50), madeBy, head, place, name]));
    parts.push(local);
    offset += local.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(listed.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, listed, signed(0x06054b50), end]);
}
