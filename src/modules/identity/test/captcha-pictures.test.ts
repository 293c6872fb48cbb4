import { type Canvas, createCanvas, GlobalFonts, loadImage } from '@napi-rs/canvas';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { CAPTCHA_HEIGHT as H, CAPTCHA_WIDTH as W } from '../contract/session.ts';
import { CLICK_TOLERANCE } from '../server/captcha/check.ts';
import { CHARACTERS, drawGlyph, FAMILY, loadGlyphFont } from '../server/captcha/glyphs.ts';
import {
  composeSlider,
  drawClickWord,
  drawSlider,
  HOLE_FROM,
  HOLE_TO,
  type SliderLayers,
} from '../server/captcha/pictures.ts';
import { PIECE } from '../server/captcha/puzzle.ts';
import { createSeededRandom } from '../server/captcha/random.ts';

const seed = fc.integer({ min: 0, max: 2 ** 32 - 1 });

function pixels(canvas: Canvas): Uint8ClampedArray {
  return canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
}

/** +1 well inside the piece, -1 well outside, 0 within `rim` px of its outline. */
function sideOf(piece: Canvas, rim: number): (x: number, y: number) => number {
  const data = pixels(piece);
  const solid = (x: number, y: number) =>
    x >= 0 && x < PIECE && y >= 0 && y < H && data[(y * PIECE + x) * 4 + 3] === 255;
  return (x, y) => {
    const middle = solid(x, y);
    for (let dy = -rim; dy <= rim; dy += 1) {
      for (let dx = -rim; dx <= rim; dx += 1) if (solid(x + dx, y + dy) !== middle) return 0;
    }
    return middle ? 1 : -1;
  };
}

/**
 * Differences in grey levels between the scene and the picture with the piece laid at `left`, inside the square of the
 * hole but away from the outline, where piece and hole carry their rims.
 */
function differences(layers: SliderLayers, left: number): { inside: number[]; outside: number[] } {
  const laid = createCanvas(W, H);
  laid.getContext('2d').drawImage(layers.picture, 0, 0);
  laid.getContext('2d').drawImage(layers.piece, left, 0);
  const [was, is, side] = [pixels(layers.scene), pixels(laid), sideOf(layers.piece, 3)];
  const found = { inside: [] as number[], outside: [] as number[] };
  for (let y = layers.y; y < layers.y + PIECE; y += 1) {
    for (let x = 0; x < PIECE; x += 1) {
      const where = side(x, y);
      if (where === 0) continue;
      const at = (y * W + layers.x + x) * 4;
      const worst = Math.max(
        ...[0, 1, 2].map((channel) => Math.abs((was[at + channel] ?? 0) - (is[at + channel] ?? 0))),
      );
      (where > 0 ? found.inside : found.outside).push(worst);
    }
  }
  return found;
}

/** Mean change, in grey levels, between two pictures where `inside` says so. */
function meanChange(a: Canvas, b: Canvas, inside: (x: number, y: number) => boolean): number {
  const [one, two] = [pixels(a), pixels(b)];
  let sum = 0;
  let count = 0;
  for (let at = 0; at < one.length; at += 4) {
    if (!inside((at / 4) % W, Math.floor(at / 4 / W))) continue;
    sum += Math.abs((one[at] ?? 0) - (two[at] ?? 0));
    count += 1;
  }
  return sum / count;
}

describe('slider picture', () => {
  test('the hole always lies inside, where a drag can reach it', () => {
    fc.assert(
      fc.property(seed, (n) => {
        const { x, y } = composeSlider(createSeededRandom(n));
        expect(Number.isInteger(x)).toBe(true);
        expect(x).toBeGreaterThanOrEqual(HOLE_FROM);
        expect(x).toBeLessThanOrEqual(HOLE_TO);
        expect(x + PIECE).toBeLessThanOrEqual(W);
        expect(y).toBeGreaterThanOrEqual(0);
        expect(y + PIECE).toBeLessThanOrEqual(H);
      }),
      { numRuns: 60 },
    );
  });

  test('the piece fits its hole: laid at x it restores the scene, but for grain and the rim', () => {
    fc.assert(
      fc.property(seed, (n) => {
        const layers = composeSlider(createSeededRandom(n));
        const { inside, outside } = differences(layers, layers.x);
        // The least that the margin leaves is 294 px, of a piece with four notches; fewer would be a piece with gaps.
        expect(inside.length).toBeGreaterThanOrEqual(294);
        expect(outside.length).toBeGreaterThan(100);
        // Grain is at most 9 levels, and nothing else may differ.
        expect(Math.max(...inside)).toBeLessThanOrEqual(10);
        expect(Math.max(...outside)).toBeLessThanOrEqual(10);
      }),
      { numRuns: 40 },
    );
  });

  test('no scene has a see-through pixel, so no piece cut from it has one', () => {
    for (let n = 0; n < 60; n += 1) {
      const { scene } = composeSlider(createSeededRandom(n * 7919));
      expect(
        pixels(scene).every((value, index) => index % 4 !== 3 || value === 255),
        `drawing ${n}`,
      ).toBe(true);
    }
  });

  test('laid 12 px beside it leaves the hole open', () => {
    for (let n = 0; n < 10; n += 1) {
      const layers = composeSlider(createSeededRandom(n));
      expect(Math.max(...differences(layers, layers.x - 12).inside)).toBeGreaterThan(20);
    }
  });

  test('the open hole differs plainly from the scene, far more than any other place', () => {
    for (let n = 0; n < 16; n += 1) {
      const { scene, picture, x, y } = composeSlider(createSeededRandom(n));
      const core = (left: number) => (px: number, py: number) =>
        px >= left + 14 && px < left + 33 && py >= y + 14 && py < y + 33;
      const hole = meanChange(scene, picture, core(x));
      expect(hole).toBeGreaterThan(15);
      for (let left = 0; left + PIECE <= W; left += 12) {
        if (Math.abs(left - x) >= PIECE) expect(meanChange(scene, picture, core(left))).toBeLessThan(hole);
      }
    }
  });

  test('arrives as a JPEG of 310 x 155 and a transparent PNG of 47 x 155', async () => {
    const { original, jigsaw, x } = drawSlider(createSeededRandom(7));
    expect(original.subarray(0, 3).toString('hex')).toBe('ffd8ff');
    expect(jigsaw.subarray(1, 4).toString('latin1')).toBe('PNG');
    const [picture, piece] = [await loadImage(original), await loadImage(jigsaw)];
    expect([picture.width, picture.height, piece.width, piece.height]).toEqual([W, H, PIECE, H]);
    const strip = createCanvas(PIECE, H);
    strip.getContext('2d').drawImage(piece, 0, 0);
    const alphas = pixels(strip).filter((_, index) => index % 4 === 3);
    const solid = alphas.filter((alpha) => alpha === 255).length;
    expect(solid).toBeGreaterThan(700);
    expect(alphas.filter((alpha) => alpha === 0).length).toBeGreaterThan(PIECE * (H - PIECE - 20));
    expect(composeSlider(createSeededRandom(7)).x).toBe(x);
  });

  test('following the strongest upright edge finds the hole in well under two of three pictures', () => {
    const rounds = 60;
    let found = 0;
    for (let n = 0; n < rounds; n += 1) {
      const { picture, x, y } = composeSlider(createSeededRandom(1000 + n * 17));
      if (Math.abs(strongestEdge(picture, y) - 7 - x) <= 5) found += 1;
    }
    expect(found).toBeLessThan(rounds * 0.6);
  });
});

/** Column with the largest left-right contrast in the rows of the piece's body. */
function strongestEdge(picture: Canvas, y: number): number {
  const data = pixels(picture);
  const green = (px: number, py: number) => data[(py * W + px) * 4 + 1] ?? 0;
  let best = 0;
  let column = 0;
  for (let px = HOLE_FROM; px < W - 2; px += 1) {
    let sum = 0;
    for (let py = y + 7; py < y + 40; py += 1) sum += Math.abs(green(px + 1, py) - green(px - 1, py));
    if (sum > best) {
      best = sum;
      column = px;
    }
  }
  return column;
}

describe('click-word picture', () => {
  beforeAll(() => loadGlyphFont());

  test('three different words in order, their places inside and apart', () => {
    fc.assert(
      fc.property(seed, (n) => {
        const { words, points } = drawClickWord(createSeededRandom(n));
        expect(new Set(words).size).toBe(3);
        for (const word of words) expect(CHARACTERS).toContain(word);
        points.forEach((point, index) => {
          expect(point.x).toBeGreaterThanOrEqual(25);
          expect(point.x).toBeLessThanOrEqual(W - 25);
          expect(point.y).toBeGreaterThanOrEqual(25);
          expect(point.y).toBeLessThanOrEqual(H - 25);
          for (const other of points.slice(index + 1)) {
            expect(Math.hypot(point.x - other.x, point.y - other.y)).toBeGreaterThan(2 * CLICK_TOLERANCE);
          }
        });
      }),
      { numRuns: 50 },
    );
  });

  test('stays inside and apart even with numbers that never change', () => {
    for (const value of [0, 0.5, 0.999]) {
      const { points } = drawClickWord(() => value);
      for (const { x, y } of points) expect(x > 20 && x < W - 20 && y > 20 && y < H - 20).toBe(true);
      expect(new Set(points.map(({ x }) => x)).size).toBe(3);
    }
  });

  const drawn = (text: string) => {
    const canvas = createCanvas(100, 100);
    drawGlyph(canvas.getContext('2d'), () => 0.5, text, { x: 50, y: 50 });
    return canvas;
  };

  test('writes with the face it brings along, not with one that this machine happens to have', () => {
    expect(GlobalFonts.has(FAMILY)).toBe(true);
    const canvas = createCanvas(10, 10);
    const brush = canvas.getContext('2d');
    brush.font = `700 100px "${FAMILY}"`;
    // Its line reaches 1.16 em above the base line; a face that stands in has other metrics.
    expect(Math.round(brush.measureText('国').fontBoundingBoxAscent)).toBe(116);
  });

  test('every character has a shape of its own: no boxes, no blanks', () => {
    const shapes = new Map<string, string>();
    for (const character of [...CHARACTERS, '\ue123']) {
      const shape = Buffer.from(pixels(drawn(character))).toString('base64');
      expect(shapes.get(shape), `${character} looks like another`).toBeUndefined();
      shapes.set(shape, character);
    }
    expect(shapes.size).toBe(new Set(CHARACTERS).size + 1);
    expect(CHARACTERS.length).toBeGreaterThanOrEqual(150);
  });

  test('ink is centred on the answer and stays in its box at any tilt', () => {
    const random = createSeededRandom(3);
    for (const character of CHARACTERS.slice(0, 40)) {
      const canvas = createCanvas(100, 100);
      drawGlyph(canvas.getContext('2d'), random, character, { x: 50, y: 50 });
      const data = pixels(canvas);
      let [left, right, top, bottom] = [100, 0, 100, 0];
      for (let at = 3; at < data.length; at += 4) {
        if ((data[at] ?? 0) < 200) continue;
        const place = (at - 3) / 4;
        left = Math.min(left, place % 100);
        right = Math.max(right, place % 100);
        top = Math.min(top, Math.floor(place / 100));
        bottom = Math.max(bottom, Math.floor(place / 100));
      }
      expect(Math.abs((left + right) / 2 - 50), character).toBeLessThan(6);
      expect(Math.abs((top + bottom) / 2 - 50), character).toBeLessThan(6);
      expect(Math.min(left, top, 99 - right, 99 - bottom), character).toBeGreaterThanOrEqual(50 - 30);
    }
  });
});
