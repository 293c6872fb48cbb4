import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Forecast, Options } from './forecast.ts';
import type { Item } from './shop.ts';

/** Items that are forecast together: enough to learn from each other, few enough for the memory of a thread. */
export const PART = 2_000;

/**
 * Forecasts the parts of a shop on worker threads, each thread one part at a time. Parts are read only when a thread is free
 * and told as soon as they are done, so that neither all histories nor all forecasts are in memory at once. The figures
 * do not depend on how many threads there are. An error in a thread ends all of them.
 */
export async function forecastParts(
  parts: Iterable<readonly Item[]> | AsyncIterable<readonly Item[]>,
  options: Options,
  threads: number,
  done: (forecasts: Forecast[], part: number) => Promise<void> | void,
): Promise<void> {
  const queue = Symbol.asyncIterator in parts ? parts[Symbol.asyncIterator]() : parts[Symbol.iterator]();
  let part = 0;
  // Two threads may not ask an iterator at the same time.
  let turn: Promise<unknown> = Promise.resolve();
  const take = () => {
    const next = turn.then(async () => ({ ...(await queue.next()), part: part++ }));
    turn = next.catch(() => undefined);
    return next;
  };
  const workers = Array.from({ length: threads }, () => new Worker(new URL('./thread.ts', import.meta.url)));
  try {
    await Promise.all(
      workers.map(async (worker) => {
        for (let next = await take(); !next.done; next = await take()) {
          worker.postMessage({ items: next.value, options });
          // Rejects if the thread fails.
          const [forecasts] = (await once(worker, 'message')) as [Forecast[]];
          await done(forecasts, next.part);
        }
      }),
    );
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}
