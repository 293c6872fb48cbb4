/** What the first bytes of a picture say of it, read without decoding anything. */
export interface PictureSize {
  mediaType: 'image/png' | 'image/jpeg';
  width: number;
  height: number;
}

const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
/** Markers C4, C8 and CC stand among those of frames and are none. */
const NO_FRAME: readonly number[] = [0xc4, 0xc8, 0xcc];

function jpegSize(bytes: Buffer): PictureSize | undefined {
  let at = 2;
  while (at + 9 < bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) at += 1;
    else if (marker >= 0xc0 && marker <= 0xcf && !NO_FRAME.includes(marker)) {
      return { mediaType: 'image/jpeg', height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    } else if (marker === 0xda || marker === 0xd9) return undefined;
    else at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

/** Kind and size of a JPEG or PNG by its content, whatever its name says; undefined for anything else. */
export function pictureSize(bytes: Buffer): PictureSize | undefined {
  if (bytes.length >= 33 && bytes.subarray(0, 8).equals(PNG) && bytes.toString('latin1', 12, 16) === 'IHDR') {
    return { mediaType: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  }
  return bytes.length >= 20 && bytes.readUInt16BE(0) === 0xffd8 ? jpegSize(bytes) : undefined;
}
