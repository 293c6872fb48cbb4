import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '#kit/server/errors.ts';
import type { TaskHandle, TaskResult } from '#kit/server/jobs/define.ts';
import { isBusy } from '../site.ts';

/** What could not be done, by the name that people know. */
export interface Failed {
  name: string;
  reason: string;
}

const PAUSE_MS = 2_000;
/** So often one and the same thing is tried while Amazon's limit keeps us waiting. */
const TRIES = 60;
/** So many failures are told in the task's line; all of them stand in its result. */
const TOLD = 5;

async function patiently(work: () => Promise<unknown>, wait: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (!(error instanceof AppError) || !isBusy(error) || tries === TRIES) throw error;
      await wait();
    }
  }
}

/**
 * Does something with each, one after the other; one that is refused keeps none from it. A limit of Amazon's is waited for.
 * @param done what was done, before the number: "已提交"
 */
export async function each<T>(
  handle: TaskHandle,
  all: readonly T[],
  { nameOf, done, work }: { nameOf: (one: T) => string; done: string; work: (one: T) => Promise<unknown> },
): Promise<TaskResult> {
  const failed: Failed[] = [];
  for (const [n, one] of all.entries()) {
    const share = (n / all.length) * 100;
    await handle.progress(share, `${n}/${all.length}`);
    try {
      await patiently(
        () => work(one),
        async () => {
          await handle.progress(share, `${n}/${all.length}，等待亚马逊接口`);
          await sleep(PAUSE_MS);
        },
      );
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      failed.push({ name: nameOf(one), reason: error.message });
    }
  }
  const told = failed.slice(0, TOLD).map(({ name, reason }) => `${name}：${reason}`);
  const rest = failed.length > TOLD ? ` 等 ${failed.length} 个` : '';
  const words = `${done} ${all.length - failed.length} 个${failed.length > 0 ? `，${failed.length} 个未成功：${told.join('；')}${rest}` : ''}`;
  return { detail: words, result: { done: all.length - failed.length, failed } };
}
