import { CAPTCHA_HEIGHT as H, CAPTCHA_WIDTH as W } from '../../../contract/session.ts';
import { between, chance, pick, type Random, whole } from '../random.ts';
import { type Brush, disc, faintly, glow, gradient, polygon, rectangle } from './brush.ts';

const CARTONS = ['#c99a62', '#b98650', '#d8ae78', '#a97744', '#e0bd8c'] as const;
const CRATES = ['#3f78ad', '#4f9a7e', '#d98a3d', '#c5534a', '#7b6aa8'] as const;
const WALLS: readonly [readonly string[], ...(readonly string[])[]] = [
  ['#e6ebf2', '#c3cddb'],
  ['#efe8de', '#d3c6b4'],
  ['#dfe9e6', '#b5c8c4'],
  ['#39466a', '#232d4a'],
];

function carton(brush: Brush, random: Random, x: number, foot: number, w: number, h: number) {
  const colour = chance(random, 0.72) ? pick(random, CARTONS) : pick(random, CRATES);
  rectangle(brush, colour, x, foot - h, w, h);
  faintly(brush, 0.18, () => {
    rectangle(brush, '#2a1a0a', x + w - 2.4, foot - h, 2.4, h);
    rectangle(brush, '#ffffff', x, foot - h, w, 1.2);
  });
  faintly(brush, 0.5, () => rectangle(brush, '#f5e3c0', x + w / 2 - 1.4, foot - h, 2.8, h * 0.55));
  if (w > 13) faintly(brush, 0.85, () => rectangle(brush, '#ffffff', x + 2, foot - 7, 6, 4.2));
}

function shelf(brush: Brush, random: Random, beam: string, foot: number, room: number) {
  let x = between(random, -6, 4);
  while (x < W) {
    const w = between(random, 10, 22);
    const h = between(random, room * 0.45, room * 0.86);
    if (chance(random, 0.88)) carton(brush, random, x, foot, w, h);
    x += w + between(random, 0.6, 3);
  }
  rectangle(brush, beam, 0, foot, W, 3.6);
  faintly(brush, 0.3, () => rectangle(brush, '#ffffff', 0, foot, W, 1));
  faintly(brush, 0.2, () => rectangle(brush, '#0b1324', 0, foot + 3.6, W, 2.4));
}

function uprights(brush: Brush, random: Random, colour: string, floor: number) {
  const spacing = between(random, 66, 84);
  for (let x = between(random, 6, 40); x < W; x += spacing) {
    rectangle(brush, colour, x, 12, 4.4, floor - 12);
    faintly(brush, 0.28, () => {
      for (let y = 16; y < floor - 4; y += 6) disc(brush, '#0b1324', x + 2.2, y, 0.8);
    });
  }
}

function forklift(brush: Brush, random: Random, x: number, foot: number) {
  const body = pick(random, ['#e5a52c', '#d9662f', '#3f8f74'] as const);
  rectangle(brush, '#2b3347', x - 2, foot - 44, 3, 42);
  rectangle(brush, '#2b3347', x - 20, foot - 9, 20, 2.2);
  carton(brush, random, x - 20, foot - 9, 17, 15);
  polygon(
    brush,
    body,
    [x + 2, foot - 6],
    [x + 2, foot - 20],
    [x + 22, foot - 22],
    [x + 38, foot - 18],
    [x + 38, foot - 6],
  );
  brush.strokeStyle = '#2b3347';
  brush.lineWidth = 2.2;
  brush.strokeRect(x + 8, foot - 40, 19, 20);
  disc(brush, '#39435c', x + 18, foot - 28, 4.2);
  rectangle(brush, '#4f6fa3', x + 14, foot - 25, 9, 7);
  for (const wheel of [9, 31]) {
    disc(brush, '#1c2436', x + wheel, foot - 5, 6);
    disc(brush, '#9aa6bb', x + wheel, foot - 5, 2.4);
  }
}

/** Racks full of cartons with a forklift in front; painted in its own light, whatever the hour outside. */
export function paintWarehouse(brush: Brush, random: Random) {
  const wall = pick(random, WALLS);
  // On a whole row: two fills that meet inside a pixel would leave it half transparent, and the piece cut from it too.
  const floor = H - whole(random, 20, 27);
  rectangle(brush, gradient(brush, 0, floor, wall), 0, 0, W, floor);
  const beam = pick(random, ['#dd7a34', '#2f6ea8', '#c5493f', '#3d8a6f'] as const);
  const levels = whole(random, 2, 3);
  const room = (floor - 18) / levels;
  for (let level = 1; level <= levels; level += 1) shelf(brush, random, beam, 14 + room * level, room);
  uprights(brush, random, pick(random, ['#33507d', '#2f3d5c', '#4b5a75'] as const), floor);
  for (let x = between(random, 20, 60); x < W; x += 96) {
    rectangle(brush, '#fffbe8', x, 3, 40, 3);
    glow(brush, '#fff6d0', x + 20, 6, 62, 0.5);
  }
  rectangle(brush, gradient(brush, floor, H, ['#9aa3b2', '#6d7688']), 0, floor, W, H - floor);
  faintly(brush, 0.75, () => rectangle(brush, '#f0c23c', 0, floor + 6, W, 2));
  forklift(brush, random, between(random, 60, W - 70), H - between(random, 4, 9));
}
