import { CAPTCHA_HEIGHT as H } from '../../../contract/session.ts';
import { between, pick, type Random, whole } from '../random.ts';
import {
  type Brush,
  birds,
  faintly,
  glow,
  gradient,
  type Mood,
  polygon,
  rectangle,
  ridge,
  sky,
  water,
} from './brush.ts';

function beam(brush: Brush, x: number, y: number, random: Random) {
  const fall = between(random, -26, 10);
  for (const [far, alpha] of [
    [280, 0.16],
    [170, 0.2],
  ] as const) {
    const light = brush.createLinearGradient(x, y, x + far, y);
    light.addColorStop(0, '#fff3c4');
    light.addColorStop(1, '#fff3c400');
    faintly(brush, alpha, () => polygon(brush, light, [x, y], [x + far, y + fall - 22], [x + far, y + fall + 20]));
  }
}

function tower(brush: Brush, random: Random, x: number, foot: number, height: number) {
  const paint = pick(random, ['#c6473c', '#2d5c8f', '#2f7a68', '#3b3f58'] as const);
  const top = foot - height;
  const half = (y: number) => 6.5 + ((y - top) / height) * 5;
  const bands = 5;
  for (let band = 0; band < bands; band += 1) {
    const y0 = top + (height * band) / bands;
    const y1 = top + (height * (band + 1)) / bands;
    const colour = band % 2 === 0 ? '#f6f4ef' : paint;
    polygon(brush, colour, [x - half(y0), y0], [x + half(y0), y0], [x + half(y1), y1], [x - half(y1), y1]);
  }
  faintly(brush, 0.18, () =>
    polygon(brush, '#0b1324', [x + 2, top], [x + half(top), top], [x + half(foot), foot], [x + 3, foot]),
  );
  rectangle(brush, '#2b3347', x - 10, top - 3, 20, 3.5);
  rectangle(brush, '#ffe9a8', x - 5, top - 13, 10, 10);
  rectangle(brush, '#2b3347', x - 0.6, top - 13, 1.2, 10);
  polygon(brush, paint, [x - 8, top - 13], [x + 8, top - 13], [x, top - 22]);
  glow(brush, '#fff0b8', x, top - 8, 30, 0.75);
  rectangle(brush, '#2b3347', x - 2.5, foot - 11, 5, 11);
}

function cottage(brush: Brush, x: number, foot: number, mood: Mood) {
  rectangle(brush, '#efe7da', x, foot - 13, 26, 14);
  polygon(brush, '#8c4a3d', [x - 3, foot - 13], [x + 29, foot - 13], [x + 22, foot - 23], [x + 4, foot - 23]);
  rectangle(brush, mood.night ? '#ffd980' : '#5f7896', x + 4, foot - 10, 5, 5);
  rectangle(brush, mood.night ? '#ffd980' : '#5f7896', x + 16, foot - 10, 5, 5);
}

function cliff(brush: Brush, random: Random, mood: Mood, top: number, width: number) {
  const edge: [number, number][] = [[0, top]];
  for (let x = 12; x < width; x += 12) edge.push([x, top + between(random, -1.5, 2)]);
  edge.push([width, top + 6], [width + 7, top + 20], [width + 4, top + 34], [width + 16, H]);
  polygon(brush, gradient(brush, top, H, [mood.ridges[2], '#2c3a4a']), ...edge, [0, H]);
  polygon(
    brush,
    mood.night ? '#2f5a55' : '#6f9a68',
    ...edge.slice(0, -4),
    [width, top + 6],
    [width - 14, top + 9],
    [0, top + 7],
  );
  for (let n = 0; n < 5; n += 1) {
    const x = between(random, 4, width - 8);
    const y = between(random, top + 14, H - 10);
    faintly(brush, 0.09, () => polygon(brush, '#ffffff', [x, y], [x + between(random, 8, 20), y + 3], [x + 4, y + 7]));
  }
}

function sail(brush: Brush, random: Random, x: number, y: number) {
  const size = between(random, 0.8, 1.25);
  polygon(brush, '#fbfaf6', [x, y - 4 * size], [x, y - 25 * size], [x + 14 * size, y - 5 * size]);
  polygon(brush, '#e2533f', [x - 1.5, y - 4 * size], [x - 1.5, y - 20 * size], [x - 9 * size, y - 5 * size]);
  polygon(
    brush,
    '#33405c',
    [x - 13 * size, y - 3],
    [x + 15 * size, y - 3],
    [x + 10 * size, y + 2],
    [x - 9 * size, y + 2],
  );
}

/** A lighthouse on a cliff over the sea, with small sails. */
export function paintCoast(brush: Brush, random: Random, mood: Mood) {
  const horizon = between(random, 96, 110);
  sky(brush, random, mood, horizon);
  ridge(brush, random, mood.ridges[0], horizon + 2, between(random, 14, 26));
  water(brush, random, mood, horizon);
  const top = horizon - between(random, 0, 8);
  const width = between(random, 96, 128);
  const x = between(random, 52, width - 24);
  const height = between(random, 50, 62);
  cliff(brush, random, mood, top, width);
  cottage(brush, x - 44, top + 2, mood);
  beam(brush, x, top + 2 - height - 8, random);
  tower(brush, random, x, top + 3, height);
  const boats = whole(random, 2, 3);
  for (let n = 0; n < boats; n += 1)
    sail(brush, random, 160 + n * 54 + between(random, -12, 12), horizon + between(random, 6, 28));
  birds(brush, random, mood.night ? '#b9c7e6' : '#44546e', 50);
}
