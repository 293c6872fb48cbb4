import { SLIDER_Y } from '../../contract/session.ts';
import type { Point } from './glyphs.ts';

/** px by which a slider may miss the hole, either way. */
export const SLIDER_TOLERANCE = 5;
/** px by which a click may miss a character's centre, in x and in y. */
export const CLICK_TOLERANCE = 25;
/** No hand drags faster (ms between handing out the picture and the answer). */
export const FASTEST_DRAG_MS = 300;

/** Longest text worth parsing; three points need about 80 characters. */
const LONGEST = 500;

function parsed(text: string): unknown {
  if (text.length > LONGEST) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function asPoint(value: unknown): Point | undefined {
  if (typeof value !== 'object' || value === null || !('x' in value) || !('y' in value)) return undefined;
  const { x, y } = value;
  if (typeof x !== 'number' || typeof y !== 'number' || !Number.isFinite(x) || !Number.isFinite(y)) return undefined;
  return { x, y };
}

/** `{"x":n,"y":n}` in the 310 x 155 space; undefined for anything else, never throws. */
export function parsePoint(text: string): Point | undefined {
  return asPoint(parsed(text));
}

/** `[{"x":n,"y":n}, ...]` in the 310 x 155 space; undefined for anything else, never throws. */
export function parsePoints(text: string): Point[] | undefined {
  const list = parsed(text);
  if (!Array.isArray(list)) return undefined;
  const points = list.map(asPoint).filter((point) => point !== undefined);
  return points.length === list.length ? points : undefined;
}

/** Whether a drag to `point` after `elapsedMs` closes the hole at `answerX` (px in the 310 px picture). */
export function checkSlider(answerX: number, point: Point | undefined, elapsedMs: number): boolean {
  if (!point || point.y !== SLIDER_Y || elapsedMs < FASTEST_DRAG_MS) return false;
  return Math.abs(point.x - answerX) <= SLIDER_TOLERANCE;
}

/** Whether the clicks hit the asked characters one by one, in order; too few or too many are wrong. */
export function checkClickWord(answer: readonly Point[], points: readonly Point[] | undefined): boolean {
  if (!points || answer.length === 0 || points.length !== answer.length) return false;
  return answer.every((centre, index) => {
    const point = points[index];
    return (
      point !== undefined &&
      Math.abs(point.x - centre.x) <= CLICK_TOLERANCE &&
      Math.abs(point.y - centre.y) <= CLICK_TOLERANCE
    );
  });
}
