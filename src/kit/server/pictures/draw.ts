import { createCanvas, loadImage } from '@napi-rs/canvas';
import { refused, throttled } from '../errors.ts';
import { pictureHead } from './head.ts';

const MAX_BYTES = 2 * 1024 * 1024;
/** 16 million points take 64 MB while they are decoded. */
const MAX_SIDE = 4096;
const AT_ONCE = 2;

let decoding = 0;

async function bytesOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    // The rest is read and dropped: a refusal in the middle of a body would reach the browser as a broken connection.
    if (size <= MAX_BYTES) chunks.push(chunk);
  }
  if (size > MAX_BYTES) throw refused('文件不能超过2MB', 'B0171');
  return Buffer.concat(chunks);
}

const unreadable = () => refused('文件格式不支持，请上传 png、jpg、jpeg、bmp 图片', 'B0170');

type Side = 'width' | 'height';
type Size = Record<Side, number>;

/** Place and size of a picture on what is drawn. */
interface Placed {
  canvas: Size;
  left: number;
  top: number;
  scale: number;
}

function covering(picture: Size, frame: Size): Placed {
  const scale = Math.max(frame.width / picture.width, frame.height / picture.height);
  const middle = (side: Side) => (frame[side] - picture[side] * scale) / 2;
  return { canvas: frame, left: middle('width'), top: middle('height'), scale };
}

function within(picture: Size, frame: Size): Placed {
  const scale = Math.min(1, frame.width / picture.width, frame.height / picture.height);
  const side = (length: number) => Math.max(1, Math.round(length * scale));
  return { canvas: { width: side(picture.width), height: side(picture.height) }, left: 0, top: 0, scale };
}

/**
 * Draws an uploaded picture anew as a PNG; nothing of the uploaded bytes is kept. `cover`: its middle fills width x height.
 * `contain`: the whole of it, no larger than width x height and than it was. Takes 2 MB and 4096 x 4096 points at most and
 * refuses other files (B0170), too many bytes (B0171) and too many points (B0172) by their first bytes, before anything is
 * decoded. @throws 429 while as many are being decoded as memory is meant for
 */
export async function drawnAnew(
  stream: AsyncIterable<Buffer>,
  frame: Size & { fit: 'cover' | 'contain' },
): Promise<Buffer> {
  const bytes = await bytesOf(stream);
  const head = pictureHead(bytes);
  if (!head) throw unreadable();
  if (head.width < 1 || head.height < 1 || head.width > MAX_SIDE || head.height > MAX_SIDE) {
    throw refused(`图片尺寸不能超过${MAX_SIDE}×${MAX_SIDE}像素`, 'B0172');
  }
  if (decoding >= AT_ONCE) throw throttled(2);
  decoding += 1;
  try {
    const picture = await loadImage(bytes).catch(() => {
      throw unreadable();
    });
    const { width, height } = picture;
    if (Math.min(width, height) < 1 || width > MAX_SIDE || height > MAX_SIDE) throw unreadable();
    const { canvas, left, top, scale } = (frame.fit === 'cover' ? covering : within)({ width, height }, frame);
    const drawn = createCanvas(canvas.width, canvas.height);
    drawn.getContext('2d').drawImage(picture, left, top, width * scale, height * scale);
    return await drawn.encode('png');
  } finally {
    decoding -= 1;
  }
}
