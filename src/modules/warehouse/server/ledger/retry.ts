import { setTimeout as sleep } from 'node:timers/promises';
import type { Ctx, Principal } from '#kit/server/context.ts';
import { inTenant, type Runtime } from '#kit/server/runtime.ts';

const TRIES = 3;
const RETRIED = ['40001', '40P01'];

/**
 * Runs work that posts, in a transaction of its own, again up to three times where the database asks for it. Postings
 * lock in one order, so a deadlock is an error to look into: each is logged.
 */
export async function inPosting<T>(runtime: Runtime, principal: Principal, work: (ctx: Ctx) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await inTenant(runtime, principal, work);
    } catch (error) {
      const code = (error as { code?: unknown }).code;
      if (tries > TRIES || typeof code !== 'string' || !RETRIED.includes(code)) throw error;
      runtime.log.warn({ err: error, tries }, 'stock posting is tried again');
      await sleep(Math.random() * 50 * tries);
    }
  }
}
