import { crc32, deflateRawSync } from 'node:zlib';

export interface Packed {
  name: string;
  bytes: Buffer;
}

/** Names are UTF-8. */
const UTF8 = 0x0800;
const DEFLATED = 8;
/** The first day that the format knows: files of the same content make the same archive. */
const DAY = 0x21;

function fields(size: number, crc: number, packed: number, name: Buffer): Buffer {
  const head = Buffer.alloc(26);
  head.writeUInt16LE(20, 0);
  head.writeUInt16LE(UTF8, 2);
  head.writeUInt16LE(DEFLATED, 4);
  head.writeUInt16LE(DAY, 8);
  head.writeUInt32LE(crc, 10);
  head.writeUInt32LE(packed, 14);
  head.writeUInt32LE(size, 18);
  head.writeUInt16LE(name.length, 22);
  return head;
}

const signed = (signature: number, ...parts: Buffer[]): Buffer => {
  const start = Buffer.alloc(4);
  start.writeUInt32LE(signature, 0);
  return Buffer.concat([start, ...parts]);
};

/** A few files as one ZIP (APPNOTE 6.3: local headers, directory, end), in memory. */
export function zipOf(files: readonly Packed[]): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, bytes } of files) {
    const path = Buffer.from(name, 'utf8');
    const packed = deflateRawSync(bytes);
    const common = fields(bytes.length, crc32(bytes), packed.length, path);
    const local = signed(0x04034b50, common, path, packed);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(at, 10);
    const made = Buffer.alloc(2);
    made.writeUInt16LE(20, 0);
    directory.push(signed(0x02014b50, made, common, rest, path));
    bodies.push(local);
    at += local.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(listed.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...bodies, listed, signed(0x06054b50, end)]);
}
