import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { machineClock } from '#kit/server/clock.ts';
import { readConfig } from '#kit/server/config.ts';
import { ApiRefused, AuthLost, ComeBackLater } from '../server/api/port.ts';
import { historyWindows, windowPriority } from '../server/reports/plan.ts';
import { afterFailure } from '../server/sync/failure.ts';
import { nextWindow } from '../server/sync/window.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const at = (text: string) => new Date(`2026-07-18T${text}Z`);

describe('the history of a new account', () => {
  test('two years in windows of thirty days are twenty-five reports', () => {
    expect(historyWindows({ windowDays: 30, historyDays: 730 }, at('10:15:00'))).toHaveLength(25);
    expect(historyWindows({ windowDays: 30, historyDays: 30 }, at('10:15:00'))).toHaveLength(2);
    expect(historyWindows({ windowDays: 31, historyDays: 30 }, at('10:15:00'))).toHaveLength(1);
  });

  test('what ended within four months comes first, and two years ago last', () => {
    const now = at('10:15:00');
    const windows = historyWindows({ windowDays: 30, historyDays: 730 }, now);
    const priorities = windows.map(([, to], index) => windowPriority({ priority: 10 }, index, to, now));
    expect(priorities.slice(0, 6)).toEqual([10, 11, 12, 13, 14, 95]);
    expect(priorities).toEqual(priorities.toSorted((a, b) => a - b));
  });

  const plans = fc.record({
    windowDays: fc.integer({ min: 1, max: 60 }),
    historyDays: fc.integer({ min: 1, max: 800 }),
  });
  const instants = fc.date({ min: new Date('2024-01-01'), max: new Date('2030-01-01'), noInvalidDate: true });

  test('is covered whole, newest first, without gap or overlap, and no window is too long', () => {
    fc.assert(
      fc.property(plans, instants, (plan, now) => {
        const windows = historyWindows(plan, now).filter(([from, to]) => to > from);
        const today = Math.floor(now.getTime() / DAY) * DAY;
        expect(windows.at(-1)?.[0].getTime()).toBe(today - plan.historyDays * DAY);
        expect(windows[0]?.[1].getTime()).toBeLessThanOrEqual(now.getTime());
        expect(windows[0]?.[1].getTime()).toBeGreaterThanOrEqual(now.getTime() - 5 * MINUTE);
        for (const [index, [from, to]] of windows.entries()) {
          expect(to.getTime() - from.getTime()).toBeLessThanOrEqual(plan.windowDays * DAY);
          if (index > 0) expect(to.getTime()).toBe(windows[index - 1]?.[0].getTime());
        }
      }),
    );
  });

  test('planned twice on one day it asks for the same windows, except for the end of the newest', () => {
    // Until five minutes past midnight the newest window is yesterday's; the last test here is about that.
    const minutes = fc.integer({ min: 6, max: 1439 });
    fc.assert(
      fc.property(plans, minutes, minutes, (plan, one, other) => {
        const cut = (minute: number) =>
          historyWindows(plan, new Date(at('00:00:00').getTime() + minute * MINUTE)).map(([from, to], index) =>
            index === 0 ? from.toISOString() : `${from.toISOString()} ${to.toISOString()}`,
          );
        expect(cut(one)).toEqual(cut(other));
      }),
    );
  });

  test('never asks for a window that ends before it begins, not even right after midnight', () => {
    const soon = fc.oneof(fc.integer({ min: 0, max: 6 * MINUTE }), fc.integer({ min: 0, max: DAY - 1 }));
    const short = fc.record({
      windowDays: fc.integer({ min: 1, max: 3 }),
      historyDays: fc.integer({ min: 1, max: 90 }),
    });
    fc.assert(
      fc.property(fc.oneof(plans, short), soon, (plan, ms) => {
        const windows = historyWindows(plan, new Date(at('00:00:00').getTime() + ms));
        expect(windows.length).toBeGreaterThan(0);
        for (const [from, to] of windows) expect(to.getTime()).toBeGreaterThan(from.getTime());
      }),
      { numRuns: 500 },
    );
  });
});

describe('the window of the next run', () => {
  const orders = { overlapSec: 600, safetyLagSec: 120, maxWindowSec: 7 * 86_400, historySec: 30 * 86_400 };

  test('reads again before the mark and keeps its distance from now', () => {
    expect(nextWindow(orders, at('10:00:00').toISOString(), at('10:15:00'))).toEqual({
      from: '2026-07-18T09:50:00.000Z',
      to: '2026-07-18T10:13:00.000Z',
      behind: false,
    });
  });

  test('begins with the history', () => {
    expect(nextWindow(orders, null, at('10:02:00'))).toEqual({
      from: '2026-06-18T10:00:00.000Z',
      to: '2026-06-25T10:00:00.000Z',
      behind: true,
    });
  });

  test('waits while nothing is old enough to be asked for', () => {
    expect(nextWindow(orders, at('10:14:00').toISOString(), at('10:15:00'))).toBeUndefined();
    expect(nextWindow(orders, at('11:00:00').toISOString(), at('10:15:00'))).toBeUndefined();
  });

  test('runs one after the other leave no instant unread and end at now', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 * 86_400 }),
        fc.integer({ min: 600, max: 864_000 }),
        (behindSec, maxWindowSec) => {
          const now = at('10:15:00');
          let mark = new Date(now.getTime() - behindSec * 1000).toISOString();
          for (let runs = 0; runs < 20_000; runs += 1) {
            const window = nextWindow({ ...orders, maxWindowSec }, mark, now);
            if (!window) break;
            expect(Date.parse(window.from)).toBeLessThanOrEqual(Date.parse(mark));
            expect(Date.parse(window.to)).toBeGreaterThanOrEqual(Date.parse(mark));
            mark = window.to;
            if (!window.behind) break;
          }
          if (behindSec > 120) expect(mark).toBe('2026-07-18T10:13:00.000Z');
        },
      ),
    );
  });
});

describe('after a failure', () => {
  const BASE = 5_000;
  /** What a failure asks of its process. */
  const process = { clock: machineClock, config: { ...readConfig({}), retryBaseMs: BASE } };
  const inMs = (date: Date) => date.getTime() - Date.now();

  test('a limit is waited out and does not count', () => {
    const change = afterFailure(process, new ComeBackLater(90_000, 'searchOrders 限流等待'), 3);
    expect(change).toMatchObject({ attempts: 3, error: 'searchOrders 限流等待' });
    expect(change.state).toBeUndefined();
    expect(Math.abs(inMs(change.notBefore) - 90_000)).toBeLessThan(1_000);
  });

  test('a lost consent and a missing role stop the stream and say why', () => {
    expect(afterFailure(process, new AuthLost('授权失效'), 0)).toMatchObject({
      state: 'blocked_auth',
      error: '授权失效',
    });
    expect(afterFailure(process, new ApiRefused(403, 'Unauthorized', 'Access denied'), 0)).toMatchObject({
      state: 'blocked_role',
      error: '缺少权限角色：Access denied',
    });
  });

  test('anything else is tried again, each time later, at most a quarter of an hour', () => {
    for (let attempts = 0; attempts < 7; attempts += 1) {
      const change = afterFailure(process, new Error('HTTP 500'), attempts);
      expect(change).toMatchObject({ attempts: attempts + 1, error: 'HTTP 500' });
      expect(change.state).toBeUndefined();
      expect(inMs(change.notBefore)).toBeLessThanOrEqual(Math.min(15 * MINUTE, BASE * 2 ** (attempts + 1)));
    }
  });

  test('eight times is enough', () => {
    expect(afterFailure(process, new Error('HTTP 500'), 7)).toMatchObject({ state: 'dead', attempts: 8 });
  });
});
