import type { CanvasGradient, SKRSContext2D } from '@napi-rs/canvas';
import { CAPTCHA_HEIGHT as H, CAPTCHA_WIDTH as W } from '../../../contract/session.ts';
import { between, type Random, whole } from '../random.ts';

export type Brush = SKRSContext2D;

/** Colours of one hour of the day; every scene is painted in one of them. */
export interface Mood {
  sky: readonly string[];
  sun: string;
  /** Ridges from the farthest to the nearest. */
  ridges: readonly [string, string, string];
  water: readonly string[];
  cloud: string;
  night: boolean;
}

export const MOODS: readonly [Mood, ...Mood[]] = [
  {
    sky: ['#8fb9e6', '#c3d7ea', '#f4e0cc'],
    sun: '#fff0d4',
    ridges: ['#a3b6cb', '#7d94b0', '#587492'],
    water: ['#679bbd', '#2a5b82'],
    cloud: '#ffffff',
    night: false,
  },
  {
    sky: ['#2f3a70', '#93608c', '#f2a871'],
    sun: '#ffdca6',
    ridges: ['#8b6f95', '#61557f', '#3e3f66'],
    water: ['#b17f83', '#2f3660'],
    cloud: '#f7c7b4',
    night: false,
  },
  {
    sky: ['#4594dd', '#86c1ef', '#e0f1fa'],
    sun: '#fffbe6',
    ridges: ['#a6c6d2', '#76a39f', '#487c6f'],
    water: ['#46a7c9', '#1b638f'],
    cloud: '#ffffff',
    night: false,
  },
  {
    sky: ['#5f78bd', '#cba0c4', '#fcd6b8'],
    sun: '#fff2df',
    ridges: ['#b094bd', '#8078ab', '#545a8c'],
    water: ['#a58fbb', '#424f86'],
    cloud: '#ffe9e2',
    night: false,
  },
  {
    sky: ['#101c3f', '#263d74', '#5d7aad'],
    sun: '#f5f1dc',
    ridges: ['#4a639a', '#324a7b', '#20335c'],
    water: ['#33558c', '#10234a'],
    cloud: '#9fb4dd',
    night: true,
  },
];

export function gradient(brush: Brush, top: number, bottom: number, colours: readonly string[]): CanvasGradient {
  const fill = brush.createLinearGradient(0, top, 0, bottom);
  colours.forEach((colour, index) => {
    fill.addColorStop(colours.length === 1 ? 0 : index / (colours.length - 1), colour);
  });
  return fill;
}

export function polygon(
  brush: Brush,
  colour: string | CanvasGradient,
  ...points: readonly (readonly [number, number])[]
) {
  brush.fillStyle = colour;
  brush.beginPath();
  for (const [x, y] of points) brush.lineTo(x, y);
  brush.closePath();
  brush.fill();
}

export function rectangle(brush: Brush, colour: string | CanvasGradient, x: number, y: number, w: number, h: number) {
  brush.fillStyle = colour;
  brush.fillRect(x, y, w, h);
}

export function disc(brush: Brush, colour: string | CanvasGradient, x: number, y: number, radius: number) {
  brush.fillStyle = colour;
  brush.beginPath();
  brush.arc(x, y, radius, 0, Math.PI * 2);
  brush.fill();
}

/** Runs `paint` with an opacity, then puts everything back. */
export function faintly(brush: Brush, alpha: number, paint: () => void) {
  brush.save();
  brush.globalAlpha = alpha;
  paint();
  brush.restore();
}

/** A soft round light that fades to nothing. */
export function glow(brush: Brush, colour: string, x: number, y: number, radius: number, alpha: number) {
  faintly(brush, alpha, () => {
    const light = brush.createRadialGradient(x, y, 0, x, y, radius);
    light.addColorStop(0, colour);
    light.addColorStop(1, `${colour}00`);
    rectangle(brush, light, x - radius, y - radius, radius * 2, radius * 2);
  });
}

function stars(brush: Brush, random: Random, below: number) {
  for (let n = 0; n < 42; n += 1) {
    faintly(brush, between(random, 0.25, 0.95), () =>
      disc(brush, '#ffffff', random() * W, random() * below, between(random, 0.3, 0.9)),
    );
  }
}

function sunAt(brush: Brush, mood: Mood, x: number, y: number, radius: number) {
  glow(brush, mood.sun, x, y, radius * 5, 0.55);
  disc(brush, mood.sun, x, y, radius);
  // A moon shows a few seas, a sun does not.
  if (mood.night) {
    faintly(brush, 0.12, () => {
      disc(brush, '#4a5a86', x - radius * 0.3, y - radius * 0.2, radius * 0.3);
      disc(brush, '#4a5a86', x + radius * 0.35, y + radius * 0.3, radius * 0.22);
    });
  }
}

function cloud(brush: Brush, random: Random, colour: string, x: number, y: number, size: number) {
  faintly(brush, between(random, 0.35, 0.8), () => {
    brush.fillStyle = gradient(brush, y - size, y + size * 0.4, [colour, `${colour}55`]);
    brush.beginPath();
    for (let n = -2; n <= 2; n += 1) {
      const radius = size * (0.62 - Math.abs(n) * 0.14) * between(random, 0.85, 1.15);
      const centre = x + n * size * 0.55;
      brush.moveTo(centre + radius, y);
      brush.arc(centre, y, radius, 0, Math.PI, true);
    }
    brush.fill();
  });
}

/** Sky with sun or moon, clouds and at night stars, down to `horizon`. */
export function sky(brush: Brush, random: Random, mood: Mood, horizon: number) {
  rectangle(brush, gradient(brush, 0, horizon, mood.sky), 0, 0, W, H);
  if (mood.night) stars(brush, random, horizon);
  sunAt(brush, mood, between(random, 40, W - 40), between(random, 22, horizon * 0.62), between(random, 9, 16));
  const clouds = whole(random, 2, 4);
  for (let n = 0; n < clouds; n += 1) {
    cloud(brush, random, mood.cloud, random() * W, between(random, 16, horizon * 0.6), between(random, 12, 24));
  }
}

/** A mountain line by midpoint displacement, filled down to the lower edge of the picture. */
export function ridge(brush: Brush, random: Random, colour: string, base: number, height: number) {
  let line = [between(random, 0.2, 0.8), between(random, 0.2, 1), between(random, 0.2, 0.8)];
  let swing = 0.42;
  for (let level = 0; level < 5; level += 1) {
    const finer: number[] = [];
    line.forEach((value, index) => {
      finer.push(value);
      const next = line[index + 1];
      if (next !== undefined) finer.push((value + next) / 2 + between(random, -swing, swing));
    });
    line = finer;
    swing *= 0.52;
  }
  const step = W / (line.length - 1);
  const tops = line.map((value, index) => [index * step, base - Math.max(0, Math.min(1.15, value)) * height] as const);
  polygon(brush, gradient(brush, base - height, H, [colour, `${colour}cc`]), [0, H], ...tops, [W, H]);
}

/** Rolling hills: two slow waves, filled down to the lower edge. */
export function hills(brush: Brush, random: Random, colours: readonly string[], base: number, height: number) {
  const phases = [random() * 6.3, random() * 6.3];
  const tops: [number, number][] = [];
  for (let x = 0; x <= W; x += 5) {
    const wave = Math.sin(x / 52 + (phases[0] ?? 0)) * 0.6 + Math.sin(x / 23 + (phases[1] ?? 0)) * 0.25;
    tops.push([x, base - wave * height]);
  }
  polygon(brush, gradient(brush, base - height, H, colours), [0, H], ...tops, [W, H]);
}

/** Water from `horizon` down, with streaks of light that grow longer towards the viewer. */
export function water(brush: Brush, random: Random, mood: Mood, horizon: number) {
  rectangle(brush, gradient(brush, horizon, H, mood.water), 0, horizon, W, H - horizon);
  brush.lineCap = 'round';
  for (let n = 0; n < 34; n += 1) {
    const depth = random() ** 1.3;
    const y = horizon + 2 + depth * (H - horizon - 4);
    const length = between(random, 8, 26) * (0.5 + depth);
    const x = between(random, -10, W);
    faintly(brush, between(random, 0.12, 0.42), () => {
      brush.strokeStyle = mood.cloud;
      brush.lineWidth = 0.6 + depth * 0.8;
      brush.beginPath();
      brush.moveTo(x, y);
      brush.quadraticCurveTo(x + length / 2, y + between(random, -1.5, 1.5), x + length, y);
      brush.stroke();
    });
  }
}

/** A few distant birds. */
export function birds(brush: Brush, random: Random, colour: string, below: number) {
  const count = whole(random, 2, 5);
  brush.strokeStyle = colour;
  brush.lineWidth = 1.2;
  brush.lineCap = 'round';
  for (let n = 0; n < count; n += 1) {
    const x = between(random, 20, W - 20);
    const y = between(random, 14, below);
    const span = between(random, 4, 7);
    brush.beginPath();
    brush.moveTo(x - span, y - span * 0.35);
    brush.quadraticCurveTo(x - span * 0.4, y - span * 0.7, x, y);
    brush.quadraticCurveTo(x + span * 0.4, y - span * 0.7, x + span, y - span * 0.35);
    brush.stroke();
  }
}
