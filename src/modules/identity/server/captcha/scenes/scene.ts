import { type Canvas, createCanvas } from '@napi-rs/canvas';
import { CAPTCHA_HEIGHT as H, CAPTCHA_WIDTH as W } from '../../../contract/session.ts';
import { chance, pick, type Random } from '../random.ts';
import { type Brush, MOODS, type Mood } from './brush.ts';
import { paintCity } from './city.ts';
import { paintCoast } from './coast.ts';
import { paintMountains } from './mountains.ts';
import { paintSea } from './sea.ts';
import { paintWarehouse } from './warehouse.ts';

type Paint = (brush: Brush, random: Random, mood: Mood) => void;

const SCENES: readonly [Paint, ...Paint[]] = [paintSea, paintCoast, paintMountains, paintCity, paintWarehouse];

/** A scene of 310 x 155 px; subject, hour, layout and direction all come from `random`. */
export function paintScene(random: Random): Canvas {
  const canvas = createCanvas(W, H);
  const brush = canvas.getContext('2d');
  if (chance(random, 0.5)) {
    brush.translate(W, 0);
    brush.scale(-1, 1);
  }
  pick(random, SCENES)(brush, random, pick(random, MOODS));
  brush.resetTransform();
  return canvas;
}
