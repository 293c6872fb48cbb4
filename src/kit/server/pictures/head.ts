/** What the first bytes of a picture say of it, read without decoding anything. */
export interface PictureHead {
  kind: 'png' | 'jpeg' | 'bmp';
  mediaType: `image/${PictureHead['kind']}`;
  width: number;
  height: number;
}

const typed = (kind: PictureHead['kind']) => ({ kind, mediaType: `image/${kind}` as const });

const PNG = Buffer.from('89504e470d0a1a0a', 'hex');

function png(bytes: Buffer): PictureHead | undefined {
  if (bytes.length < 33 || !bytes.subarray(0, 8).equals(PNG)) return undefined;
  if (bytes.toString('latin1', 12, 16) !== 'IHDR') return undefined;
  return { ...typed('png'), width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

function bmp(bytes: Buffer): PictureHead | undefined {
  if (bytes.length < 54 || bytes.toString('latin1', 0, 2) !== 'BM') return undefined;
  // Only the header of 40 bytes and its longer successors; the older one is nobody's photograph.
  if (bytes.readUInt32LE(14) < 40) return undefined;
  return { ...typed('bmp'), width: Math.abs(bytes.readInt32LE(18)), height: Math.abs(bytes.readInt32LE(22)) };
}

/** Frame headers of JPEG carry the size; C4, C8 and CC share their range and mean something else. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

function jpeg(bytes: Buffer): PictureHead | undefined {
  if (bytes.length < 20 || bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  let at = 2;
  while (at + 9 < bytes.length) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (isFrame(marker))
      return { ...typed('jpeg'), height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    if (marker === 0xda || marker === 0xd9) return undefined;
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

/** Kind and size of a picture by its content, whatever its name says; undefined for anything but png, jpeg and bmp. */
export function pictureHead(bytes: Buffer): PictureHead | undefined {
  return png(bytes) ?? jpeg(bytes) ?? bmp(bytes);
}
