import type { Runtime } from '#kit/server/runtime.ts';
import { AuthLost, ComeBackLater, lacksRole, wordsOf } from '../api/port.ts';
import type { CursorChange } from './cursor.ts';

const MAX_ATTEMPTS = 8;
const RETRY_CAP_MS = 15 * 60_000;

/** How a failed run goes on: later, after a new consent, with another role, or not at all. */
export function afterFailure(
  { clock, config }: Pick<Runtime, 'clock' | 'config'>,
  error: unknown,
  attempts: number,
): CursorChange {
  const text = wordsOf(error);
  if (error instanceof ComeBackLater) {
    return { notBefore: new Date(clock.ms() + error.afterMs), attempts, error: text };
  }
  if (error instanceof AuthLost) return { notBefore: clock.now(), state: 'blocked_auth', error: text };
  if (lacksRole(error)) return { notBefore: clock.now(), state: 'blocked_role', error: text };
  const next = attempts + 1;
  if (next >= MAX_ATTEMPTS) return { notBefore: clock.now(), state: 'dead', attempts: next, error: text };
  const pause = Math.random() * Math.min(RETRY_CAP_MS, config.retryBaseMs * 2 ** next);
  return { notBefore: new Date(clock.ms() + pause), attempts: next, error: text };
}
