import { CAPTCHA_WIDTH, SLIDER_Y } from '../../contract/session.ts';
import { encrypt } from './aes.ts';

/** Width in px at which the picture is shown; answers are scaled back to the picture's own 310. */
export const SHOWN_WIDTH = 330;

export interface Point {
  x: number;
  y: number;
}

const scaled = (shown: number): number => (shown * CAPTCHA_WIDTH) / SHOWN_WIDTH;

/** Answer of the slider as JSON text: where the piece was left, with the fixed y. */
export function sliderPoint(left: number): string {
  return JSON.stringify({ x: scaled(left), y: SLIDER_Y });
}

/** Answer of the click captcha as JSON text: the points in order. */
export function clickPoints(points: readonly Point[]): string {
  return JSON.stringify(points.map(({ x, y }) => ({ x: Math.round(scaled(x)), y: Math.round(y) })));
}

/** What the check call carries; plain where the challenge brought no key. */
export function encryptedPoint(plain: string, key: string): string {
  return key ? encrypt(plain, key) : plain;
}

/** What the login carries as the proof of a passed check. */
export function verification(token: string, plain: string, key: string): string {
  return encryptedPoint(`${token}---${plain}`, key);
}
