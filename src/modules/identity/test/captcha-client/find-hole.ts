import { createCanvas, loadImage } from '@napi-rs/canvas';

const WIDTH = 310;
const HEIGHT = 155;
const PIECE = 47;
const FIRST = 95;

interface Pixels {
  data: Uint8ClampedArray;
  width: number;
}

async function pixelsOf(base64: string): Promise<Pixels> {
  const image = await loadImage(Buffer.from(base64, 'base64'));
  const canvas = createCanvas(image.width, image.height);
  const brush = canvas.getContext('2d');
  brush.drawImage(image, 0, 0);
  return { data: brush.getImageData(0, 0, image.width, image.height).data, width: image.width };
}

function at(picture: Pixels, x: number, y: number, channel: number): number {
  return picture.data[(y * picture.width + x) * 4 + channel] ?? 0;
}

/** Points of the piece that lie well inside it. */
function insideOf(piece: Pixels): [x: number, y: number][] {
  const solid = (x: number, y: number) => x >= 0 && x < PIECE && at(piece, x, y, 3) > 250;
  const points: [number, number][] = [];
  for (let y = 3; y < HEIGHT - 3; y += 1) {
    for (let x = 3; x < PIECE - 3; x += 1) {
      if (solid(x - 3, y) && solid(x + 3, y) && solid(x, y - 3) && solid(x, y + 3)) points.push([x, y]);
    }
  }
  return points;
}

function blurred(piece: Pixels, points: readonly [number, number][], reach: number): number[][] {
  const known = new Set(points.map(([x, y]) => y * PIECE + x));
  return points.map(([x, y]) => {
    const sums = [0, 0, 0];
    let count = 0;
    for (let dy = -reach; dy <= reach; dy += 1) {
      for (let dx = -reach; dx <= reach; dx += 1) {
        if (!known.has((y + dy) * PIECE + x + dx)) continue;
        count += 1;
        for (const channel of [0, 1, 2]) sums[channel] = (sums[channel] ?? 0) + at(piece, x + dx, y + dy, channel);
      }
    }
    return sums.map((sum) => sum / count);
  });
}

/**
 * Where the piece belongs, by comparing its pixels with those of the background: in the hole the background is the
 * piece's own picture, out of focus and veiled by one colour. At each place the colour of the veil that fits best is
 * taken out, and what remains unexplained is measured against how strong the veil is.
 */
export async function findHole(original: string, jigsaw: string): Promise<number> {
  const background = await pixelsOf(original);
  const piece = await pixelsOf(jigsaw);
  const points = insideOf(piece);
  const soft = blurred(piece, points, 4);
  let best = { x: 0, score: Number.POSITIVE_INFINITY };
  for (let left = FIRST; left <= WIDTH - PIECE; left += 1) {
    let unexplained = 0;
    let veil = 0;
    for (const channel of [0, 1, 2]) {
      let sum = 0;
      let squares = 0;
      let moved = 0;
      points.forEach(([x, y], index) => {
        const expected = soft[index]?.[channel] ?? 0;
        const seen = at(background, left + x, y, channel);
        const rest = seen - expected / 2;
        sum += rest;
        squares += rest * rest;
        moved += seen - expected;
      });
      const mean = sum / points.length;
      unexplained += squares / points.length - mean * mean;
      veil += Math.abs(moved / points.length);
    }
    const score = Math.sqrt(unexplained + 4) / (veil + 12);
    if (score < best.score) best = { x: left, score };
  }
  return best.x;
}
