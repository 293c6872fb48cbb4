import type { Canvas } from '@napi-rs/canvas';
import { createCanvas } from '@napi-rs/canvas';
import { CAPTCHA_HEIGHT as H, CAPTCHA_WIDTH as W } from '../../contract/session.ts';
import { CHARACTERS, drawGlyph, loadGlyphFont, type Point, placeGlyphs } from './glyphs.ts';
import { addGrain } from './grain.ts';
import { cutPiece, opposite, PIECE, punchHole, randomKnobs, shadeDecoy } from './puzzle.ts';
import { between, type Random, sample, whole } from './random.ts';
import { paintScene } from './scenes/scene.ts';

/** The hole's left edge lies in this range, both ends included: far enough to drag, and inside the picture. */
export const HOLE_FROM = 100;
export const HOLE_TO = 258;
const GLYPHS = 4;
const ASKED = 3;
const QUALITY = 88;

export interface SliderDrawing {
  /** JPEG of 310 x 155 px with the hole. */
  original: Buffer;
  /** PNG of 47 x 155 px, transparent around the piece; laid at `x` it closes the hole. */
  jigsaw: Buffer;
  /** Left edge of the hole in px: the answer. */
  x: number;
}

export interface ClickWordDrawing {
  /** JPEG of 310 x 155 px with four characters. */
  original: Buffer;
  /** The three characters to click, in order. */
  words: [string, string, string];
  /** Their centres in px: the answer. */
  points: [Point, Point, Point];
}

export interface SliderLayers {
  /** The picture before anything was cut from it. */
  scene: Canvas;
  picture: Canvas;
  piece: Canvas;
  x: number;
  y: number;
}

function copyOf(canvas: Canvas): Canvas {
  const copy = createCanvas(canvas.width, canvas.height);
  copy.getContext('2d').drawImage(canvas, 0, 0);
  return copy;
}

/** A place for the decoy beside the hole, in overlapping rows so that a scan of the piece's rows meets both. */
function decoyPlace(random: Random, x: number, y: number): Point {
  const gap = PIECE + 6;
  const left = x - gap - 52;
  const right = W - PIECE - 4 - (x + gap);
  const at = random() * (Math.max(0, left) + Math.max(0, right));
  const decoyX = at < Math.max(0, left) ? 52 + at : x + gap + (at - Math.max(0, left));
  return { x: Math.round(decoyX), y: Math.round(Math.max(4, Math.min(H - PIECE - 4, y + between(random, -24, 24)))) };
}

/** The canvases of a slider captcha before they are encoded. */
export function composeSlider(random: Random): SliderLayers {
  const x = whole(random, HOLE_FROM, HOLE_TO);
  const y = whole(random, 6, H - PIECE - 6);
  const knobs = randomKnobs(random);
  const scene = paintScene(random);
  const piece = cutPiece(scene, knobs, x, y);
  const picture = copyOf(scene);
  const decoy = decoyPlace(random, x, y);
  shadeDecoy(picture, random, opposite(knobs), decoy.x, decoy.y);
  punchHole(picture, random, knobs, x, y);
  addGrain(picture.getContext('2d'), random, W, H, 9);
  addGrain(piece.getContext('2d'), random, PIECE, H, 9);
  return { scene, picture, piece, x, y };
}

/** Draws a slider captcha; takes a few milliseconds of the calling thread. */
export function drawSlider(random: Random): SliderDrawing {
  const { picture, piece, x } = composeSlider(random);
  return { original: picture.toBuffer('image/jpeg', QUALITY), jigsaw: piece.toBuffer('image/png'), x };
}

/** Thin curves through the picture: they cost a reader nothing and a segmentation much. */
function scribble(picture: Canvas, random: Random) {
  const brush = picture.getContext('2d');
  brush.lineCap = 'round';
  for (let n = 0; n < 5; n += 1) {
    brush.strokeStyle = `hsla(${whole(random, 0, 359)}, 65%, ${whole(random, 35, 75)}%, 0.5)`;
    brush.lineWidth = between(random, 1, 2.2);
    brush.beginPath();
    brush.moveTo(between(random, -10, 60), random() * H);
    brush.bezierCurveTo(
      random() * W,
      random() * H,
      random() * W,
      random() * H,
      between(random, W - 60, W + 10),
      random() * H,
    );
    brush.stroke();
  }
}

/** Draws a click-word captcha; the first call of a process also loads the Chinese face (about 40 ms once). */
export function drawClickWord(random: Random): ClickWordDrawing {
  loadGlyphFont();
  const picture = paintScene(random);
  const brush = picture.getContext('2d');
  scribble(picture, random);
  const drawn = sample(random, CHARACTERS, GLYPHS).map((word) => ({ word, point: { x: 0, y: 0 } }));
  placeGlyphs(random, GLYPHS).forEach((point, index) => {
    const glyph = drawn[index];
    if (glyph) glyph.point = point;
  });
  for (const { word, point } of drawn) drawGlyph(brush, random, word, point);
  addGrain(brush, random, W, H, 9);
  const [first, second, third] = sample(random, drawn, ASKED);
  if (!first || !second || !third) throw new Error('A click-word captcha needs three characters');
  return {
    original: picture.toBuffer('image/jpeg', QUALITY),
    words: [first.word, second.word, third.word],
    points: [first.point, second.point, third.point],
  };
}
