import { CAPTCHA_HEIGHT as H, CAPTCHA_WIDTH as W } from '../../../contract/session.ts';
import { between, pick, type Random, whole } from '../random.ts';
import {
  type Brush,
  birds,
  disc,
  faintly,
  gradient,
  hills,
  type Mood,
  polygon,
  rectangle,
  ridge,
  sky,
} from './brush.ts';

function peak(brush: Brush, random: Random, mood: Mood, x: number, base: number, height: number) {
  const half = height * between(random, 0.85, 1.1);
  const top = base - height;
  polygon(
    brush,
    gradient(brush, top, base, [mood.ridges[1], mood.ridges[0]]),
    [x - half, base],
    [x, top],
    [x + half, base],
  );
  faintly(brush, 0.22, () => polygon(brush, '#0f1c38', [x, top], [x + half, base], [x + half * 0.12, base]));
  const snow = height * between(random, 0.26, 0.36);
  const side = (half * snow) / height;
  polygon(
    brush,
    mood.night ? '#cdd9f2' : '#fdfcfa',
    [x, top],
    [x + side, top + snow],
    [x + side * 0.45, top + snow * 0.78],
    [x + side * 0.1, top + snow * 1.15],
    [x - side * 0.35, top + snow * 0.8],
    [x - side, top + snow],
  );
}

function fir(brush: Brush, colour: string, x: number, foot: number, size: number) {
  rectangle(brush, '#3a2f2a', x - 0.8, foot - size * 0.2, 1.6, size * 0.25);
  for (let tier = 0; tier < 3; tier += 1) {
    const y = foot - size * (0.15 + tier * 0.25);
    const half = size * (0.3 - tier * 0.075);
    polygon(brush, colour, [x - half, y], [x + half, y], [x, y - size * 0.42]);
  }
}

function balloon(brush: Brush, random: Random, x: number, y: number, radius: number) {
  const colour = pick(random, ['#d9553f', '#e0a83c', '#3f7fb5', '#4f9c7c', '#8a5fa8'] as const);
  disc(brush, colour, x, y, radius);
  polygon(
    brush,
    colour,
    [x - radius * 0.86, y + radius * 0.5],
    [x + radius * 0.86, y + radius * 0.5],
    [x + 2, y + radius * 1.5],
    [x - 2, y + radius * 1.5],
  );
  faintly(brush, 0.65, () => {
    brush.fillStyle = '#fff7e6';
    brush.beginPath();
    brush.ellipse(x, y + radius * 0.1, radius * 0.34, radius * 1.05, 0, 0, Math.PI * 2);
    brush.fill();
  });
  rectangle(brush, '#6b4a2f', x - 2.5, y + radius * 1.75, 5, 3.6);
}

function lake(brush: Brush, random: Random, mood: Mood, y: number) {
  faintly(brush, 0.85, () => {
    brush.fillStyle = gradient(brush, y - 8, y + 9, mood.water);
    brush.beginPath();
    brush.ellipse(between(random, 90, W - 90), y, between(random, 56, 84), between(random, 6, 9), 0, 0, Math.PI * 2);
    brush.fill();
  });
}

/** Snow peaks, hills with firs, a lake, and balloons by day. */
export function paintMountains(brush: Brush, random: Random, mood: Mood) {
  const base = between(random, 104, 114);
  sky(brush, random, mood, base);
  ridge(brush, random, mood.ridges[0], base, between(random, 40, 60));
  const first = between(random, 40, 90);
  peak(brush, random, mood, first + between(random, 95, 130), base + 4, between(random, 54, 72));
  peak(brush, random, mood, first, base + 4, between(random, 62, 86));
  peak(brush, random, mood, first + between(random, 170, 215), base + 6, between(random, 44, 66));
  hills(brush, random, [mood.ridges[2], mood.ridges[2]], base + 8, 6);
  lake(brush, random, mood, base + 20);
  hills(brush, random, mood.night ? ['#1d3a46', '#10242f'] : ['#5d8a63', '#2f5747'], H - 12, 9);
  const trees = whole(random, 14, 22);
  for (let n = 0; n < trees; n += 1) {
    const colour = pick(
      random,
      mood.night ? (['#132b36', '#1a3641'] as const) : (['#2c5546', '#356450', '#234a40'] as const),
    );
    fir(brush, colour, random() * W, between(random, H - 12, H + 4), between(random, 16, 34));
  }
  if (mood.night) return;
  const balloons = whole(random, 1, 3);
  for (let n = 0; n < balloons; n += 1)
    balloon(brush, random, between(random, 30, W - 30), between(random, 26, 62), between(random, 8, 14));
  birds(brush, random, '#44546e', 44);
}
