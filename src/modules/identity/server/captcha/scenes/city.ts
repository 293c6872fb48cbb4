import { CAPTCHA_HEIGHT as H, CAPTCHA_WIDTH as W } from '../../../contract/session.ts';
import { between, chance, type Random, whole } from '../random.ts';
import { type Brush, faintly, glow, gradient, type Mood, polygon, rectangle, sky } from './brush.ts';

interface Row {
  foot: number;
  low: number;
  high: number;
  wall: readonly string[];
  lamps: number;
}

function roof(brush: Brush, random: Random, colour: string, x: number, top: number, w: number) {
  const kind = whole(random, 0, 4);
  if (kind === 0) polygon(brush, colour, [x, top], [x + w, top], [x + w, top - between(random, 5, 10)]);
  if (kind === 1) polygon(brush, colour, [x, top], [x + w, top], [x + w / 2, top - between(random, 7, 12)]);
  if (kind === 2) rectangle(brush, colour, x + w * 0.2, top - 5, w * 0.6, 6);
  if (kind === 3) {
    rectangle(brush, colour, x + w * 0.3, top - 6, w * 0.4, 7);
    rectangle(brush, colour, x + w / 2 - 0.5, top - 19, 1.1, 14);
  }
}

function windows(
  brush: Brush,
  random: Random,
  mood: Mood,
  lamps: number,
  box: { x: number; y: number; w: number; h: number },
) {
  const lit = mood.night ? '#ffd98a' : '#fff0c8';
  for (let y = box.y + 4; y < box.y + box.h - 4; y += 5.5) {
    for (let x = box.x + 3; x < box.x + box.w - 4; x += 5) {
      const on = chance(random, lamps);
      faintly(brush, on ? between(random, 0.55, 0.95) : 0.13, () =>
        rectangle(brush, on ? lit : '#dbe6f5', x, y, 2.6, 3),
      );
    }
  }
}

function row(brush: Brush, random: Random, mood: Mood, { foot, low, high, wall, lamps }: Row) {
  let x = between(random, -12, 0);
  while (x < W) {
    const w = between(random, 17, 33);
    const h = between(random, low, high);
    const top = foot - h;
    const first = wall[0] ?? '#445577';
    roof(brush, random, first, x, top + 0.5, w);
    rectangle(brush, gradient(brush, top, foot, wall), x, top, w, h);
    faintly(brush, 0.14, () => rectangle(brush, '#050b1c', x + w * 0.68, top, w * 0.32, h));
    if (lamps > 0) windows(brush, random, mood, lamps, { x, y: top, w, h });
    x += w + between(random, 0, 4);
  }
}

function landmark(brush: Brush, random: Random, mood: Mood, x: number, foot: number) {
  const colour = mood.ridges[1];
  const height = between(random, 92, 108);
  const top = foot - height;
  polygon(brush, colour, [x - 1, top], [x + 1, top], [x + 2.4, foot], [x - 2.4, foot]);
  for (const [at, radius] of [
    [0.32, 7],
    [0.72, 10],
  ] as const) {
    brush.fillStyle = colour;
    brush.beginPath();
    brush.arc(x, top + height * at, radius, 0, Math.PI * 2);
    brush.fill();
    faintly(brush, 0.75, () =>
      rectangle(brush, '#ffe2a0', x - radius * 0.8, top + height * at - 0.8, radius * 1.6, 1.5),
    );
  }
  polygon(brush, colour, [x - 9, foot], [x - 1, top + height * 0.72], [x + 1, top + height * 0.72], [x + 9, foot]);
  glow(brush, '#ff6b5b', x, top, 6, 0.9);
}

function river(brush: Brush, random: Random, mood: Mood, y: number) {
  rectangle(brush, gradient(brush, y, H, mood.water), 0, y, W, H - y);
  for (let n = 0; n < 46; n += 1) {
    faintly(brush, between(random, 0.12, 0.5), () =>
      rectangle(
        brush,
        chance(random, 0.6) ? '#ffd98a' : '#ffffff',
        random() * W,
        between(random, y + 1, H),
        between(random, 3, 12),
        0.9,
      ),
    );
  }
}

/** A city by the river, three rows of towers deep, with a television tower. */
export function paintCity(brush: Brush, random: Random, mood: Mood) {
  const quay = between(random, 124, 134);
  sky(brush, random, mood, quay - 10);
  row(brush, random, mood, { foot: quay, low: 40, high: 78, wall: [mood.ridges[0], `${mood.ridges[0]}99`], lamps: 0 });
  landmark(brush, random, mood, between(random, 60, W - 60), quay);
  row(brush, random, mood, {
    foot: quay,
    low: 26,
    high: 66,
    wall: [mood.ridges[1], mood.ridges[1]],
    lamps: mood.night ? 0.35 : 0.2,
  });
  row(brush, random, mood, {
    foot: quay,
    low: 12,
    high: 42,
    wall: [mood.ridges[2], '#26304c'],
    lamps: mood.night ? 0.5 : 0.32,
  });
  rectangle(brush, '#2a3350', 0, quay - 2, W, 3);
  river(brush, random, mood, quay + 1);
}
