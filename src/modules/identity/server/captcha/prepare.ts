import type { CaptchaType } from '../../contract/session.ts';
import type { Point } from './glyphs.ts';
import { drawClickWord, drawSlider } from './pictures.ts';
import type { Random } from './random.ts';

/** What the server keeps to itself: the x of the hole, or the centres of the characters in order (px of 310 x 155). */
export type CaptchaAnswer = { type: 'blockPuzzle'; x: number } | { type: 'clickWord'; points: Point[] };

/** A drawn captcha that waits for somebody to ask for it. */
export interface PreparedCaptcha {
  answer: CaptchaAnswer;
  originalImageBase64: string;
  /** Empty for click-word. */
  jigsawImageBase64: string;
  /** Empty for the slider. */
  wordList: string[];
}

/** Draws one captcha and encodes it for the wire. */
export function prepareCaptcha(type: CaptchaType, random: Random): PreparedCaptcha {
  if (type === 'blockPuzzle') {
    const { original, jigsaw, x } = drawSlider(random);
    return {
      answer: { type, x },
      originalImageBase64: original.toString('base64'),
      jigsawImageBase64: jigsaw.toString('base64'),
      wordList: [],
    };
  }
  const { original, words, points } = drawClickWord(random);
  return {
    answer: { type, points },
    originalImageBase64: original.toString('base64'),
    jigsawImageBase64: '',
    wordList: words,
  };
}
