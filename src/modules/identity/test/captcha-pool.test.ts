import { describe, expect, test, vi } from 'vitest';
import { PATIENCE_MS } from '#test/support/patience.ts';
import type { CaptchaType } from '../contract/session.ts';
import { createCaptchaPool } from '../server/captcha/pool.ts';
import { type PreparedCaptcha, prepareCaptcha } from '../server/captcha/prepare.ts';
import { createSeededRandom } from '../server/captcha/random.ts';

function numbered() {
  let made = 0;
  return (type: CaptchaType): PreparedCaptcha => {
    made += 1;
    const answer = type === 'blockPuzzle' ? { type, x: 100 + made } : { type, points: [{ x: made, y: 1 }] };
    return { answer, originalImageBase64: String(made), jigsawImageBase64: '', wordList: [] };
  };
}

async function until(condition: () => boolean) {
  await vi.waitFor(() => expect(condition()).toBe(true), { timeout: PATIENCE_MS, interval: 5 });
}

describe('pool', () => {
  test('fills both kinds, hands each captcha out once, and refills what was taken', async () => {
    const pool = createCaptchaPool({ size: 3, make: numbered() });
    await until(() => pool.ready('blockPuzzle') === 3 && pool.ready('clickWord') === 3);
    const seen = new Set(Array.from({ length: 10 }, () => pool.take('clickWord')?.originalImageBase64));
    expect(seen.size).toBe(10);
    expect(pool.take('blockPuzzle')?.answer.type).toBe('blockPuzzle');
    await until(() => pool.ready('blockPuzzle') === 3 && pool.ready('clickWord') === 3);
    pool.stop();
  });

  test('stops drawing when told, and still serves', async () => {
    const make = vi.fn(numbered());
    const pool = createCaptchaPool({ size: 50, make });
    pool.stop();
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(make).not.toHaveBeenCalled();
    expect(pool.take('blockPuzzle')?.answer.type).toBe('blockPuzzle');
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(make).toHaveBeenCalledTimes(1);
  });

  test('a drawing that fails is reported, and gives nothing instead of an exception', () => {
    const report = vi.fn();
    const failure = new Error('no font');
    const make = () => {
      throw failure;
    };
    const pool = createCaptchaPool({ size: 1, make, report });
    expect(pool.take('clickWord')).toBeUndefined();
    expect(report).toHaveBeenCalledWith(failure);
    pool.stop();
  });

  test('real pictures: taking draws nothing, and refilling leaves the event loop free four times as long as it held it', async () => {
    const random = createSeededRandom(5);
    const drawings: { start: number; end: number }[] = [];
    const make = (type: CaptchaType) => {
      const start = performance.now();
      const captcha = prepareCaptcha(type, random);
      drawings.push({ start, end: performance.now() });
      return captcha;
    };
    const pool = createCaptchaPool({ size: 12, make });
    await until(() => pool.ready('blockPuzzle') === 12 && pool.ready('clickWord') === 12);
    pool.stop();
    const slider = pool.take('blockPuzzle');
    const words = pool.take('clickWord');
    expect(drawings).toHaveLength(24);
    expect(slider?.jigsawImageBase64.length).toBeGreaterThan(500);
    expect(slider?.wordList).toEqual([]);
    expect(words?.wordList).toHaveLength(3);
    expect(words?.jigsawImageBase64).toBe('');
    for (const [index, { start, end }] of drawings.slice(0, -1).entries()) {
      const free = (drawings[index + 1]?.start ?? 0) - end;
      // A timer counts whole milliseconds and may be one early.
      expect(free).toBeGreaterThan(4 * (end - start) - 2);
    }
  });
});
