import { type Canvas, createCanvas, Path2D } from '@napi-rs/canvas';
import { CAPTCHA_HEIGHT as H, CAPTCHA_WIDTH as W } from '../../contract/session.ts';
import { chance, type Random } from './random.ts';

/** The piece with its knobs fits a square of this many px; its picture is as wide and as tall as the captcha. */
export const PIECE = 47;

const MARGIN = 7;
const KNOB = 4.8;
/** From the side to the centre of the knob: the knob reaches exactly to the border of the square. */
const REACH = MARGIN - KNOB;

/** +1 = a knob stands out, -1 = it is cut in; in the order top, right, bottom, left. */
export type Knobs = readonly [number, number, number, number];

export function randomKnobs(random: Random): Knobs {
  const side = () => (chance(random, 0.5) ? 1 : -1);
  return [side(), side(), side(), side()];
}

/** The same piece turned inside out: every knob where the other has a notch. */
export function opposite(knobs: Knobs): Knobs {
  return [-knobs[0], -knobs[1], -knobs[2], -knobs[3]];
}

/** Outline of a jigsaw piece whose square has its upper left corner at (x, y). */
export function outline(knobs: Knobs, x: number, y: number): Path2D {
  const low = MARGIN;
  const high = PIECE - MARGIN;
  const middle = PIECE / 2;
  const sides = [
    { along: [1, 0], out: [0, -1], centre: [middle, low], end: [high, low] },
    { along: [0, 1], out: [1, 0], centre: [high, middle], end: [high, high] },
    { along: [-1, 0], out: [0, 1], centre: [middle, high], end: [low, high] },
    { along: [0, -1], out: [-1, 0], centre: [low, middle], end: [low, low] },
  ] as const;
  const half = Math.sqrt(KNOB ** 2 - REACH ** 2);
  const path = new Path2D();
  path.moveTo(x + low, y + low);
  sides.forEach((side, index) => {
    const turn = knobs[index] ?? 1;
    const from = Math.atan2(
      -side.along[1] * half - side.out[1] * turn * REACH,
      -side.along[0] * half - side.out[0] * turn * REACH,
    );
    const to = Math.atan2(
      side.along[1] * half - side.out[1] * turn * REACH,
      side.along[0] * half - side.out[0] * turn * REACH,
    );
    const cx = x + side.centre[0] + side.out[0] * turn * REACH;
    const cy = y + side.centre[1] + side.out[1] * turn * REACH;
    path.arc(cx, cy, KNOB, from, to, turn < 0);
    path.lineTo(x + side.end[0], y + side.end[1]);
  });
  path.closePath();
  return path;
}

/** The piece of `scene` under the outline at (x, y), on a transparent strip of 47 x 155 px, with a light soft rim. */
export function cutPiece(scene: Canvas, knobs: Knobs, x: number, y: number): Canvas {
  const strip = createCanvas(PIECE, H);
  const brush = strip.getContext('2d');
  const shape = outline(knobs, 0, y);
  brush.fillStyle = '#000000';
  brush.fill(shape);
  brush.globalCompositeOperation = 'source-in';
  brush.drawImage(scene, -x, 0);
  brush.globalCompositeOperation = 'source-atop';
  brush.strokeStyle = 'rgba(255, 255, 255, 0.72)';
  brush.lineWidth = 2;
  brush.stroke(shape);
  brush.globalCompositeOperation = 'destination-over';
  brush.shadowColor = 'rgba(8, 15, 35, 0.55)';
  brush.shadowBlur = 3;
  brush.fillStyle = 'rgba(8, 15, 35, 0.2)';
  brush.fill(shape);
  return strip;
}

interface Veil {
  fill: string;
  rim: string;
  inner: string;
}

const DARK: Veil = { fill: 'rgba(13, 20, 40, 0.5)', rim: 'rgba(255, 255, 255, 0.5)', inner: 'rgba(4, 8, 22, 0.85)' };
const FROSTED: Veil = {
  fill: 'rgba(244, 247, 252, 0.56)',
  rim: 'rgba(255, 255, 255, 0.6)',
  inner: 'rgba(20, 30, 60, 0.8)',
};

/** Grey level 0-255 of the patches under a hole. */
function brightness(patches: Canvas): number {
  const { data } = patches.getContext('2d').getImageData(0, 0, patches.width, patches.height);
  let sum = 0;
  for (let at = 0; at < data.length; at += 4) {
    sum += 0.3 * (data[at] ?? 0) + 0.59 * (data[at + 1] ?? 0) + 0.11 * (data[at + 2] ?? 0);
  }
  return (sum * 4) / data.length;
}

/** Dark on bright ground, frosted on dark ground, by chance between: "the darkest place" is not the answer. */
function veilFor(random: Random, ground: number): Veil {
  return chance(random, (ground - 70) / 90) ? DARK : FROSTED;
}

/**
 * Sinks a hole into `picture`. What shows through is the scene blurred to a few large patches under a veil, so that the
 * piece cannot be found by laying it over the picture and looking for the same pixels in other light.
 */
export function punchHole(picture: Canvas, random: Random, knobs: Knobs, x: number, y: number) {
  const brush = picture.getContext('2d');
  const shape = outline(knobs, x, y);
  const patches = createCanvas(6, 6);
  patches.getContext('2d').drawImage(picture, x, y, PIECE, PIECE, 0, 0, 6, 6);
  const veil = veilFor(random, brightness(patches));
  brush.save();
  brush.clip(shape);
  brush.drawImage(patches, 0, 0, 6, 6, x, y, PIECE, PIECE);
  brush.fillStyle = veil.fill;
  brush.fillRect(x, y, PIECE, PIECE);
  brush.shadowColor = veil.inner;
  brush.shadowBlur = 7;
  brush.shadowOffsetY = 2;
  brush.strokeStyle = 'rgba(4, 8, 22, 0.5)';
  brush.lineWidth = 1.5;
  brush.stroke(shape);
  brush.restore();
  brush.strokeStyle = veil.rim;
  brush.lineWidth = 1;
  brush.stroke(shape);
}

/** A faint false hole with a rim as strong: a person sees that it is hardly filled, a search for edges does not. */
export function shadeDecoy(picture: Canvas, random: Random, knobs: Knobs, x: number, y: number) {
  const brush = picture.getContext('2d');
  const shape = outline(knobs, x, y);
  const light = chance(random, 0.5);
  brush.save();
  brush.clip(shape);
  brush.fillStyle = light ? 'rgba(255, 255, 255, 0.14)' : 'rgba(13, 20, 40, 0.17)';
  brush.fillRect(Math.max(0, x), y, Math.min(PIECE, W - x), PIECE);
  brush.restore();
  brush.strokeStyle = 'rgba(255, 255, 255, 0.5)';
  brush.lineWidth = 1;
  brush.stroke(shape);
}
