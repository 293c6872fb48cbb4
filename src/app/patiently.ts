import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';

/** How often something is tried: people, and the first synchronisation, work in the same company meanwhile. */
const TRIES = 6;

interface Patience {
  log: Logger;
  signal: AbortSignal;
  /** Between two tries. */
  pauseMs: number;
  /** What is made, for the log. */
  part: string;
}

/**
 * Tries `make` until it does not answer false, again after a pause where it failed: a deadlock with the first
 * synchronisation, or somebody who changed the same, ends by itself. What fails for good is logged and left out, and what
 * comes after it is made.
 */
export async function patiently(make: () => Promise<unknown>, { log, signal, pauseMs, part }: Patience): Promise<void> {
  for (let tries = 1; tries <= TRIES && !signal.aborted; tries += 1) {
    try {
      if ((await make()) !== false) return;
    } catch (error) {
      log.warn({ err: error, part, tries }, 'a part of the demo failed');
    }
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
  }
  if (!signal.aborted) log.error({ part }, 'the demo goes without a part');
}
