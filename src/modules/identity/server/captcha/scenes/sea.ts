import { CAPTCHA_WIDTH as W } from '../../../contract/session.ts';
import { between, pick, type Random, whole } from '../random.ts';
import { type Brush, birds, faintly, type Mood, polygon, rectangle, ridge, sky, water } from './brush.ts';

const BOXES = ['#d9743f', '#3f73a8', '#5a9c78', '#d9b24a', '#b4463c', '#4f8fb5', '#8a6aa3', '#c9ccd1'] as const;
const HULLS = ['#24304a', '#7a2f2b', '#1f4a4d', '#3a3550'] as const;

function container(brush: Brush, random: Random, x: number, y: number, w: number, h: number) {
  const colour = pick(random, BOXES);
  rectangle(brush, colour, x, y, w - 0.6, h - 0.6);
  faintly(brush, 0.22, () => {
    for (let line = x + 2; line < x + w - 1; line += 2.4) rectangle(brush, '#101828', line, y + 1, 0.8, h - 2.4);
    rectangle(brush, '#ffffff', x, y, w - 0.6, 1);
  });
}

function bridge(brush: Brush, random: Random, x: number, deck: number) {
  const funnel = pick(random, ['#b8483a', '#d39a3c', '#2f5f94'] as const);
  rectangle(brush, funnel, x + 5, deck - 44, 7, 14);
  rectangle(brush, '#101828', x + 5, deck - 44, 7, 3);
  rectangle(brush, '#f3f4f6', x, deck - 30, 21, 30);
  rectangle(brush, '#dfe3ea', x + 15, deck - 30, 6, 30);
  rectangle(brush, '#f9fafb', x - 3, deck - 32, 27, 5);
  for (let row = 0; row < 3; row += 1) rectangle(brush, '#4a6384', x + 2, deck - 24 + row * 7, 17, 2.6);
}

function ship(brush: Brush, random: Random, x: number, waterline: number) {
  const length = between(random, 138, 172);
  const deck = waterline - 9;
  const hull = pick(random, HULLS);
  const stacks = Math.floor((length - 52) / 15);
  for (let column = 0; column < stacks; column += 1) {
    const rows = whole(random, 2, 4);
    for (let row = 0; row < rows; row += 1) container(brush, random, x + 18 + column * 15, deck - (row + 1) * 9, 15, 9);
  }
  bridge(brush, random, x + length - 32, deck);
  polygon(brush, hull, [x, deck - 3], [x + length, deck], [x + length - 10, waterline + 15], [x + 17, waterline + 15]);
  polygon(
    brush,
    pick(random, ['#b8483a', '#d8dce3', '#c78a2f'] as const),
    [x + 8, waterline + 3],
    [x + length - 4, waterline + 3],
    [x + length - 7, waterline + 8],
    [x + 12, waterline + 8],
  );
  faintly(brush, 0.18, () => rectangle(brush, '#0b1324', x + 10, waterline + 15, length - 12, 4));
  faintly(brush, 0.6, () =>
    polygon(brush, '#ffffff', [x + 6, waterline + 16], [x + 30, waterline + 13], [x + 26, waterline + 17]),
  );
}

/** Open sea with mountains behind and a loaded container ship. */
export function paintSea(brush: Brush, random: Random, mood: Mood) {
  const horizon = between(random, 88, 102);
  sky(brush, random, mood, horizon);
  ridge(brush, random, mood.ridges[0], horizon + 2, between(random, 34, 52));
  ridge(brush, random, mood.ridges[1], horizon + 4, between(random, 16, 30));
  water(brush, random, mood, horizon);
  ship(brush, random, between(random, 16, W - 190), horizon + between(random, 14, 22));
  birds(brush, random, mood.night ? '#b9c7e6' : '#44546e', 48);
}
