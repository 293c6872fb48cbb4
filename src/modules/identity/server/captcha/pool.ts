import type { CaptchaType } from '../../contract/session.ts';
import { type PreparedCaptcha, prepareCaptcha } from './prepare.ts';
import { createSecureRandom } from './random.ts';

const SIZE = 250;
/** Share of time that refilling may take from a loop that has nothing else to do. */
const DUTY = 0.2;
const SHORTEST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 1000;
/** A timer that fires so late (ms) means that the loop is busy with requests. */
const BUSY_MS = 25;
/** After a failed drawing nothing better is to be expected at once. */
const AFTER_FAILURE_MS = 30_000;

export interface CaptchaPool {
  /** A captcha that nobody has seen; drawn on the spot when none is ready, undefined when drawing fails. */
  take(type: CaptchaType): PreparedCaptcha | undefined;
  /** How many of a kind are ready. */
  ready(type: CaptchaType): number;
  /** Ends refilling; what is ready can still be taken. */
  stop(): void;
}

export interface CaptchaPoolOptions {
  /** How many of each kind to keep ready (each about 23 kB); 250 unless told. */
  size?: number;
  /** Draws one; with numbers from the system's CSPRNG unless told. */
  make?: (type: CaptchaType) => PreparedCaptcha;
  /** Told of every drawing that failed; the error output unless told. */
  report?: (error: unknown) => void;
}

/**
 * Keeps drawn captchas ready. Refilling draws one at a time from a timer, rests four times as long as the drawing took,
 * and gives way for up to a second while the event loop is behind, unless a kind has run out. The timer does not keep a
 * process alive.
 */
export function createCaptchaPool(options: CaptchaPoolOptions = {}): CaptchaPool {
  const { size = SIZE, make = secureMaker(), report = logFailure } = options;
  const shelves: Record<CaptchaType, PreparedCaptcha[]> = { blockPuzzle: [], clickWord: [] };
  let timer: NodeJS.Timeout | undefined;
  let pause = SHORTEST_PAUSE_MS;
  let stopped = false;

  const draw = (type: CaptchaType): PreparedCaptcha | undefined => {
    try {
      return make(type);
    } catch (error) {
      report(error);
      return undefined;
    }
  };
  const emptier = (): CaptchaType =>
    shelves.clickWord.length < shelves.blockPuzzle.length ? 'clickWord' : 'blockPuzzle';
  const schedule = () => {
    if (stopped || timer || shelves[emptier()].length >= size) return;
    const due = performance.now() + pause;
    timer = setTimeout(() => {
      timer = undefined;
      refill(performance.now() - due);
      schedule();
    }, pause).unref();
  };
  const refill = (late: number) => {
    const type = emptier();
    if (late > BUSY_MS && shelves[type].length > 0) {
      pause = Math.min(LONGEST_PAUSE_MS, pause * 2);
      return;
    }
    const start = performance.now();
    const drawn = draw(type);
    if (drawn) shelves[type].push(drawn);
    const took = performance.now() - start;
    pause = drawn ? Math.max(SHORTEST_PAUSE_MS, took * (1 / DUTY - 1)) : AFTER_FAILURE_MS;
  };

  schedule();
  return {
    take: (type) => {
      const captcha = shelves[type].shift() ?? draw(type);
      schedule();
      return captcha;
    },
    ready: (type) => shelves[type].length,
    stop: () => {
      stopped = true;
      clearTimeout(timer);
      timer = undefined;
    },
  };
}

function logFailure(error: unknown) {
  console.error('A captcha could not be drawn', error);
}

function secureMaker(): (type: CaptchaType) => PreparedCaptcha {
  const random = createSecureRandom();
  return (type) => prepareCaptcha(type, random);
}
